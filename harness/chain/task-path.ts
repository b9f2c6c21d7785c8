// The path of the task behind a stored write, recovered from its task id. Savers that store no path keep the id, which
// is a hash of where the task stood in its superstep; trying the places where it can have stood gives the path. Pure.

import { v5 } from 'uuid';

/** What stored rows tell of the superstep whose tasks wrote on a checkpoint. */
export interface Superstep {
  readonly namespace: string;
  readonly checkpointId: string;
  readonly parentId: string | null;
  /** `metadata.step` of the checkpoint; its tasks belong to the next one. */
  readonly step: number;
  /** Channels that have a version in the checkpoint, and in its children where they are known. */
  readonly channels: readonly string[];
  /** Nodes in `versions_seen` of the checkpoint, and of its children where they are known. */
  readonly nodes: readonly string[];
  /** The nodes that the checkpoint's pending `Send`s name, in their order. */
  readonly sends: readonly string[];
  /** `metadata.source` of the checkpoint, and of its child where that is known. */
  readonly source: string;
  readonly childSource: string | null;
}

/** Names and numbers, nested as LangGraph nests them. */
type Path = readonly (string | number | boolean | Path)[];

/** Where a task can have stood. */
interface Place {
  readonly id: string;
  /** Of the node or the function, in its namespace. Empty for what none of these wrote. */
  readonly within: string;
  /** Null for input, which has none. */
  readonly path: Path | null;
}

/** The id of no task, under which `Command` updates are stored. */
export const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';
/** The first group of an id and its dash. */
const CUT_CHARACTERS = 9;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const INPUT = '__input__';
const INTERRUPT = '__interrupt__';
const PULL = '__pregel_pull';
const PUSH = '__pregel_push';

/** Updates of one `updateState`, and calls of one task, are numbered; at least so many are tried. */
const NUMBERS_TRIED = 64;

export interface RecoveryOptions {
  /** Whether the first group of an id is not its own: the other 96 bits decide then. */
  readonly isCut?: (taskId: string) => boolean;
  /** Also functions that tasks call, which are many to try and write nothing but what they return. */
  readonly withCalls?: boolean;
}

/**
 * Paths by task id, in the text that LangGraph passes to `putWrites` as `taskPath`; empty for input. Ids that no place
 * explains are left out.
 *
 * An id is uuid5, under the checkpoint's id, of the JSON of `[within, step, node, PULL, [trigger]]` for a node,
 * `[within, step, node, PUSH, index]` for a `Send`, `[within, step, name, PUSH, path of the caller, number]` for a
 * function that a task calls, `[within, step, node, PUSH, "node_error_handler", id of the failed task]` for its error
 * handler; of `__input__` for input, and of `__interrupt__` and a number for `updateState`. `within` is the namespace of
 * the graph, for the latter two kinds that of the caller or the failed task, and the name. Where `updateState` copies a
 * checkpoint with updates these have the ids of the tasks that they stand for and are applied as they are listed, which
 * nothing stored tells: they are left out. Source: langgraph 1.7.3, `pregel/algo` and `pregel/index`.
 */
export function recoverTaskPaths(
  superstep: Superstep,
  taskIds: Iterable<string>,
  { isCut = () => false, withCalls = true }: RecoveryOptions = {},
): Map<string, string> {
  const open = new Set(taskIds);
  // Of one task there can be its own id and a cut one.
  const byRest = new Map<string, string[]>();
  for (const id of open) byRest.set(restOf(id), [...(byRest.get(restOf(id)) ?? []), id]);
  const found = new Map<string, Place>();
  const paths = new Map<string, string>();
  if (!UUID.test(superstep.checkpointId)) return paths;
  const numbers = Array.from({ length: Math.max(NUMBERS_TRIED, open.size) }, (_, index) => index);
  for (const place of placesOf(superstep, { found, numbers, withCalls })) {
    if (open.size === 0) break;
    const matching = byRest.get(restOf(place.id))?.filter((id) => id === place.id || isCut(id)) ?? [];
    for (const id of matching.filter((one) => open.delete(one))) {
      found.set(place.id, place);
      paths.set(id, place.path === null ? '' : pathText(place.path));
    }
  }
  return paths;
}

function restOf(id: string): string {
  return id.slice(CUT_CHARACTERS);
}

interface Search {
  /** By id; grows meanwhile. */
  readonly found: ReadonlyMap<string, Place>;
  readonly numbers: readonly number[];
  readonly withCalls: boolean;
}

