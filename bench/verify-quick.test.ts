// The quick verification of the Postgres saver: nothing new, and every known defect that it is to show. The slow tests run
// the whole list on the others.

import { expect, it } from 'vitest';
import type { Verification } from '../summarize/judge-scenarios.js';
import { start, useFolder } from './program.support.test.js';

const folder = useFolder();

it('shows every known defect of the Postgres saver and nothing new', async () => {
  const command = `verify --quick --json --backends postgres --output ${folder.journal}`;
  const { exitCode, stdout } = await start(folder.path, command.split(' '));
  const { judgements, shown, gone, skipped } = JSON.parse(stdout) as Verification;
  const unexplained = judgements.flatMap(({ scenario, backend, findings }) =>
    findings
      .filter(({ defect }) => defect === null)
      .map(({ finding }) => `${scenario} ${backend} ${finding.step}: ${finding.signature}`),
  );
  expect(unexplained).toEqual([]);
  expect(judgements.filter(({ verdict }) => verdict === 'undecided')).toEqual([]);
  expect({ exitCode, gone, skipped }).toEqual({ exitCode: 0, gone: [], skipped: [] });
  const known = 'L1 L2 L3 L5 L6 L7 L8 L9 L10 L11 L12 L13 L14 L15 L16 L17 L18 L19 L20 L21 L22 L23 L27 L28 L29';
  expect(shown.join(' ')).toBe(known);
}, 240_000);
