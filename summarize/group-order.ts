// The order of groups in every report: names as text, sizes and cadences as numbers.

import { HISTORY_CACHES } from '../harness/record/names.js';
import type { GroupSummary } from './summary-shape.js';

type Ordered = Pick<
  GroupSummary,
  | 'backend'
  | 'workload'
  | 'pipeline_nodes'
  | 'service'
  | 'updates'
  | 'payload_bytes'
  | 'payload_entropy'
  | 'seed'
  | 'snapshot_frequency'
  | 'history_cache'
>;

/** Compares by backend, workload and its nodes, updates, payload, entropy, seed, cadence, history cache; a group without one is first. */
export function compareGroups(a: Ordered, b: Ordered): number {
  return (
    compareText(a.backend, b.backend) ||
    compareText(a.workload, b.workload) ||
    (a.pipeline_nodes ?? 0) - (b.pipeline_nodes ?? 0) ||
    a.updates - b.updates ||
    a.payload_bytes - b.payload_bytes ||
    compareText(a.payload_entropy, b.payload_entropy) ||
    a.seed - b.seed ||
    compareText(a.service ?? '', b.service ?? '') ||
    (a.snapshot_frequency ?? 0) - (b.snapshot_frequency ?? 0) ||
    HISTORY_CACHES.indexOf(a.history_cache ?? 'off') - HISTORY_CACHES.indexOf(b.history_cache ?? 'off')
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
