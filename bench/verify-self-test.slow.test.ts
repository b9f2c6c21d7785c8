// Savers that lie under the scenarios: each must be caught. Beside bench/verify.slow.test.ts, so that both run at once.

import { expect, it } from 'vitest';
import { LIAR_NAMES } from '../harness/record/liars.js';
import { start, useFolder } from './program.support.test.js';

const folder = useFolder();

it('the self-test catches every liar and accuses no honest saver', async () => {
  const { exitCode, stdout } = await start(folder.path, [
    'verify',
    '--self-test',
    '--json',
    '--generate',
    '3',
    '--kills',
    '1',
  ]);
  const trials = JSON.parse(stdout) as { liar: string | null; caughtBy: object | null }[];
  expect(trials.filter(({ caughtBy }) => caughtBy === null).map(({ liar }) => liar)).toEqual([null]);
  expect(trials.map(({ liar }) => liar)).toEqual([null, ...LIAR_NAMES]);
  expect(exitCode).toBe(0);
}, 600_000);
