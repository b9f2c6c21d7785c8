// The whole list on the installed packages.

import { expect, it } from 'vitest';
import { KNOWN_DEFECTS } from '../harness/record/known-defects.js';
import type { Verification } from '../summarize/judge-scenarios.js';
import { start, useFolder } from './program.support.test.js';
import { DEFAULT_KILLS } from './verify/matrix.js';

const folder = useFolder();

/** Those of Postgres alone, which bench/verify-quick.test.ts shows. */
const OF_POSTGRES = new Set(['L2', 'L3', 'L10', 'L11', 'L20']);

it('the default list shows every entry of the ledger for its savers, nothing new and nothing undecided', async () => {
  const { exitCode, stdout } = await start(folder.path, ['verify', '--json', '--output', folder.journal]);
  const { judgements, shown, gone } = JSON.parse(stdout) as Verification;
  const killed = judgements.filter(({ scenario }) => scenario.startsWith('killed-'));
  // Every start compares at least what it finds.
  expect(killed.map(({ comparisons }) => comparisons > 2 * DEFAULT_KILLS)).toEqual([true, true]);
  const verdicts = judgements.flatMap(({ verdict, migration }) => [verdict, migration]);
  expect(new Set(verdicts)).toEqual(new Set(['holds', 'known', null]));
  expect({ exitCode, shown, gone }).toEqual({
    exitCode: 0,
    shown: KNOWN_DEFECTS.map(({ id }) => id).filter((id) => !OF_POSTGRES.has(id)),
    gone: [],
  });
}, 420_000);
