import { expect, it } from 'vitest';
import { openStore } from '../savers/saver.js';
import { askSaver } from './ask.js';
import type { CheckScenario } from './scenario.js';

async function asked(run: CheckScenario['run']) {
  const scenario: CheckScenario = { name: 'list', kind: 'contract', run };
  const { findings, comparisons } = await askSaver(
    scenario,
    await openStore('memory', { dir: '', server: null }),
    {
      backend: 'memory',
      seed: 1,
      server: null,
      saverModule: null,
      wrapper: { name: null, redisUrl: null },
    },
  );
  return { comparisons, seen: findings.map(({ step, signature, expected }) => [step, signature, expected]) };
}

it('notes answers that are none of the right ones, as they are', async () => {
  const answers = await asked(async ({ ask }) => {
    await ask('right', [[1], 'refused'], () => Promise.resolve([1]));
    await ask('wrong', [[1], 'refused'], () => Promise.resolve([2]));
  });
  expect(answers).toEqual({ comparisons: 2, seen: [['wrong', 'answers [2]', '[1] or "refused"']] });
});

it('takes an error for a refusal, where that is right', async () => {
  const refuses = () => Promise.reject(new RangeError('no'));
  const answers = await asked(async ({ ask }) => {
    await ask('may refuse', ['kept', 'refused'], refuses);
    await ask('may not', ['kept'], refuses);
  });
  expect(answers).toEqual({ comparisons: 2, seen: [['may not', 'throws[RangeError: no]', '"kept"']] });
});

it('notes what the script did not expect', async () => {
  const answers = await asked(() => Promise.reject(new Error('no such row')));
  expect(answers).toEqual({ comparisons: 0, seen: [['script', 'throws[Error: no such row]', '']] });
});

it('throws an error of the machine, which answers no question, also where a refusal is right', async () => {
  const gone = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const ask: CheckScenario['run'] = (stage) =>
    stage.ask('may refuse', ['kept', 'refused'], () => Promise.reject(gone));
  await expect(asked(ask)).rejects.toBe(gone);
});
