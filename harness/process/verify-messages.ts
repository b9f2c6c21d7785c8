// What the controller asks of a child of `deltaproof verify`, and what the child reports.

import { z } from 'zod';
import { LIAR_NAMES } from '../record/liars.js';
import { ALL_BACKENDS } from '../record/names.js';
import { modulePathsSchema, ownSaverSchema } from '../record/own-modules.js';
import { cellSchema } from '../record/scenario-cell.js';
import { findingSchema } from '../record/scenario-row.js';
import { SCENARIO_NAMES } from '../record/scenarios.js';
import { schemaPlaceSchema } from '../record/store-place.js';
import { WRAPPER_NAMES } from '../record/wrappers.js';
import { reportBase, type Task } from './protocol.js';

/** `write`: play the scenario in every cell. `read`: read what it left again, in a fresh process. */
export const scenarioRequestSchema = z.object({
  scenario: z.enum(SCENARIO_NAMES),
  role: z.enum(['write', 'read']),
  seed: z.int().nonnegative(),
  /** Name of a saver that lies on purpose; null for the one under test. */
  liar: z.enum(LIAR_NAMES).nullable(),
  /** How many histories to generate; null for other kinds. */
  repeats: z.int().positive().nullable(),
  /** Versions of the packages under test: what is known of them does not end a search. */
  packages: z.record(z.string(), z.string()),
  /** What stands before the saver of the backend; null: nothing. */
  wrapper: z.enum(WRAPPER_NAMES).nullable(),
  /** Cells of a state scenario by backend; a check scenario has none. */
  backends: z.array(z.object({ backend: z.enum(ALL_BACKENDS), cells: z.array(cellSchema) })),
  /** Folder for the stores of all cells; made and removed by the parent. */
  store_dir: z.string(),
  /** What the schemas of the cells begin with, where a backend has a server; null where none has. */
  server: schemaPlaceSchema.nullable(),
  /** The Redis server of a wrapper that needs one; null where none is named. */
  redis_url: z.string().nullable(),
  /** Modules of the user, for children alone. */
  modules: modulePathsSchema,
  /** What is known of the user's saver, for the backend custom. */
  custom_saver: ownSaverSchema.optional(),
});
export type ScenarioRequest = z.infer<typeof scenarioRequestSchema>;

export const scenarioReportSchema = reportBase.extend({
  role: z.enum(['write', 'read']),
  backends: z.array(
    z.object({
      backend: z.enum(ALL_BACKENDS),
      cells: z.array(z.object({ cell: cellSchema.nullable(), comparisons: z.int().nonnegative() })),
      findings: z.array(findingSchema),
    }),
  ),
});
export type ScenarioReport = z.infer<typeof scenarioReportSchema>;

/** Identity of a scenario's run: `fan-out/s1`, `linear/s1/drops-last-write`, `send/s1/ordered`. */
export function scenarioKey({
  scenario,
  seed,
  liar,
  wrapper,
}: Pick<ScenarioRequest, 'scenario' | 'seed' | 'liar' | 'wrapper'>): string {
  return [scenario, `s${seed}`, ...[liar, wrapper].filter((name) => name !== null)].join('/');
}

export function scenarioTask(request: ScenarioRequest): Task<ScenarioReport> {
  return {
    request,
    caseKey: scenarioKey(request),
    role: request.role,
    reportSchema: scenarioReportSchema,
  };
}
