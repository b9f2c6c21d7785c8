// The order in which the writes of a superstep were applied, from what a store keeps of them, and where that cannot be
// told. Pure.

import { NULL_TASK_ID, recoverTaskPaths, type Superstep } from './task-path.js';

/** What ordering needs of a write. */
export interface PlacedWrite {
  readonly taskId: string;
  readonly channel: string;
}

export interface AppliedOrder<Write> {
  /** All of them. Tasks whose order cannot be told come after the others of their superstep, by id. */
  readonly writes: readonly Write[];
  /** By channel the ids of the tasks that wrote it in an order that cannot be told; empty for most supersteps. */
  readonly notProvable: ReadonlyMap<string, readonly string[]>;
}

interface Task<Write> {
  readonly id: string;
  readonly writes: Write[];
  /** What was applied together: 0 input, 1 the superstep itself, more: later ones of a run that was stored at its end. */
  readonly group: number;
  /** Null: anywhere in its group. */
  readonly path: string | null;
}

/**
 * Orders by the path of the task, then as given: within a task the writes must come by `idx`.
 *
 * LangGraph applies a superstep by task path, compared by code point. With `durability: exit` all supersteps of a run
 * write on the checkpoint that the run began with, under placeholder ids: eight decimal digits of the step in the first
 * superstep, `ffffffff` and the step in two groups of hex digits in later ones, then what is left of the id. The step
 * orders the supersteps; the id was hashed under a checkpoint that is not stored unless the run was a resumed one, so
 * parallel tasks cannot be told apart. Source: langgraph 1.7.3, `channels/base` and `pregel/loop`.
 */
export function appliedOrder<Write extends PlacedWrite>(
  superstep: Superstep,
  given: readonly Write[],
): AppliedOrder<Write> {
  const writesOf = new Map<string, Write[]>();
  for (const write of given) {
    const writes = writesOf.get(write.taskId);
    if (writes === undefined) writesOf.set(write.taskId, [write]);
    else writes.push(write);
  }
  if (writesOf.size < 2) return { writes: given, notProvable: new Map() };
  const tasks = placed(superstep, writesOf);
  const ordered = tasks.toSorted(
    (a, b) => a.group - b.group || comparePaths(a.path, b.path) || compareTexts(a.id, b.id),
  );
  return { writes: ordered.flatMap(({ writes }) => writes), notProvable: notProvableChannels(tasks) };
}

function placed<Write extends PlacedWrite>(
  superstep: Superstep,
  writesOf: ReadonlyMap<string, Write[]>,
): Task<Write>[] {
  const { step } = superstep;
  const lateStep = (id: string) => latePlaceholderStep(id, step);
  // A run that began with an input hashed its ids under the checkpoint of that input, which it did not store.
  const isLost = (id: string) => lateStep(id) !== null || firstPlaceholderStep(id) === step + 2;
  // The place of a failed task is needed for that of its error handler.
  const isSought = (id: string, writes: Write[]) =>
    id === NULL_TASK_ID || writes.some((write) => isOfChannel(write) || write.channel === '__error__');
  const sought = [...writesOf].filter(([id, writes]) => !isLost(id) && isSought(id, writes));
  const isCut = (id: string) => firstPlaceholderStep(id) === step + 1;
  const paths = recoverTaskPaths(
    superstep,
    sought.map(([id]) => id),
    { isCut, withCalls: false },
  );
  return [...writesOf].map(([id, writes]): Task<Write> => {
    const path = paths.get(id) ?? null;
    const isInput = path === '' || (isCut(id) && NO_TASK.test(id));
    const late = lateStep(id);
    if (isInput) return { id, writes, group: 0, path: '' };
    return { id, writes, group: late === null ? 1 : 1 + late - step, path };
  });
}

/** What tasks write that is no value of a channel. */
const NO_CHANNELS: ReadonlySet<string> = new Set([
  '__error__',
  '__error_source_node__',
  '__interrupt__',
  '__no_writes__',
  '__pregel_push',
  '__resume__',
  '__return__',
  '__scheduled__',
]);

function isOfChannel({ channel }: PlacedWrite): boolean {
  return !NO_CHANNELS.has(channel);
}

/** An id of no task but the step in front of it. */
const NO_TASK = /-0000-0000-0000-00000000000[01]$/;

/** Its input, or its first superstep where it resumed, are the step after that of the checkpoint. */
function firstPlaceholderStep(id: string): number | null {
  const [, digits] = /^(\d{8})-/.exec(id) ?? [];
  return digits === undefined ? null : Number(digits);
}

function latePlaceholderStep(id: string, step: number): number | null {
  const [, high = '', low = ''] = /^ffffffff-([0-9a-f]{4})-([0-9a-f]{4})-/.exec(id) ?? [];
  const late = Number.parseInt(high + low, 16);
  return late > step ? late : null;
}

/** Known ones first. */
function comparePaths(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareTexts(a, b);
}

/** By code point, as LangGraph compares: the order of UTF-8 bytes. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Channels that several tasks of a superstep wrote, one of them at a path that is not known. */
function notProvableChannels(tasks: readonly Task<PlacedWrite>[]): Map<string, readonly string[]> {
  const channels = new Map<string, readonly string[]>();
  for (const group of new Set(tasks.map((task) => task.group))) {
    const together = tasks.filter((task) => task.group === group);
    const unknown = together.filter(({ path }) => path === null).flatMap(({ writes }) => writes);
    for (const channel of new Set(unknown.filter(isOfChannel).map((write) => write.channel))) {
      const ids = together
        .filter(({ writes }) => writes.some((write) => write.channel === channel))
        .map(({ id }) => id);
      if (ids.length > 1) channels.set(channel, [...(channels.get(channel) ?? []), ...ids]);
    }
  }
  return channels;
}
