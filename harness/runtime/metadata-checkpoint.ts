// A checkpoint of the state as it is that carries metadata of the service's own, such as how long a run took. LangGraph
// writes it, so parents, versions and counters are those of any update.

import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import type { Config } from '../savers/call-types.js';
import { DelegatingSaver, type PutArguments } from '../savers/delegating.js';
import { CheckpointNotFoundError, PendingWritesError } from './errors.js';
import type { GuardedSaver } from './guarded-saver.js';
import { configAt, placeOf } from './place.js';
import type { RuntimeGraph } from './runtime-graph.js';
import { mutationGraph } from './state-mutation.js';

/** Metadata of a service: JSON, by names that LangGraph does not use. */
export type ServiceMetadata = Readonly<Record<string, unknown>>;

/**
 * Appends a checkpoint to the head of a thread: the same state, nothing due that was not due, `metadata` beside LangGraph's own
 * fields, which win.
 *
 * @returns the config of the new checkpoint.
 * @throws CheckpointNotFoundError where the thread has no checkpoint; PendingWritesError where its head has writes of tasks that
 *   did not end together, which a checkpoint after it would lose.
 */
export async function appendMetadata(
  graph: RuntimeGraph,
  saver: GuardedSaver,
  config: Config,
  metadata: ServiceMetadata,
): Promise<Config> {
  const place = { ...placeOf(config), checkpointId: null };
  const head = await saver.getTuple(configAt(place));
  if (head === undefined) throw new CheckpointNotFoundError(place);
  if ((head.pendingWrites ?? []).length > 0) throw new PendingWritesError(place);
  // Metadata of a config does not reach what updateState stores.
  const noting = new NotingSaver(saver, metadata);
  return mutationGraph(graph, noting).updateState(configAt(place), null);
}

class NotingSaver extends DelegatingSaver {
  readonly #noted: ServiceMetadata;

  constructor(inner: GuardedSaver, noted: ServiceMetadata) {
    super(inner);
    this.#noted = noted;
  }

  override put(...[config, checkpoint, metadata, newVersions]: PutArguments): Promise<Config> {
    const both: CheckpointMetadata = { ...this.#noted, ...metadata };
    return super.put(config, checkpoint, both, newVersions);
  }
}