/** The likely places first. What tasks began is looked for behind those that are known by then. */
function* placesOf(superstep: Superstep, { found, numbers, withCalls }: Search): Generator<Place> {
  const { checkpointId, parentId, channels, source, childSource } = superstep;
  yield { id: NULL_TASK_ID, within: '', path: null };
  yield { id: idUnder(checkpointId, INPUT), within: '', path: null };
  yield updatePlace(checkpointId, 0);
  if (source === 'fork' && childSource === 'update') return;
  yield* likelyPlaces(superstep);
  for (const number of numbers.slice(1)) yield updatePlace(checkpointId, number);
  const nodes = [...new Set([...superstep.nodes, ...channels.flatMap(nodesOfTrigger), ...superstep.sends])];
  for (const node of nodes) {
    for (const channel of channels) yield nodePlace(superstep, node, channel);
  }
  for (const failed of found.values()) yield* handlerPlaces(superstep, nodes, failed);
  // updateState puts the Sends of a node on the checkpoint that it makes, under ids of the one before.
  if (parentId !== null && UUID.test(parentId)) {
    for (const number of numbers) yield { ...updatePlace(parentId, number), path: null };
  }
  if (!withCalls) return;
  // Of a task that was stopped nothing need be stored. What is found on the way calls in its turn.
  for (const caller of likelyPlaces(superstep))
    if (!found.has(caller.id)) yield* callPlaces(superstep, nodes, numbers, caller);
  for (const caller of found.values()) yield* callPlaces(superstep, nodes, numbers, caller);
}

/** Nodes that a channel names which triggers them, and Sends. */
function* likelyPlaces(superstep: Superstep): Generator<Place> {
  for (const channel of superstep.channels) {
    for (const node of nodesOfTrigger(channel)) yield nodePlace(superstep, node, channel);
  }
  for (const [index, node] of superstep.sends.entries()) yield sendPlace(superstep, node, index);
}

function updatePlace(checkpointId: string, number: number): Place {
  const text = number === 0 ? INTERRUPT : `${INTERRUPT}:${number}`;
  return { id: idUnder(checkpointId, text), within: '', path: [INTERRUPT, number] };
}

function nodePlace(superstep: Superstep, name: string, trigger: string): Place {
  return placeOf(superstep, name, [PULL, name], PULL, [trigger]);
}

function sendPlace(superstep: Superstep, name: string, index: number): Place {
  return placeOf(superstep, name, [PUSH, index, false], PUSH, String(index));
}

function* handlerPlaces(superstep: Superstep, nodes: readonly string[], failed: Place): Generator<Place> {
  if (failed.path === null) return;
  const begun = begunBy(superstep, failed);
  const made = nodes.map((node) => `__error_handler__${node}`);
  for (const name of [...made, '__default_error_handler__', ...nodes]) {
    const path = [...failed.path.slice(0, 3), 'node_error_handler', false];
    yield placeOf(begun, name, path, PUSH, 'node_error_handler', failed.id);
  }
}

function* callPlaces(
  superstep: Superstep,
  names: readonly string[],
  numbers: readonly number[],
  caller: Place,
): Generator<Place> {
  if (caller.path === null) return;
  const begun = begunBy(superstep, caller);
  for (const name of names) {
    for (const number of numbers) {
      yield placeOf(begun, name, [PUSH, caller.path, number, true], PUSH, caller.path, number);
    }
  }
}

/** What a task begins is in a namespace of its own, with the checkpoint of the superstep. */
function begunBy(superstep: Superstep, { within, id }: Place): Superstep {
  return { ...superstep, namespace: `${within}:${id}` };
}

/** @param rest what stands behind the name in the text that is hashed. */
function placeOf(
  { namespace, step, checkpointId }: Superstep,
  name: string,
  path: Path,
  ...rest: Path
): Place {
  const within = namespace === '' ? name : `${namespace}|${name}`;
  const text = JSON.stringify([within, String(step + 1), name, ...rest]);
  return { id: idUnder(checkpointId, text), within, path };
}

/** LangGraph looks at the bytes of a checkpoint's id alone: not all of its ids are UUIDs by their version and variant. */
function idUnder(checkpointId: string, name: string): string {
  if (last.checkpointId !== checkpointId) {
    last = { checkpointId, bytes: Buffer.from(checkpointId.replaceAll('-', ''), 'hex') };
  }
  return v5(name, last.bytes);
}

/** Most ids of a superstep are hashed under one checkpoint. */
let last = { checkpointId: '', bytes: Buffer.alloc(0) };

/** `branch:to:<node>` and `join:<node>+<node>:<node>` end in the node that they trigger; names hold no colon. */
function nodesOfTrigger(channel: string): string[] {
  if (channel === '__start__') return [channel];
  const [, node] = /^(?:branch|join):.*:([^:]+)$/s.exec(channel) ?? [];
  return node === undefined ? [] : [node];
}

/** LangGraph's text of a path: a tilde before each list, numbers to ten digits. */
function pathText(path: Path): string {
  const texts = path.map((part) => {
    if (typeof part === 'object') return pathText(part);
    return typeof part === 'string' ? part : String(Number(part)).padStart(10, '0');
  });
  return `~${texts.join(', ')}`;
}
