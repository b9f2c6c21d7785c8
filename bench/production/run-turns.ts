// The run phase: the turns of a thread one after the other, each timed with what the saver did for it.

import type { AgentParts } from '../../fixtures/agents/scripted-agent.js';
import type { Run } from '../../fixtures/gateway/agent-service.js';
import type { ProductionCase } from '../../harness/record/case.js';
import { DISCARDED_TURNS } from '../../harness/record/sampling.js';
import { mergedMs } from '../../harness/record/spans.js';
import { runId } from './check-bodies.js';
import { OTHER_THREAD, THREAD, type ServiceUnderTest } from './service-under-test.js';

export interface TurnCost {
  readonly turnMs: number;
  /** `put` and `putWrites`, merged. */
  readonly checkpointWriteMs: number;
  readonly walkMs: number;
  /** Ids of the checkpoints that it put. */
  readonly checkpointIds: readonly string[];
}

export interface RunTurns {
  /** Without the discarded ones. */
  readonly costs: readonly TurnCost[];
  /** What the last turn returned. */
  readonly live: unknown;
}

/** Runs the turns of the case, and one turn of the thread that reads are begun with. */
export async function runTurns(
  c: ProductionCase,
  parts: AgentParts,
  { service, meter, assistant }: ServiceUnderTest,
): Promise<RunTurns> {
  const runOf = (threadId: string, turn: number): Run => ({
    id: runId(turn),
    threadId,
    assistant,
    input: { messages: [parts.script(turn).question.message()] },
  });
  await service.run(runOf(OTHER_THREAD, 0));
  const costs: TurnCost[] = [];
  let live: unknown = null;
  for (let turn = 0; turn < c.updates; turn += 1) {
    // Between requests of a server there is a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const run = runOf(THREAD, turn);
    meter.take();
    const startMs = meter.now();
    live = await service.run(run);
    const turnMs = meter.now() - startMs;
    const { spans, checkpointIds } = meter.take();
    costs.push({
      turnMs,
      checkpointWriteMs: mergedMs([...spans.put, ...spans.put_writes]),
      walkMs: mergedMs(spans.get_delta_channel_history),
      checkpointIds,
    });
  }
  return { costs: costs.slice(DISCARDED_TURNS), live };
}
