// What the ledger says of a defect in released packages, and when it explains a finding: only exactly there, so that a
// second defect does not hide behind it. Pure.

import { satisfies } from 'semver';
import type { Backend, Mode } from './names.js';
import type { Cell, Reducer } from './scenario-cell.js';
import type { Finding, Witness } from './scenario-row.js';
import type { ScenarioName } from './scenarios.js';
import type { WrapperName } from './wrappers.js';

/** Where a defect shows. Whatever is absent is not asked for. */
export interface Sighting {
  readonly scenarios: readonly ScenarioName[];
  readonly backends: readonly Backend[];
  /** As those of the defect; beside them. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly modes?: readonly Mode[];
  /** Cadences from this one on. */
  readonly fromFrequency?: number;
  readonly reducers?: readonly Reducer[];
  readonly witnesses?: readonly Witness[];
  /** What stands before the saver, null for nothing. */
  readonly wrappers?: readonly (WrapperName | null)[];
  /** The name of the step, or a pattern of the whole name. */
  readonly steps?: string | RegExp;
  /** The whole signature, or a pattern of it. */
  readonly signature: string | RegExp;
}

export interface KnownDefect {
  /** Its number in the ledger. */
  readonly id: `L${number}`;
  readonly what: string;
  /** Versions that have it, by package, as semver ranges; all of them must be installed. */
  readonly packages: Readonly<Record<string, string>>;
  readonly sightings: readonly Sighting[];
  /** Where it is told upstream; null where nothing was found. */
  readonly upstream: string | null;
  /** What a user can do. */
  readonly advice: string;
}

/** Where a finding was made. */
export interface Place {
  readonly scenario: ScenarioName;
  readonly backend: Backend;
  readonly wrapper: WrapperName | null;
}

/** Whether the installed packages are those that have a defect, or have it in that place. */
export function isInstalled(
  { packages: affected = {} }: Pick<Sighting, 'packages'>,
  packages: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(affected).every(([name, range]) => {
    const version = packages[name];
    return version !== undefined && satisfies(version, range, { includePrerelease: true });
  });
}

/** Whether one of the defect's sightings is exactly this finding. */
export function explains(
  defect: KnownDefect,
  packages: Readonly<Record<string, string>>,
  place: Place,
  finding: Finding,
): boolean {
  return defect.sightings.some(
    (sighting) =>
      isInstalled(sighting, packages) &&
      isAt(sighting, place, finding.cell) &&
      (sighting.witnesses?.includes(finding.witness) ?? true) &&
      (sighting.steps === undefined || isWhole(sighting.steps, finding.step)) &&
      isWhole(sighting.signature, finding.signature),
  );
}

/** The first defect of the installed packages that explains the finding; null: it is new. */
export function knownDefect(
  ledger: readonly KnownDefect[],
  packages: Readonly<Record<string, string>>,
  place: Place,
  finding: Finding,
): KnownDefect['id'] | null {
  return (
    ledger.find((defect) => isInstalled(defect, packages) && explains(defect, packages, place, finding))
      ?.id ?? null
  );
}

/** Whether the defect is to be looked for in this cell. */
export function isAt(sighting: Sighting, { scenario, backend, wrapper }: Place, cell: Cell | null): boolean {
  return (
    sighting.scenarios.includes(scenario) &&
    sighting.backends.includes(backend) &&
    (sighting.wrappers?.includes(wrapper) ?? true) &&
    (cell === null ||
      ((sighting.modes?.includes(cell.mode) ?? true) &&
        (sighting.reducers?.includes(cell.reducer) ?? true) &&
        (sighting.fromFrequency === undefined || (cell.snapshot_frequency ?? 0) >= sighting.fromFrequency)))
  );
}

function isWhole(pattern: string | RegExp, text: string): boolean {
  if (typeof pattern === 'string') return pattern === text;
  return new RegExp(`^(?:${pattern.source})$`, pattern.flags).test(text);
}
