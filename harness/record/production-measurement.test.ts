// Rows of the production benchmark: when they may call themselves successful, and what voids a pair of them.

import { describe, expect, it } from 'vitest';
import { exampleProductionCase, productionRow } from '../../fixtures/journals/production-rows.js';
import { exampleDigest, journalRows } from '../../fixtures/journals/rows.js';
import { summarizeRows } from '../../summarize/summary.js';
import { caseKey, cellKey, describeCase, productionCaseSchema, type ProductionCase } from './case.js';
import { journalLineSchema } from './journal-line.js';
import { pairRows } from './pairing.js';
import { pageName } from './production-measurement.js';

const DELTA = { mode: 'delta', snapshot_frequency: 10 } as const;

it('is a line of a journal', () => {
  const row = productionRow();
  expect(journalLineSchema.parse(row)).toEqual(row);
});

describe('a row that says success', () => {
  const { measurement } = productionRow();
  if (measurement === null) throw new Error('The row has a measurement.');
  const other = '3'.repeat(64);

  it.each(['live', 'warm', 'cold_process'] as const)(
    'is refused where the state read %s is another',
    (reading) => {
      const states = { ...measurement.materialized_sha256, [reading]: exampleDigest('9') };
      const refused = journalLineSchema.safeParse(
        productionRow({ measurement: { materialized_sha256: states } }),
      );
      expect(refused.error?.issues).toMatchObject([
        { path: ['measurement', 'materialized_sha256', reading] },
      ]);
    },
  );

  it.each([
    [0, 'writer'],
    [1, 'writer'],
    [1, 'fresh'],
  ] as const)('is refused where body %i is another in the process %s', (index, process) => {
    const wire_sha256 = measurement.wire_sha256.map((body, at) =>
      at === index ? { ...body, [process]: other } : body,
    );
    const refused = journalLineSchema.safeParse(productionRow({ measurement: { wire_sha256 } }));
    expect(refused.error?.issues).toMatchObject([
      { path: ['measurement', 'wire_sha256', String(index), process] },
    ]);
  });

  it('stands where no other process can read the store', () => {
    const wire_sha256 = measurement.wire_sha256.map((body) => ({ ...body, fresh: null }));
    const states = { ...measurement.materialized_sha256, cold_process: null };
    const row = productionRow({ measurement: { wire_sha256, materialized_sha256: states } });
    expect(journalLineSchema.safeParse(row).success).toBe(true);
  });
});

it('pairs full and delta of one cell, and a body that differs voids the pair', () => {
  const full = productionRow();
  const delta = productionRow({ case: DELTA });
  expect(pairRows([full, delta])).toMatchObject({ pairs: [{ full, delta }], voided: [] });
  const bodies = full.measurement?.wire_sha256 ?? [];
  const wire_sha256 = bodies.map((body) =>
    pageName(body.page) === 'history_10' ? { ...body, writer: '3'.repeat(64) } : body,
  );
  expect(pairRows([full, productionRow({ case: DELTA, measurement: { wire_sha256 } })])).toMatchObject({
    pairs: [],
    voided: [{ reason: 'the bodies of history_10 differ' }],
  });
});

describe('a case', () => {
  const changes: readonly Partial<ProductionCase>[] = [
    { workload: 'coding-session' },
    { backend: 'memory' },
    { updates: 26 },
    { payload_bytes: 257 },
    { payload_entropy: 'random' },
    { seed: 43 },
    { duration_checkpoints: false },
    { transport: 'http' },
    { history_limits: [10, 100] },
    { read_repetitions: 4 },
    { assistants: 2 },
    { accessor_graph_max: 2 },
    { transport: 'http', load: { clients: 2, rate_per_second: 5 } },
  ];

  it.each(changes)('is in another cell with %j', (change) => {
    const [plain, changed] = [exampleProductionCase(), exampleProductionCase(change)];
    expect(productionCaseSchema.safeParse(changed).success).toBe(true);
    expect(cellKey(changed)).not.toBe(cellKey(plain));
    expect(caseKey(changed)).toMatch(/^\S+$/);
  });

  it('is told in the words of its experiment', () => {
    expect(describeCase(exampleProductionCase(DELTA))).toBe(
      'sqlite agent turns=25 p=256 delta K=10 repetition 1',
    );
  });

  it.each([
    { mode: 'delta' },
    { snapshot_frequency: 10 },
    { history_cache: 'memory' },
    { backend: 'custom' },
    { history_limits: [0] },
    { load: { clients: 2, rate_per_second: 5 } },
  ] as const)('is refused with %j', (change) => {
    expect(productionCaseSchema.safeParse(exampleProductionCase(change as object)).success).toBe(false);
  });
});

it('is summarized by its own metrics, pages found in its rows included', () => {
  const rows = [1, 2, 3].flatMap((repetition) => [
    productionRow({ case: { repetition }, metrics: { turn_p50_ms: 10, history_10_cold_ms: 4 } }),
    productionRow({ case: { ...DELTA, repetition }, metrics: { turn_p50_ms: 20, history_10_cold_ms: 2 } }),
  ]);
  const [group] = summarizeRows([journalRows(rows)], 'all').groups;
  expect(group).toMatchObject({
    bench: 'production',
    workload: 'agent',
    service: 'durations in-process h10 reads3 assistants1of64',
    metrics: { turn_p50_ms: { ratio_median: 2 }, history_10_cold_ms: { ratio_median: 0.5 } },
  });
  expect(group?.metrics).not.toHaveProperty('write_p50_ms');
});
