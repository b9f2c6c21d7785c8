// The record of one scenario on one backend, one line of the journal: what was found, cell by cell. Whether a finding
// is a known defect is not in it; that is decided when rows are read, since the ledger grows.

import { z } from 'zod';
import { LIAR_NAMES } from './liars.js';
import { ALL_BACKENDS } from './names.js';
import { ownGraphSchema, ownSaverSchema } from './own-modules.js';
import { failureSchema } from './row-parts.js';
import { provenanceSchema } from './provenance.js';
import { cellSchema } from './scenario-cell.js';
import { SCENARIO_KINDS } from './scenario-facts.js';
import { SCENARIO_NAMES } from './scenarios.js';
import { WRAPPER_NAMES } from './wrappers.js';

/**
 * Who saw it. `live`: what `invoke` returned. `head`: `getState` on the graph that wrote, at once. `pinned`, `last`: on a
 * graph and a saver made anew, by checkpoint id and unpinned. `fresh_pinned`, `fresh_last`: the same from a fresh
 * process. `migration`: the live value of the full cell. `check`: a saver's method called directly. `calls`: the order in
 * which LangGraph's calls to the saver ended.
 */
export const WITNESSES = [
  'live',
  'head',
  'pinned',
  'last',
  'fresh_pinned',
  'fresh_last',
  'migration',
  'check',
  'calls',
] as const;
export type Witness = (typeof WITNESSES)[number];

/** Something that is not what it must be. */
export const findingSchema = z.object({
  /** Null for a check scenario, which has none. */
  cell: cellSchema.nullable(),
  /** The step of the scenario, or the question put to a saver. */
  step: z.string(),
  witness: z.enum(WITNESSES),
  /**
   * What differs, in a form that is the same in every run: `items: missing[a,b]`, `items: order within a superstep`,
   * `throws[...]`. The ledger knows defects by it.
   */
  signature: z.string(),
  /** What was expected and found, readable, cut. */
  expected: z.string(),
  actual: z.string(),
  /** The stored rows that prove it: ids, links, channels and sizes. */
  evidence: z.array(z.string()),
});
export type Finding = z.infer<typeof findingSchema>;

/** One scenario on one backend. */
export const scenarioRowSchema = z.object({
  kind: z.literal('scenario'),
  schema_version: z.int().positive(),
  scenario: z.enum(SCENARIO_NAMES),
  scenario_kind: z.enum(SCENARIO_KINDS),
  backend: z.enum(ALL_BACKENDS),
  /** The user's saver where the backend is `custom`, and the user's graph where the scenario is about one. */
  custom_saver: ownSaverSchema.optional(),
  custom_graph: ownGraphSchema.optional(),
  seed: z.int().nonnegative(),
  /** Whether it was to be read again in a fresh process. */
  fresh_process: z.boolean(),
  /** The saver that lies on purpose; null for the one under test. */
  liar: z.enum(LIAR_NAMES).nullable(),
  /** How many histories were generated, or how often the writer of a cell was to be killed; null for other kinds. */
  repeats: z.int().positive().nullable(),
  /** What stood before the saver of the backend; null: nothing. */
  wrapper: z.enum(WRAPPER_NAMES).nullable(),
  provenance: provenanceSchema,
  /** UTC, ISO 8601. */
  started_at: z.string(),
  /** Wall time of the children of the scenario, which all its backends share. */
  elapsed_ms: z.number().nonnegative(),
  /** The cells that ran, and how many comparisons each made; a cell that compared nothing proves nothing. */
  cells: z.array(z.object({ cell: cellSchema.nullable(), comparisons: z.int().nonnegative() })),
  findings: z.array(findingSchema),
  /** A child that ended before it reported: nothing is decided. Null otherwise. */
  failure: failureSchema.nullable(),
});
export type ScenarioRow = z.infer<typeof scenarioRowSchema>;
