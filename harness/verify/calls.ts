// The order in which LangGraph's calls to a saver ended, as findings: what is stored must be whole wherever a process ends.

import { callOrderViolations, type StoreCall } from '../chain/call-order.js';
import type { Cell } from '../record/scenario-cell.js';
import type { Finding } from '../record/scenario-row.js';
import type { StateScenario } from './scenario.js';

/** One of each kind of violation. */
export function callFindings(
  { channels }: StateScenario,
  cell: Cell,
  calls: readonly StoreCall[],
): Finding[] {
  const violations = callOrderViolations(calls, cell.mode === 'delta' ? channels : []);
  const byKind = new Map(violations.map((violation) => [violation.kind, violation]));
  return [...byKind.values()].map(({ kind, call, other }) => ({
    cell,
    step: 'calls',
    witness: 'calls',
    signature: `${call.method} ${kind}`,
    expected: '',
    actual: '',
    evidence: [call, other].map(callLine),
  }));
}

function callLine({ method, threadId, namespace, checkpointId, channels, began, ended }: StoreCall): string {
  const where = namespace === '' ? threadId : `${threadId} ${namespace}`;
  const span = `from ${began} to ${ended ?? 'no end'}`;
  return `${method} ${checkpointId} of ${where}, channels ${channels.join(', ')}, ${span}`;
}
