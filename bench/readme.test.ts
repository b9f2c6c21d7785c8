// The README tells what the ledger tells.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { KNOWN_DEFECTS } from '../harness/record/known-defects.js';

const EXAMPLE = new URL('../fixtures/examples/guarded-agent.mjs', import.meta.url);
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('names every known defect once, each with scenarios that show it', () => {
  const rows = README.matchAll(/^\| (L\d+) +\|.*`--scenarios ([\w,-]+)/gm);
  const told = [...rows].map(([, id, scenarios]) => ({ id, scenarios: (scenarios ?? '').split(',') }));
  expect(told.map(({ id }) => id)).toEqual(KNOWN_DEFECTS.map(({ id }) => id));
  for (const { id, scenarios } of told) {
    const shows = KNOWN_DEFECTS.find((defect) => defect.id === id)?.sightings.flatMap((s) => s.scenarios);
    expect(shows).toEqual(expect.arrayContaining(scenarios));
  }
});

it('has the lines of the guarded agent, which keeps its thread in delta mode', async () => {
  const [, lines = ''] =
    /## A service in delta mode[^`]*`deltaproof[^]*?```js\n([^]*?)```/.exec(README) ?? [];
  expect(lines.split('\n').length).toBeGreaterThan(10);
  expect(readFileSync(EXAMPLE, 'utf8')).toContain(lines);
  const { stdout } = await execa(process.execPath, [fileURLToPath(EXAMPLE), ':memory:']);
  expect(stdout).toBe('2 messages in delta mode');
});
