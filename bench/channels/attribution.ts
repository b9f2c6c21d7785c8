// Where the time of a thread's updates goes: the parts of each update, and what they add up to.

import type { SaverMethod } from '../../harness/record/names.js';
import { SAVER_METHODS } from '../../harness/record/names.js';
import { roundMs } from '../../harness/record/percentile.js';
import type { Attribution, ChannelsMeasurement } from '../../harness/record/channels-measurement.js';
import { mergedMs, type Span } from '../../harness/record/spans.js';
import type { MeteredCalls } from '../../harness/savers/meter.js';

/** One update, in milliseconds. `turn = saverBusy + walk + replay + gc + rest`. */
export interface UpdateCost {
  readonly turnMs: number;
  readonly byMethodMs: Readonly<Record<SaverMethod, number>>;
  /** `put` and `putWrites`, merged. */
  readonly writeBusyMs: number;
  /** Any saver call but a walk was running, and no replay. */
  readonly saverBusyMs: number;
  readonly walkMs: number;
  readonly replayMs: number;
  /** The garbage collector stopped everything while nothing that is metered was running. */
  readonly gcMs: number;
  /** Nothing of all this. */
  readonly restMs: number;
}

/**
 * Every instant of the turn goes to one part: a replay before a walk, a walk before the other calls of the saver. What the
 * meter itself did between the calls is not part of the turn.
 */
export function costOf(
  turn: Span,
  { spans, replays, looks }: MeteredCalls,
  pauses: readonly Span[],
): UpdateCost {
  const walks = [...spans.get_delta_channel_history, ...replays];
  const calls = [...spans.put, ...spans.put_writes, ...spans.get_tuple, ...spans.list, ...walks];
  const replayMs = mergedMs(replays);
  const walkAndReplayMs = mergedMs(walks);
  const allMs = mergedMs(calls);
  const allAndLooksMs = mergedMs([...calls, ...looks]);
  const looksMs = allAndLooksMs - allMs;
  const gcMs = mergedMs([...calls, ...looks, ...within(turn, pauses)]) - allAndLooksMs;
  const turnMs = turn.endMs - turn.startMs - looksMs;
  return {
    turnMs,
    byMethodMs: byMethod((method) => mergedMs(spans[method])),
    writeBusyMs: mergedMs([...spans.put, ...spans.put_writes]),
    saverBusyMs: allMs - walkAndReplayMs,
    walkMs: walkAndReplayMs - replayMs,
    replayMs,
    gcMs,
    restMs: turnMs - allMs - gcMs,
  };
}

/** The parts of the spans that are in the turn. */
function within({ startMs, endMs }: Span, spans: readonly Span[]): Span[] {
  return spans
    .map((span) => ({ startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs) }))
    .filter((span) => span.startMs < span.endMs);
}

function byMethod<T>(value: (method: SaverMethod) => T): Record<SaverMethod, T> {
  return Object.fromEntries(SAVER_METHODS.map((method) => [method, value(method)])) as Record<SaverMethod, T>;
}

/**
 * The parts of all updates together.
 *
 * @param reference the same updates on a saver that keeps references, run beside them; null where they were not: then
 *   LangGraph's own part is not told from the rest.
 * @param storageMs what their rows cost with the bare driver; `none` where there is no driver, and all that a saver does
 *   is serialization; null where it is not known.
 */
export function attribute(
  updates: readonly UpdateCost[],
  reference: readonly UpdateCost[] | null,
  storageMs: number | 'none' | null,
): Attribution {
  const sum = (costs: readonly UpdateCost[], part: (cost: UpdateCost) => number) =>
    costs.reduce((total, cost) => total + part(cost), 0);
  const turn = sum(updates, (cost) => cost.turnMs);
  const saverBusy = sum(updates, (cost) => cost.saverBusyMs);
  const walk = sum(updates, (cost) => cost.walkMs);
  const replay = sum(updates, (cost) => cost.replayMs);
  const gc = sum(updates, (cost) => cost.gcMs);
  // The reference does no work of its own: what its calls take is LangGraph's, going on while they await.
  const overlap = reference && sum(reference, (cost) => cost.saverBusyMs);
  const framework = reference && (overlap ?? 0) + sum(reference, (cost) => cost.restMs);
  const saverWork = saverBusy - (overlap ?? 0);
  const isTold = storageMs !== null && reference !== null;
  const methodMs = (method: SaverMethod) => roundMs(sum(updates, (cost) => cost.byMethodMs[method]));
  return {
    turn_ms: roundMs(turn),
    put_ms: methodMs('put'),
    put_writes_ms: methodMs('put_writes'),
    get_tuple_ms: methodMs('get_tuple'),
    list_ms: methodMs('list'),
    saver_busy_ms: roundMs(saverBusy),
    overlap_ms: overlap && roundMs(overlap),
    storage_ms: storageMs === 'none' ? null : storageMs,
    serialization_ms: isTold ? roundMs(saverWork - (storageMs === 'none' ? 0 : storageMs)) : null,
    walk_ms: roundMs(walk),
    replay_ms: roundMs(replay),
    framework_ms: framework && roundMs(framework),
    gc_ms: roundMs(gc),
    residual_ms: roundMs(turn - saverWork - walk - replay - (framework ?? 0) - gc),
  };
}

/** Calls and merged busy time by method, over many takes of a meter. */
export class CallTotals {
  readonly #totals = byMethod(() => ({ calls: 0, busy_ms: 0 }));

  add({ spans }: MeteredCalls): void {
    for (const method of SAVER_METHODS) {
      this.#totals[method].calls += spans[method].length;
      this.#totals[method].busy_ms += mergedMs(spans[method]);
    }
  }

  /** As the row has it, beside the calls that were made outside `invoke`. */
  beside(outside: CallTotals): ChannelsMeasurement['saver_calls'] {
    const rounded = ({ calls, busy_ms }: { calls: number; busy_ms: number }) => ({
      calls,
      busy_ms: roundMs(busy_ms),
    });
    return byMethod((method) => ({
      inside_invoke: rounded(this.#totals[method]),
      outside_invoke: rounded(outside.#totals[method]),
    }));
  }
}
