// What a store on a database server is asked before, while and after a thread is updated.

import type { NamedMetrics } from '../../harness/record/metrics.js';
import { percentile, roundMs } from '../../harness/record/percentile.js';
import type { ChannelsMeasurement } from '../../harness/record/channels-measurement.js';
import { READ_SAMPLES } from '../../harness/record/sampling.js';
import type { OpenStore } from '../../harness/savers/saver.js';
import type { StoreServer, Traffic } from '../../harness/savers/store-server.js';

export interface ServerTaken {
  readonly roundTripMs: number;
  /** Of all updates together. */
  readonly updates: Traffic;
  readonly wal: Awaited<ReturnType<StoreServer['walBytes']>>;
  readonly relations: NonNullable<ChannelsMeasurement['relation_bytes']>;
}

/** To be called right before the updates; what it gives, right after them. */
export async function watchUpdates({ server }: OpenStore): Promise<() => Promise<ServerTaken | null>> {
  if (server === null) return async () => null;
  const roundTripMs = await server.roundTripMs();
  await server.startWal();
  server.takeTraffic();
  return async () => {
    const updates = server.takeTraffic();
    return { roundTripMs, updates, wal: await server.walBytes(), relations: await server.relationBytes() };
  };
}

type ServerMetric =
  | 'durable_bytes'
  | 'heap_bytes'
  | 'index_bytes'
  | 'toast_bytes'
  | 'server_wal_bytes'
  | `${'statements' | 'round_trips'}_per_${'update' | 'read'}`
  | 'network_round_trip_ms'
  | 'read_server_ms'
  | 'read_parse_ms';

/**
 * @param warmReads of each warm read; the last ones are those that count.
 * @returns all null without a server.
 */
export function serverMetrics(
  taken: ServerTaken | null,
  updateCount: number,
  warmReads: readonly Traffic[],
): NamedMetrics<ServerMetric> {
  const relations = taken === null ? [] : Object.values(taken.relations);
  const bytes = (part: 'heap' | 'index' | 'toast') =>
    taken && relations.reduce((sum, relation) => sum + relation[part], 0);
  const [heap, index, toast] = [bytes('heap'), bytes('index'), bytes('toast')];
  const reads = taken === null ? [] : warmReads.slice(-READ_SAMPLES);
  const median = (part: keyof Traffic) =>
    percentile(
      reads.map((read) => read[part]),
      50,
    );
  const ms = (part: 'serverMs' | 'parseMs') => {
    const value = median(part);
    return value === null ? null : roundMs(value);
  };
  return {
    durable_bytes: heap === null || index === null || toast === null ? null : heap + index + toast,
    heap_bytes: heap,
    index_bytes: index,
    toast_bytes: toast,
    server_wal_bytes: taken !== null && 'bytes' in taken.wal ? taken.wal.bytes : null,
    statements_per_update: taken && taken.updates.statements / updateCount,
    round_trips_per_update: taken && taken.updates.roundTrips / updateCount,
    statements_per_read: median('statements'),
    round_trips_per_read: median('roundTrips'),
    network_round_trip_ms: taken && taken.roundTripMs,
    read_server_ms: ms('serverMs'),
    read_parse_ms: ms('parseMs'),
  };
}
