// The README tells what the ledger tells.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KNOWN_DEFECTS } from '../harness/record/known-defects.js';

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
