// Scenarios to rows to journal: runs a plan of scenarios, keeps every row the moment it exists. Blind to what is tested:
// the worker is a URL, the rows are data.

import { capabilitiesOf } from '../record/names.js';
import type { ScenarioRow } from '../record/scenario-row.js';
import type { VerifyCase } from '../record/verify-case.js';
import type { Places } from './places.js';
import { workThrough, type QueueSettings } from './queue.js';
import { runScenario, type ScenarioSettings } from './run-scenario.js';

export interface ScenarioRunSettings extends QueueSettings, Omit<ScenarioSettings, 'place' | 'signal'> {
  readonly places: Places;
  /** Takes the rows of a scenario, one for each backend. */
  readonly onRows: (c: VerifyCase, rows: readonly ScenarioRow[]) => void;
  readonly onStart?: (c: VerifyCase) => void;
}

/**
 * Runs the scenarios in order.
 *
 * @returns the rows; fewer than planned when the run was stopped, or when its database server was gone.
 * @throws what `onRows` throws, after the running children were stopped.
 */
export async function runScenarios(
  cases: readonly VerifyCase[],
  settings: ScenarioRunSettings,
): Promise<readonly ScenarioRow[]> {
  const all: ScenarioRow[] = [];
  await workThrough(cases, settings, async (c, _, signal) => {
    if (settings.places.lost !== null && needsServer(c)) return;
    settings.onStart?.(c);
    const place = settings.places.make();
    try {
      const rows = await runScenario(c, { ...settings, place, signal });
      if (rows === null) return;
      settings.onRows(c, rows);
      all.push(...rows);
    } finally {
      await settings.places.remove(place);
    }
  });
  return all;
}

function needsServer({ backends }: VerifyCase): boolean {
  return backends.some(({ backend }) => capabilitiesOf({ backend }).server);
}
