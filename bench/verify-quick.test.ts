// The quick verification of the packages that are installed: nothing new, and every known defect that it is to show.

import { expect, it } from 'vitest';
import type { Verification } from '../summarize/judge-scenarios.js';
import { start, useFolder } from './program.support.test.js';

const folder = useFolder();

it('shows every known defect of the memory and SQLite savers and nothing new', async () => {
  const { exitCode, stdout } = await start(folder.path, [
    'verify',
    '--quick',
    '--json',
    '--output',
    folder.journal,
  ]);
  const { judgements, shown, gone, skipped } = JSON.parse(stdout) as Verification;
  const unexplained = judgements.flatMap(({ scenario, backend, findings }) =>
    findings
      .filter(({ defect }) => defect === null)
      .map(({ finding }) => `${scenario} ${backend} ${finding.step}: ${finding.signature}`),
  );
  expect(unexplained).toEqual([]);
  expect(judgements.filter(({ verdict }) => verdict === 'undecided')).toEqual([]);
  expect({ exitCode, gone, skipped }).toEqual({ exitCode: 0, gone: [], skipped: [] });
  const ids = [
    'L1',
    'L4',
    'L5',
    'L6',
    'L7',
    'L8',
    'L9',
    'L12',
    'L13',
    'L14',
    'L15',
    'L16',
    'L17',
    'L18',
    'L19',
  ];
  expect(shown).toEqual([...ids, 'L21', 'L22', 'L23', 'L24', 'L25', 'L26', 'L27', 'L28', 'L29']);
}, 120_000);
