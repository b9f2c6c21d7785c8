// When two bodies of the state and history routes are the same: what differs between any two runs, or between full and delta
// by design, is taken out by a closed list, and everything else counts.

import { canonicalJson } from './canonical.js';
import { sha256Hex } from './digest.js';

/**
 * Metadata that a body does not count by: how delta mode marks and counts its checkpoints. A mark of this project's runtime,
 * and LangGraph's own two.
 */
const DELTA_METADATA = ['deltaproof_channel_mode', 'counters_since_delta_snapshot', 'delta_writes_versioned'];

/** Digest of a body: lower-case hex sha256 over the canonical JSON (RFC 8785) of its {@link wireForm}. */
export function digestWire(body: unknown): string {
  return sha256Hex(canonicalJson(wireForm(body)));
}

/**
 * A parsed body, one state or a list of them, in the form that is compared:
 *
 * - ids of checkpoints, in `checkpoint` and `parent_checkpoint`, become `checkpoint-1`, `checkpoint-2`, ... in the order in which they
 *   first come; ids of tasks become `task-1` and so on;
 * - `created_at` goes, and so do the values of `run_durations`, whose keys stay;
 * - the mode marker and the delta counters go from the metadata.
 *
 * Values, next, tasks, every other metadata, the order and the number of entries stay. What is no state passes as it is.
 */
export function wireForm(body: unknown): unknown {
  const names = new Ordinals();
  return Array.isArray(body) ? body.map((state) => stateForm(state, names)) : stateForm(body, names);
}

/** Names by first appearance. */
class Ordinals {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  of(kind: 'checkpoint' | 'task', id: unknown): unknown {
    if (typeof id !== 'string') return id;
    const key = `${kind}/${id}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#names.set(key, `${kind}-${count}`);
    return `${kind}-${count}`;
  }
}

function stateForm(state: unknown, names: Ordinals): unknown {
  if (!isRecord(state)) return state;
  const { created_at: _, ...rest } = state;
  const { checkpoint, parent_checkpoint, tasks, metadata } = rest;
  // In this order, whatever the order of the fields.
  const place = checkpointForm(checkpoint, names);
  const parent = checkpointForm(parent_checkpoint, names);
  return {
    ...rest,
    ...('checkpoint' in rest ? { checkpoint: place } : {}),
    ...('parent_checkpoint' in rest ? { parent_checkpoint: parent } : {}),
    ...('tasks' in rest ? { tasks: tasksForm(tasks, names) } : {}),
    ...('metadata' in rest ? { metadata: metadataForm(metadata) } : {}),
  };
}

function checkpointForm(checkpoint: unknown, names: Ordinals): unknown {
  if (!isRecord(checkpoint)) return checkpoint;
  return { ...checkpoint, checkpoint_id: names.of('checkpoint', checkpoint['checkpoint_id']) };
}

function tasksForm(tasks: unknown, names: Ordinals): unknown {
  if (!Array.isArray(tasks)) return tasks;
  return tasks.map((task: unknown) =>
    isRecord(task) ? { ...task, id: names.of('task', task['id']) } : task,
  );
}

function metadataForm(metadata: unknown): unknown {
  if (!isRecord(metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !DELTA_METADATA.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'run_durations' && isRecord(value) ? Object.keys(value) : value,
    ]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
