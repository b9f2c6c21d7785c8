// What cells show together, step by step, as it was returned live. Migration equivalence: a thread on messagesDeltaReducer
// in delta mode is what it is on messagesStateReducer in full mode. And of a graph that nothing is known of full and delta
// must agree. Pure.

import type { Cell } from '../record/scenario-cell.js';
import type { Finding } from '../record/scenario-row.js';
import { compareStates, nameElements, type StateDifference } from './compare.js';
import { renameIds } from '../record/renamed-ids.js';
import type { Live, Played } from './played.js';
import type { StateScenario } from './scenario.js';

type PlayedIn = Pick<Played, 'lives'> & { readonly cell: Cell };

/** Where the live values of the delta cells on messagesDeltaReducer are not those of the full cell. */
export function migrationFindings(
  { inputs }: Pick<StateScenario, 'inputs'>,
  played: readonly PlayedIn[],
): Finding[] {
  if (inputs !== undefined) return disagreements(played, inputs);
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

/** The delta cells against the full one; ids that the graph made at random have the names of their places. */
function disagreements(played: readonly PlayedIn[], inputs: readonly unknown[]): Finding[] {
  const named = <L extends Live | undefined>(live: L): L | Live =>
    live === undefined || 'throws' in live ? live : { ...live, state: renameIds(live.state, inputs).state };
  const full = played.find(({ cell }) => cell.mode === 'full');
  return played
    .filter(({ cell }) => cell.mode === 'delta')
    .flatMap(({ cell, lives }) =>
      [...lives].flatMap(([step, live]): Finding[] => {
        const difference = liveDifference(named(full?.lives.get(step)), named(live));
        const of = { cell, step: `${step}, full and delta`, witness: 'live' } as const;
        return difference === null ? [] : [{ ...of, ...difference, evidence: [] }];
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
