import { expect, it } from 'vitest';
import type { CheckResult } from './check.js';
import { renderChecks } from './table.js';

function result(check: string, status: CheckResult['status'], what: string, fix: string | null): CheckResult {
  return { check, status, what, facts: {}, fix };
}

it('names a check once, puts each fix below what it mends, and counts', () => {
  const text = renderChecks([
    result('node', 'fine', 'Good.', null),
    result('packages', 'missing', 'No a.', 'npm ci'),
    result('packages', 'missing', 'No b.', 'npm ci'),
    result('load', 'warning', 'Busy.', 'wait'),
  ]);
  expect(text).toBe(`node      fine     Good.
packages  missing  No a.
          missing  No b.
                   fix: npm ci
load      warning  Busy.
                   fix: wait

1 fine, 1 warning, 2 missing: what was asked for does not run here yet
`);
});

it('lets no text drive the terminal', () => {
  expect(renderChecks([result('x', 'fine', 'a\u001b[31mb', null)])).toContain(String.raw`a\u001b[31mb`);
});
