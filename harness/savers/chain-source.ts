// A replay chain as a database keeps it, in plain rows: what a direct walk asks a database for. No saver is asked, so
// nothing is rebuilt or revived on the way.

/** A checkpoint of the chain, or the one that it is walked from. */
export interface ChainLink {
  readonly checkpointId: string;
  readonly parentId: string | null;
  /** `metadata.step` and `metadata.source`. */
  readonly step: number | null;
  readonly source: string | null;
  /** False for the text of an error in the place of a checkpoint that could not be serialized. */
  readonly isReadable: boolean;
  /** Of the channels that are asked for, those whose value is stored here and in no newer checkpoint of the chain. */
  readonly stores: readonly string[];
}

/** A serialized value. */
export interface TypedBytes {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A pending write of a checkpoint; within a task by `idx`. */
export interface ChainWrite {
  readonly checkpointId: string;
  readonly taskId: string;
  readonly channel: string;
  /** Null for a channel that is not asked for. */
  readonly value: TypedBytes | null;
}

/** What else a checkpoint of the chain is needed for. */
export interface ChainPayload {
  readonly checkpointId: string;
  /** By channel, for those that are asked for. */
  readonly values: ReadonlyMap<string, TypedBytes>;
  /** Channels with a version, nodes in `versions_seen`, and nodes of its `Send`s: what orders the writes of a fan-out. */
  readonly channels: readonly string[];
  readonly nodes: readonly string[];
  readonly sends: readonly string[];
}

export interface ChainPlace {
  readonly threadId: string;
  readonly namespace: string;
}

/** Three questions to a database, a statement each. */
export interface ChainSource {
  /**
   * The checkpoint and its ancestors up to where every channel has a stored value, or to the root, in any order. Ends also
   * where parents form a circle.
   *
   * @param channels at most 60.
   */
  links(place: ChainPlace, checkpointId: string, channels: readonly string[]): Promise<ChainLink[]>;
  /** All writes of these checkpoints; a checkpoint that is not there any more is told by its absence in `checkpoints`. */
  writes(
    place: ChainPlace,
    checkpointIds: readonly string[],
    channels: readonly string[],
  ): Promise<{ readonly checkpoints: ReadonlySet<string>; readonly writes: readonly ChainWrite[] }>;
  payloads(
    place: ChainPlace,
    checkpointIds: readonly string[],
    channels: readonly string[],
  ): Promise<ChainPayload[]>;
}

/** The ancestors of a checkpoint, nearest first, and where the walk broke off. */
export interface FollowedChain {
  readonly target: ChainLink | null;
  readonly ancestors: readonly ChainLink[];
  /** A parent that is named and was not found, though a channel still looks for its stored value. */
  readonly missing: string | null;
  /** Parents that lead back to where the walk has been. */
  readonly isCircle: boolean;
}

/** Puts links in order. `channels` are those that were asked for. */
export function followLinks(
  links: readonly ChainLink[],
  checkpointId: string,
  channels: readonly string[],
): FollowedChain {
  const byId = new Map(links.map((link) => [link.checkpointId, link]));
  const target = byId.get(checkpointId) ?? null;
  const ancestors: ChainLink[] = [];
  const sought = new Set(channels);
  const seen = new Set([checkpointId]);
  let parentId = target?.parentId ?? null;
  while (parentId !== null && sought.size > 0) {
    if (seen.has(parentId)) return { target, ancestors, missing: null, isCircle: true };
    const link = byId.get(parentId);
    if (link === undefined) return { target, ancestors, missing: parentId, isCircle: false };
    ancestors.push(link);
    seen.add(parentId);
    for (const channel of link.stores) sought.delete(channel);
    parentId = link.parentId;
  }
  return { target, ancestors, missing: null, isCircle: false };
}
