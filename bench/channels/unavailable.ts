// Why a field of a measurement is null: every null has its reason beside it.

import type { MetricName } from '../../harness/record/metrics.js';
import { capabilitiesOf, NOT_PERSISTENT_REASON } from '../../harness/record/names.js';
import type { Taken } from './taken.js';

const SEE_ERROR = 'see storage_stats_error';

/** Field name to reason, for every field that is null. */
export function unavailable(
  taken: Taken,
  metrics: Readonly<Partial<Record<MetricName, number | null>>>,
): Record<string, string> {
  const { persistent } = capabilitiesOf(taken.case);
  const reasons: Record<string, string> = {};
  if (!persistent) {
    reasons['materialized_sha256.cold_reopened'] = NOT_PERSISTENT_REASON;
    reasons['materialized_sha256.cold_process'] = NOT_PERSISTENT_REASON;
  }
  if (taken.oracle === 'live') reasons['materialized_sha256.expected'] = NO_MODEL;
  if (taken.updates.reference === null) {
    for (const part of ['overlap_ms', 'serialization_ms', 'framework_ms'])
      reasons[`attribution.${part}`] = NO_REFERENCE;
  }
  if (taken.files.afterWrites === null) reasons['file_bytes'] = NO_FILES;
  if (taken.server === null) reasons['relation_bytes'] = NO_SERVER;
  if (taken.storage.error !== null) reasons['write_bytes_by_channel'] = SEE_ERROR;
  if (taken.storage.isReported) reasons['write_bytes_by_channel'] = NOT_REPORTED;
  if (taken.floor.kind === 'no_driver') reasons['attribution.storage_ms'] = NO_DRIVER;
  if (taken.floor.kind === 'failed') {
    reasons['attribution.storage_ms'] = SEE_ERROR;
    reasons['attribution.serialization_ms'] = SEE_ERROR;
  }
  for (const [name, value] of Object.entries(metrics) as [MetricName, number | null][]) {
    // The readers' median is filled in by the parent.
    if (value !== null || (name === 'cold_process_read_ms' && persistent)) continue;
    reasons[`metrics.${name}`] = reasonOf(name, taken);
  }
  return reasons;
}

const NO_DRIVER = 'not_applicable: no driver below the saver';
const NO_FILES = 'not_applicable: the saver keeps no files';
const NO_MODEL = 'not_applicable: no model of the graph; the live value decides';
const NO_REFERENCE = "not_applicable: a graph of one's own is run once for each update";
const NOT_REPORTED = 'not_reported: the saver does not tell what it stores';
const NO_SERVER = 'not_applicable: no database server';

function reasonOf(name: MetricName, { files, floor, storage, server }: Taken): string {
  switch (name) {
    case 'cold_reopened_read_ms':
    case 'cold_process_read_ms':
      return NOT_PERSISTENT_REASON;
    case 'durable_bytes':
      return storage.isReported ? NOT_REPORTED : NO_FILES;
    case 'db_bytes':
    case 'wal_bytes':
    case 'shm_bytes':
    case 'wal_peak_bytes':
      return NO_FILES;
    case 'wal_frames':
      return files.afterWrites === null ? NO_FILES : 'undecided: transactions went by between two looks';
    case 'server_wal_bytes':
      return server !== null && 'reason' in server.wal ? server.wal.reason : NO_SERVER;
    case 'heap_bytes':
    case 'index_bytes':
    case 'toast_bytes':
    case 'statements_per_update':
    case 'round_trips_per_update':
    case 'statements_per_read':
    case 'round_trips_per_read':
    case 'network_round_trip_ms':
    case 'read_server_ms':
    case 'read_parse_ms':
      return NO_SERVER;
    case 'framework_ms':
      return NO_REFERENCE;
    case 'process_wchar_bytes':
    case 'process_write_bytes':
      return 'not_applicable: this system has no /proc/self/io';
    case 'floor_write_ms':
    case 'floor_read_ms':
    case 'write_over_floor':
    case 'read_over_floor':
      return floor.kind === 'no_driver' ? NO_DRIVER : SEE_ERROR;
    default:
      break;
  }
  if (storage.error !== null) return SEE_ERROR;
  if (!name.startsWith('snapshot_') && !name.startsWith('plain_'))
    return storage.isReported ? NOT_REPORTED : 'no sample was taken';
  if (name === 'snapshot_bytes') return NOT_REPORTED;
  const which = storage.metrics.snapshot_count === 0 ? 'no' : 'every';
  return `not_applicable: ${which} update stored a snapshot`;
}
