// Migration equivalence: a thread on messagesDeltaReducer in delta mode is what it is on messagesStateReducer in full
// mode, step by step, as it was returned live. Pure.

import type { Cell } from '../record/scenario-cell.js';
import type { Finding } from '../record/scenario-row.js';
import { compareStates, nameElements, type StateDifference } from './compare.js';
import type { Live, Played } from './played.js';

type PlayedIn = Pick<Played, 'lives'> & { readonly cell: Cell };

/** Where the live values of the delta cells on messagesDeltaReducer are not those of the full cell. */
export function migrationFindings(played: readonly PlayedIn[]): Finding[] {
  const full = played.find(({ cell }) => cell.mode === 'full' && cell.reducer === 'messages_state');
  if (full === undefined) return [];
  return played
    .filter(({ cell }) => cell.reducer === 'messages_delta')
    .flatMap(({ cell, lives }) =>
      [...lives].flatMap(([step, live]): Finding[] => {
        const difference = liveDifference(full.lives.get(step), live);
        if (difference === null) return [];
        return [{ cell, step, witness: 'migration', evidence: [], ...difference }];
      }),
    );
}

function liveDifference(full: Live | undefined, delta: Live): StateDifference | null {
  // The full cell's script ended before this step, which is a finding of its own.
  if (full === undefined) return null;
  if ('throws' in full && 'throws' in delta) return null;
  if ('throws' in full) return { signature: `full alone ${full.throws}`, expected: full.throws, actual: '' };
  if ('throws' in delta)
    return { signature: `delta alone ${delta.throws}`, expected: '', actual: delta.throws };
  return compareStates(nameElements({ channels: full.state, parallel: full.parallel }), delta.state);
}
