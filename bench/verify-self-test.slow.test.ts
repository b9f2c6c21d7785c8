// Savers that lie under the scenarios: each must be caught, by scenarios that accuse no honest saver. Those of the list that
// catch no liar first are left out: bench/verify.slow.test.ts shows that they accuse no honest one.

import { expect, it } from 'vitest';
import { LIARS, LIAR_NAMES } from '../harness/record/liars.js';
import { start, useFolder } from './program.support.test.js';

const folder = useFolder();

const SCENARIOS = [...new Set(Object.values(LIARS).map(({ tryFirst }) => tryFirst))];

it('the self-test catches every liar and accuses no honest saver', async () => {
  const { exitCode, stdout } = await start(folder.path, [
    'verify',
    '--self-test',
    '--json',
    '--scenarios',
    SCENARIOS.join(','),
  ]);
  const trials = JSON.parse(stdout) as { liar: string | null; caughtBy: object | null }[];
  expect(trials.filter(({ caughtBy }) => caughtBy === null).map(({ liar }) => liar)).toEqual([null]);
  expect(trials.map(({ liar }) => liar)).toEqual([null, ...LIAR_NAMES]);
  expect(exitCode).toBe(0);
}, 600_000);
