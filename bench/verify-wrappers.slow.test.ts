// The savers of the checkpoint runtime under the main scenarios: they show what the raw saver shows at most, and a chain that
// retention has cut is refused.

import { expect, it } from 'vitest';
import type { Verification } from '../summarize/judge-scenarios.js';
import { start, useFolder } from './program.support.test.js';

const folder = useFolder();

it.each([
  ['history-cache', ['L1']],
  ['direct-walk', []],
] as const)(
  '%s shows nothing new on SQLite',
  async (wrapper, still) => {
    const { exitCode, stdout } = await start(folder.path, [
      'verify',
      '--quick',
      '--backends',
      'sqlite',
      '--wrapper',
      wrapper,
      '--json',
      '--output',
      folder.journal,
    ]);
    const { judgements, shown } = JSON.parse(stdout) as Verification;
    expect(new Set(judgements.map(({ verdict }) => verdict))).toEqual(new Set(['holds', 'known']));
    expect(exitCode).toBe(0);
    expect(shown).not.toContain('L16');
    // The order of parallel writes is the inner saver's, or that of the walk, which knows all but exit runs.
    expect(shown).toEqual(expect.arrayContaining([...still, 'L7', 'L13']));
  },
  300_000,
);
