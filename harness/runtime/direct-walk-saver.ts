// A saver that reads a whole replay chain in at most three statements, where LangGraph's database savers load one ancestor
// after the other.

import type { BaseCheckpointSaver, CheckpointPendingWrite } from '@langchain/langgraph-checkpoint';
import { appliedOrder } from '../chain/applied-order.js';
import type { Superstep } from '../chain/task-path.js';
import type { Histories, HistoryOptions } from '../savers/call-types.js';
import { grouped } from '../savers/database-rows.js';
import { OrderedSaver } from '../savers/ordered.js';
import { postgresChains } from '../savers/postgres-chain.js';
import { databaseOf } from '../savers/saver-database.js';
import { sqliteChains } from '../savers/sqlite-chain.js';
import { resolved } from './checked-walk-saver.js';
import {
  CheckpointAncestorMissingError,
  CheckpointLineageIntegrityError,
  CheckpointNotFoundError,
  CheckpointUnreadableError,
} from './errors.js';
import { placeOf } from './place.js';
import {
  followLinks,
  type ChainLink,
  type ChainPayload,
  type ChainSource,
  type ChainWrite,
  type TypedBytes,
} from '../savers/chain-source.js';
import type { CheckpointPlace } from './terms.js';

/** Channels of one question; the statements number them by bits. */
const CHANNELS_AT_ONCE = 60;

/** The rows of one walk. */
interface Walk {
  readonly place: CheckpointPlace;
  readonly target: ChainLink;
  /** Nearest first. */
  readonly ancestors: readonly ChainLink[];
  readonly writes: ReadonlyMap<string, readonly ChainWrite[]>;
  readonly payloads: ReadonlyMap<string, ChainPayload>;
}

/**
 * Answers `getDeltaChannelHistory` from plain rows; in everything else it is an `OrderedSaver`. Writes of parallel tasks come
 * in the order in which they were applied, as far as their ids tell it.
 *
 * For savers that are a SqliteSaver or a PostgresSaver, or have one behind them.
 */
export class DirectWalkSaver extends OrderedSaver {
  readonly #source: ChainSource;

  /** @throws RangeError for a saver that is on neither database. */
  constructor(inner: BaseCheckpointSaver) {
    super(inner);
    this.#source = chainsOf(inner);
  }

  override get refusesBrokenChains(): boolean {
    return true;
  }

  /**
   * @throws CheckpointAncestorMissingError where the chain breaks off before every channel has a stored value;
   *   CheckpointLineageIntegrityError where parents form a circle; CheckpointNotFoundError where the checkpoint itself is
   *   not there.
   */
  override async getDeltaChannelHistory({ config, channels }: HistoryOptions): Promise<Histories> {
    if (channels.length === 0) return {};
    const [some, rest] = [channels.slice(0, CHANNELS_AT_ONCE), channels.slice(CHANNELS_AT_ONCE)];
    const walk = await this.#walk(await resolved(this.inner, placeOf(config)), some);
    const histories = await Promise.all(
      some.map(async (channel) => [channel, await this.#history(walk, channel)] as const),
    );
    const others = await this.getDeltaChannelHistory({ config, channels: rest });
    return { ...Object.fromEntries(histories), ...others };
  }

  async #walk(place: CheckpointPlace, channels: readonly string[]): Promise<Walk> {
    const checkpointId = place.checkpointId ?? '';
    const links = await this.#source.links(place, checkpointId, channels);
    const { target, ancestors, missing, isCircle } = followLinks(links, checkpointId, channels);
    if (target === null) throw new CheckpointNotFoundError(place);
    if (isCircle) throw new CheckpointLineageIntegrityError(place, 'cycle');
    if (missing !== null) throw new CheckpointAncestorMissingError(place, missing);
    const unreadable = ancestors.find((link) => !link.isReadable);
    if (unreadable !== undefined) throw new CheckpointUnreadableError(place, unreadable.checkpointId);
    const ids = ancestors.map((link) => link.checkpointId);
    const asked = await this.#source.writes(place, ids, channels);
    const gone = ids.find((id) => !asked.checkpoints.has(id));
    if (gone !== undefined) throw new CheckpointAncestorMissingError(place, gone);
    const writes = grouped(asked.writes, (write) => write.checkpointId);
    const needed = ancestors.filter(
      (link) => link.stores.length > 0 || isFanOut(writes.get(link.checkpointId) ?? [], channels),
    );
    const payloads = await this.#payloads(place, needed, channels);
    return { place, target, ancestors, writes, payloads };
  }

  async #payloads(
    place: CheckpointPlace,
    needed: readonly ChainLink[],
    channels: readonly string[],
  ): Promise<Map<string, ChainPayload>> {
    if (needed.length === 0) return new Map();
    const ids = needed.map((link) => link.checkpointId);
    const payloads = await this.#source.payloads(place, ids, channels);
    const byId = new Map(payloads.map((payload) => [payload.checkpointId, payload]));
    const gone = ids.find((id) => !byId.has(id));
    if (gone !== undefined) throw new CheckpointAncestorMissingError(place, gone);
    return byId;
  }

  async #history(walk: Walk, channel: string): Promise<Histories[string]> {
    const last = walk.ancestors.findIndex((link) => link.stores.includes(channel));
    const seedId = walk.ancestors[last]?.checkpointId;
    const chain = last === -1 ? walk.ancestors : walk.ancestors.slice(0, last + 1);
    const stored = seedId === undefined ? undefined : walk.payloads.get(seedId)?.values.get(channel);
    const rows = chain
      .map((link, index) => writesOf(walk, link, walk.ancestors[index - 1] ?? walk.target))
      .toReversed()
      .flat()
      .filter((write) => write.channel === channel);
    const writes = await Promise.all(
      rows.map(async ({ taskId, value }): Promise<CheckpointPendingWrite> => [
        taskId,
        channel,
        value === null ? null : await this.#revived(value),
      ]),
    );
    return stored === undefined ? { writes } : { seed: await this.#revived(stored), writes };
  }

  async #revived({ type, bytes }: TypedBytes): Promise<unknown> {
    return (await this.serde.loadsTyped(type, bytes)) as unknown;
  }
}

function chainsOf(saver: BaseCheckpointSaver): ChainSource {
  const database = databaseOf(saver);
  switch (database?.kind) {
    case 'sqlite':
      return sqliteChains(database.db);
    case 'postgres':
      return postgresChains(database.pool, database.schema);
    case undefined:
      throw new RangeError(
        'The direct walk reads the tables of a SqliteSaver or a PostgresSaver, and this is neither.',
      );
  }
}

/** Whether several tasks have written, one of them a channel that is asked for. */
function isFanOut(writes: readonly ChainWrite[], channels: readonly string[]): boolean {
  const isOfOne = writes.every(({ taskId }) => taskId === writes[0]?.taskId);
  return !isOfOne && writes.some(({ channel }) => channels.includes(channel));
}

/** The writes of an ancestor in the order in which they were applied. */
function writesOf(
  { place, writes, payloads }: Walk,
  link: ChainLink,
  child: ChainLink,
): readonly ChainWrite[] {
  const stored = writes.get(link.checkpointId) ?? [];
  const payload = payloads.get(link.checkpointId);
  if (payload === undefined) return stored;
  const superstep: Superstep = {
    namespace: place.namespace,
    checkpointId: link.checkpointId,
    parentId: link.parentId,
    step: link.step ?? -1,
    channels: payload.channels,
    nodes: payload.nodes,
    sends: payload.sends,
    source: link.source ?? '',
    childSource: child.source,
  };
  return appliedOrder(superstep, stored).writes;
}
