// The plan as text and as data: what would run, in which order, and what it is expected to cost.

import type { Plan, PlannedCase } from '../../harness/record/plan.js';
import { backendName, caseKey, describeCase, historyCacheOf } from '../../harness/record/case.js';
import { capabilitiesOf } from '../../harness/record/names.js';
import { counted } from '../../summarize/phrases.js';
import { formatQuantity } from '../../summarize/quantities.js';
import { formatDuration } from './durations.js';

/** Totals of a plan. */
export interface PlanCost {
  readonly cases: number;
  /** With `jobs` cases at a time. */
  readonly expectedMs: number;
  /** The largest `jobs` stores at the same time, and all kept ones. */
  readonly peakDiskBytes: number;
  readonly slowest: PlannedCase | null;
}

export function planCost(cases: readonly PlannedCase[], jobs: number, keepStores: boolean): PlanCost {
  const diskBytes = cases.map((planned) => planned.expectedDiskBytes).toSorted((a, b) => b - a);
  const kept = keepStores ? sum(diskBytes) : 0;
  return {
    cases: cases.length,
    expectedMs: sum(cases.map((planned) => planned.expectedMs)) / jobs,
    peakDiskBytes: sum(diskBytes.slice(0, jobs)) + kept,
    slowest: cases.toSorted((a, b) => b.expectedMs - a.expectedMs)[0] ?? null,
  };
}

/** The plan for a person: one line a case, then what it costs, what was left out and what does not apply. */
export function planText(plan: Plan, cost: PlanCost): string {
  const width = String(plan.cases.length).length;
  const lines = plan.cases.map(
    (planned, index) =>
      `${String(index + 1).padStart(width)}  ${describeCase(planned.case)}  about ${formatDuration(planned.expectedMs)}`,
  );
  return [...lines, ...costLines(cost), ...planNotes(plan), ''].join('\n');
}

function costLines(cost: PlanCost): string[] {
  const slowest = cost.slowest;
  return [
    `${counted(cost.cases, 'case')}, about ${formatDuration(cost.expectedMs)}, peak disk about ${formatQuantity(cost.peakDiskBytes, 'bytes')}`,
    ...(slowest === null
      ? []
      : [`slowest: ${describeCase(slowest.case)}, about ${formatDuration(slowest.expectedMs)}`]),
  ];
}

/** What the plan leaves out and what does not apply, a sentence each. */
export function planNotes(plan: Plan): string[] {
  const skippedCases = plan.skipped.reduce((count, cell) => count + cell.cases, 0);
  const skipped = plan.skipped.map(
    (cell) =>
      `  ${cell.cell}: full mode would hold about ${formatQuantity(cell.estimatedFullBytes, 'bytes')}`,
  );
  const inProcess = new Set(
    plan.cases
      .map((planned) => planned.case)
      .filter((c) => !capabilitiesOf(c).persistent)
      .map(backendName),
  );
  return [
    ...(skipped.length === 0
      ? []
      : [
          `Skipped for their size: ${counted(skipped.length, 'cell')}, ${counted(skippedCases, 'case')} (--allow-large-cases runs them).`,
          ...skipped,
        ]),
    ...[...inProcess].map(
      (backend) =>
        `${backend}: file sizes and reads after reopening or in a fresh process are not applicable.`,
    ),
    ...historyNotes(plan),
    ...cadenceNotes(plan),
  ];
}

/** A backend beside others that have a direct walk is told to have none. */
function historyNotes({ cases }: Plan): string[] {
  const planned = cases.map(({ case: c }) => c);
  if (!planned.some((c) => historyCacheOf(c) === 'direct')) return [];
  const without = planned.filter((c) => !capabilitiesOf(c).directWalk).map(backendName);
  return [...new Set(without)].map((backend) => `${backend}: a direct walk is not applicable.`);
}

/** Where the last update leaves a delta thread decides what its head read costs. */
function cadenceNotes({ cases }: Plan): string[] {
  const delta = cases.map((planned) => planned.case).filter((c) => c.snapshot_frequency !== null);
  const pairs = (holds: (n: number, k: number) => boolean) => [
    ...new Set(
      delta
        .filter((c) => holds(c.updates, c.snapshot_frequency ?? 1))
        .map((c) => `N=${c.updates} K=${String(c.snapshot_frequency)}`),
    ),
  ];
  const cheapest = pairs((n, k) => n % k === 0 && k > 1);
  const without = pairs((n, k) => k > n);
  return [
    ...(cheapest.length === 0
      ? []
      : [`Read just after a snapshot, where a delta read is cheapest: ${cheapest.join(', ')}.`]),
    ...(without.length === 0 ? [] : [`Too short for a snapshot: ${without.join(', ')}.`]),
  ];
}

/** The plan as one JSON document. */
export function planDocument(plan: Plan, cost: PlanCost): object {
  return {
    cases: plan.cases.map((planned) => ({
      key: caseKey(planned.case),
      ...planned.case,
      expected_ms: planned.expectedMs,
      expected_disk_bytes: planned.expectedDiskBytes,
    })),
    expected_ms: Math.round(cost.expectedMs),
    peak_disk_bytes: cost.peakDiskBytes,
    slowest: cost.slowest === null ? null : caseKey(cost.slowest.case),
    skipped: plan.skipped.map((cell) => ({
      cell: cell.cell,
      cases: cell.cases,
      estimated_full_bytes: cell.estimatedFullBytes,
    })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
