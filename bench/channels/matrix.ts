// The plan of `deltaproof channels`: options to an ordered list of cases with what each is expected to cost, and the
// cells that are too large to run. Pure; dry run, resume and run share it.

import {
  BACKEND_CAPABILITIES,
  capabilitiesOf,
  type Backend,
  type Mode,
  type PayloadEntropy,
  type Workload,
} from '../../harness/record/names.js';
import { usageError } from '../../harness/record/errors.js';
import { cellKey, historyCacheOf, type ChannelsCase, type DeltaSetting } from '../../harness/record/case.js';
import { expectedBlobBytes, expectedInlineBytes } from '../../harness/record/expected-bytes.js';
import { expectedCaseMs } from '../../harness/record/expected-time.js';
import { threadShape } from '../../harness/record/workload-shape.js';
import {
  casesPerRepetition,
  fullCase,
  inOrder,
  MAX_CASES,
  type CellAxes,
  type Plan,
  type PlannedCase,
} from '../../harness/record/plan.js';
import type { OwnGraph, OwnSaver } from '../../harness/record/own-modules.js';
import { READERS_PER_CASE, READ_SAMPLES } from '../../harness/record/sampling.js';

/** Head reads of a writer child: warm, graph rebuilt, database reopened, each after one that does not count. */
const TIMED_HEAD_READS = 3 * (READ_SAMPLES + 1);
/** A write-ahead log that is checkpointed every 1000 pages stays near this size. */
const WAL_BYTES = 4 << 20;
/** A new Postgres cluster with its log, and half of it again while it writes. */
const SERVER_BYTES = 64 << 20;
/** The saver's own, and the floor's beside it. */
const STORES_PER_CASE = 2;

export interface MatrixOptions extends CellAxes {
  readonly backends: readonly Backend[];
  readonly workloads: readonly Workload[];
  /** Node counts of the `pipeline` workload; other workloads have no such axis. */
  readonly pipelineNodes: readonly number[];
  readonly updates: readonly number[];
  readonly payloadBytes: readonly number[];
  readonly payloadEntropy: PayloadEntropy;
  readonly seed: number;
  /** For the backend custom; null where there is none. */
  readonly ownSaver: OwnSaver | null;
  /** For the workload custom; null where there is none. */
  readonly ownGraph: OwnGraph | null;
  /** Cells whose full mode is expected to hold more are skipped whole; null runs everything. */
  readonly maxEstimatedFullBytes: number | null;
}

/** Everything about a case that its cell shares. */
type Cell = Omit<ChannelsCase, 'mode' | keyof DeltaSetting | 'repetition'>;

/** Builds the plan, in the order of {@link inOrder}. */
export function buildPlan(options: MatrixOptions): Plan<ChannelsCase> {
  const count = plannedCases(options);
  if (count > MAX_CASES) {
    throw usageError(`The plan has ${count} cases, more than ${MAX_CASES}; run it in parts.`);
  }
  const cells = allCells(options);
  const kept = cells.filter((cell) => !isTooLarge(cell, options));
  const skipped = cells
    .filter((cell) => isTooLarge(cell, options))
    .map((cell) => ({
      cell: cellKey(fullCase(cell, asCase)),
      cases: options.repetitions * casesPerRepetition(cell.backend, options),
      estimatedFullBytes: Math.round(fullBytes(cell)),
    }));
  return { cases: inOrder(kept, options, asCase).map(planned), skipped };
}

/** How many cases the axes make, before any is made. */
function plannedCases(options: MatrixOptions): number {
  const workloads = options.workloads.reduce(
    (count, workload) => count + (workload === 'pipeline' ? options.pipelineNodes.length : 1),
    0,
  );
  const settings = options.backends.reduce(
    (count, backend) => count + casesPerRepetition(backend, options),
    0,
  );
  return workloads * options.updates.length * options.payloadBytes.length * options.repetitions * settings;
}

function allCells(options: MatrixOptions): Cell[] {
  return options.workloads.flatMap((workload) =>
    (workload === 'pipeline' ? options.pipelineNodes : [null]).flatMap((pipelineNodes) =>
      options.backends.flatMap((backend) =>
        options.updates.flatMap((updates) =>
          options.payloadBytes.map((payload): Cell => ({
            bench: 'channels',
            workload,
            pipeline_nodes: pipelineNodes,
            backend,
            ...(backend === 'custom' && options.ownSaver !== null ? { custom_saver: options.ownSaver } : {}),
            ...(workload === 'custom' && options.ownGraph !== null ? { custom_graph: options.ownGraph } : {}),
            updates,
            payload_bytes: payload,
            payload_entropy: options.payloadEntropy,
            seed: options.seed,
          })),
        ),
      ),
    ),
  );
}

/** The guard protects against full mode's square growth; a run of delta alone is meant as a diagnosis and passes. */
function isTooLarge(cell: Cell, { modes, maxEstimatedFullBytes }: MatrixOptions): boolean {
  return maxEstimatedFullBytes !== null && modes.includes('full') && fullBytes(cell) > maxEstimatedFullBytes;
}

function fullBytes(cell: Cell): number {
  return expectedTotalBytes(fullCase(cell, asCase));
}

/** Of a saver of one's own nothing is known: the larger of the two. */
function expectedTotalBytes(c: ChannelsCase): number {
  const expected = BACKEND_CAPABILITIES[c.backend].server ? expectedBlobBytes : expectedInlineBytes;
  return expected(threadShape(c)).total;
}

function planned(c: ChannelsCase): PlannedCase<ChannelsCase> {
  const { persistent, server } = capabilitiesOf(c);
  return {
    case: c,
    expectedMs: Math.round(
      expectedCaseMs(threadShape(c), persistent ? READERS_PER_CASE : 0, TIMED_HEAD_READS, {
        isOnServer: server,
        walksAll: historyCacheOf(c) === 'off',
      }),
    ),
    expectedDiskBytes: persistent
      ? STORES_PER_CASE * (Math.round(expectedTotalBytes(c)) + (server ? SERVER_BYTES : WAL_BYTES))
      : 0,
  };
}

function asCase(cell: Cell, mode: Mode, setting: DeltaSetting, repetition: number): ChannelsCase {
  return { ...cell, mode, ...setting, repetition };
}
