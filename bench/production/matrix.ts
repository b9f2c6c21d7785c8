// The plan of `deltaproof production`: options to an ordered list of cases with what each is expected to cost, and the cells
// that are too large to run. Pure; dry run, resume and run share it.

import { expectedAgentBytes, expectedAgentMs } from '../../harness/record/agent-shape.js';
import { cellKey, type DeltaSetting, type ProductionCase } from '../../harness/record/case.js';
import { usageError } from '../../harness/record/errors.js';
import {
  BACKEND_CAPABILITIES,
  type AgentWorkloadName,
  type Backend,
  type Mode,
  type PayloadEntropy,
  type Transport,
} from '../../harness/record/names.js';
import {
  casesPerRepetition,
  fullCase,
  inOrder,
  MAX_CASES,
  type CellAxes,
  type Plan,
  type PlannedCase,
} from '../../harness/record/plan.js';

export interface ServiceMatrixOptions extends CellAxes {
  readonly backends: readonly Backend[];
  readonly workloads: readonly AgentWorkloadName[];
  readonly turns: readonly number[];
  readonly payloadBytes: readonly number[];
  readonly payloadEntropy: PayloadEntropy;
  readonly durationCheckpoints: boolean;
  readonly transport: Transport;
  /** Ascending, without repeats. */
  readonly historyLimits: readonly number[];
  readonly readRepetitions: number;
  readonly assistants: number;
  readonly accessorGraphMax: number;
  /** Readers at a fixed rate; null for none. */
  readonly load: NonNullable<ProductionCase['load']> | null;
  readonly seed: number;
  /** Cells whose full mode is expected to hold more are skipped whole; null runs everything. */
  readonly maxEstimatedFullBytes: number | null;
}

/** A write-ahead log or a new cluster, beside what is stored. */
const OVERHEAD_BYTES = 64 << 20;

/** Everything about a case that its cell shares. */
type Cell = Omit<ProductionCase, 'mode' | keyof DeltaSetting | 'repetition'>;

/** Builds the plan, in the order of {@link inOrder}. */
export function buildServicePlan(options: ServiceMatrixOptions): Plan<ProductionCase> {
  const cells = allCells(options);
  const count = cells.reduce(
    (sum, { backend }) => sum + options.repetitions * casesPerRepetition(backend, options),
    0,
  );
  if (count > MAX_CASES) {
    throw usageError(`The plan has ${count} cases, more than ${MAX_CASES}; run it in parts.`);
  }
  const skipped = cells
    .filter((cell) => isTooLarge(cell, options))
    .map((cell) => ({
      cell: cellKey(fullCase(cell, asCase)),
      cases: options.repetitions * casesPerRepetition(cell.backend, options),
      estimatedFullBytes: Math.round(expectedAgentBytes(fullCase(cell, asCase))),
    }));
  const kept = cells.filter((cell) => !isTooLarge(cell, options));
  return { cases: inOrder(kept, options, asCase).map(planned), skipped };
}

function allCells(options: ServiceMatrixOptions): Cell[] {
  return options.workloads.flatMap((workload) =>
    options.backends.flatMap((backend) =>
      options.turns.flatMap((turns) =>
        options.payloadBytes.map((payload): Cell => ({
          bench: 'production',
          workload,
          backend,
          updates: turns,
          payload_bytes: payload,
          payload_entropy: options.payloadEntropy,
          duration_checkpoints: options.durationCheckpoints,
          transport: options.transport,
          history_limits: [...options.historyLimits],
          read_repetitions: options.readRepetitions,
          assistants: options.assistants,
          accessor_graph_max: options.accessorGraphMax,
          ...(options.load === null ? {} : { load: options.load }),
          seed: options.seed,
        })),
      ),
    ),
  );
}

/** The guard protects against full mode's square growth; a run of delta alone is meant as a diagnosis and passes. */
function isTooLarge(cell: Cell, { modes, maxEstimatedFullBytes }: ServiceMatrixOptions): boolean {
  return (
    maxEstimatedFullBytes !== null &&
    modes.includes('full') &&
    expectedAgentBytes(fullCase(cell, asCase)) > maxEstimatedFullBytes
  );
}

function planned(c: ProductionCase): PlannedCase<ProductionCase> {
  return {
    case: c,
    expectedMs: Math.round(expectedAgentMs(c)),
    expectedDiskBytes: BACKEND_CAPABILITIES[c.backend].persistent
      ? Math.round(expectedAgentBytes(c)) + OVERHEAD_BYTES
      : 0,
  };
}

function asCase(cell: Cell, mode: Mode, setting: DeltaSetting, repetition: number): ProductionCase {
  return { ...cell, mode, ...setting, repetition };
}
