// Runs of `deltaproof production` as a user meets them: the built program, real children, real savers.

import { readdirSync } from 'node:fs';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import type { ProductionRow } from '../harness/record/row.js';
import { linesOf, start, useFolder } from './program.support.test.js';

const folder = useFolder();
const TINY =
  'production --turns 4 --payload-bytes 20 --snapshot-frequencies 3 --repetitions 1 --history-limits 2 --read-repetitions 2';
const deltaproof = (line: string) => start(folder.path, line.split(' '));

function rows(): ProductionRow[] {
  return linesOf(folder.journal).filter((line) => line.kind === 'production_row');
}

describe('a run', () => {
  it('measures both modes in a writer and in a fresh process, and prints what was measured', async () => {
    const { exitCode, stdout, stderr } = await deltaproof(`${TINY} --output ${folder.journal}`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('[2/2] sqlite agent turns=4');
    expect(stdout).toMatch(
      /^sqlite agent turns=4 p=20 words seed 1\n {2}durations in-process h2 reads2 assistants1of64\n/m,
    );
    expect(stdout).toMatch(/^ {2}turn_p50_ms /m);
    expect(stdout).toMatch(/^ {2}state_warm_p50_ms /m);
    expect(rows().map(({ case: c, success }) => [c.mode, success])).toEqual([
      ['full', true],
      ['delta', true],
    ]);
    for (const { measurement } of rows()) {
      expect(measurement?.wire_sha256.every((body) => body.fresh === body.expected)).toBe(true);
      expect(measurement?.reads.map(({ process, page }) => `${process} ${page.route}`)).toEqual([
        'writer state',
        'writer history',
        'fresh state',
        'fresh history',
      ]);
      expect(measurement?.metrics).toHaveProperty('process_history_2_cold_ms');
    }
    expect(readdirSync(folder.path)).toEqual(['run.jsonl']);
  }, 60_000);

  it('goes on where a journal ends, and is summarized again by its pages', async () => {
    await deltaproof(`${TINY} --backends memory --modes full --output ${folder.journal}`);
    const { exitCode, stderr } = await deltaproof(
      `${TINY} --backends memory --output ${folder.journal} --resume`,
    );
    expect([exitCode, stderr.includes('1 of 2 cases are done.')]).toEqual([0, true]);
    expect(rows()).toHaveLength(2);
    const { stdout } = await deltaproof(
      `summarize ${folder.journal} --metrics history_2_warm_p50_ms,turn_p95_ms --json`,
    );
    const { groups } = JSON.parse(stdout) as { groups: { metrics: object }[] };
    expect(groups.map(({ metrics }) => Object.keys(metrics))).toEqual([
      ['history_2_warm_p50_ms', 'turn_p95_ms'],
    ]);
  }, 60_000);
});

it('is refused where langchain is missing, with exit code 7 and what to install', async () => {
  const { exitCode, stderr } = await deltaproof(`${TINY} --packages .`);
  expect([exitCode, stderr]).toEqual([7, expect.stringMatching(/Not found from \.?.*langchain\.$/m)]);
});

describe('a plan', () => {
  it('is printed with its cost, and nothing is run', async () => {
    const { exitCode, stdout } = await deltaproof('production --turns 10,50 --dry-run --json');
    expect(exitCode).toBe(0);
    const { cases } = JSON.parse(stdout) as { cases: unknown[] };
    expect(cases).toHaveLength(24);
  });

  it('leaves checkpoints with durations out where asked to', async () => {
    const { stdout } = await deltaproof('production --no-duration-checkpoints --dry-run --json');
    const { cases } = JSON.parse(stdout) as { cases: { case: string }[] };
    expect(cases.every((planned) => JSON.stringify(planned).includes('no-durations'))).toBe(true);
  });

  it('names history limits by what is measured', async () => {
    const { stdout, stderr } = await deltaproof(
      'production --history-limits 500,100,10,200 --dry-run --repetitions 1 --modes full',
    );
    expect(stderr).toContain('--history-limits above 100 are measured and told as 100');
    expect(stdout.match(/turns=50/g)).toHaveLength(2);
  });

  it.each([
    ['--turns 2', '--turns'],
    ['--backends custom', '--backends'],
    ['--history-limits 0', '--history-limits'],
    ['--workloads chat', '--workloads'],
    ['--clients 2 --transport http', '--clients and --rate go together'],
    ['--clients 2 --rate 5', 'add --transport http'],
    ['--history-cache direct --backends memory', 'it needs --backends sqlite or postgres'],
  ])('is refused with %s', async (options, named) => {
    const { exitCode, stderr } = await deltaproof(`production ${options} --dry-run`);
    expect([exitCode, stderr.includes(named)]).toEqual([2, true]);
  });
});

it('puts the service under load, and keeps the histogram of what was waited for', async () => {
  const { exitCode } = await deltaproof(
    `${TINY} --backends memory --modes full --transport http --clients 4 --rate 20 --output ${folder.journal}`,
  );
  expect(exitCode).toBe(0);
  const [row] = rows();
  const load = row?.measurement?.load;
  expect(load?.requests).toBe(200);
  expect(load?.turns).toBeGreaterThan(0);
  const histogram = decodeFromCompressedBase64(load?.latency_hdr_us ?? '');
  expect(histogram.totalCount).toBe(200);
  expect(row?.measurement?.metrics.load_read_p50_ms).toBe(histogram.getValueAtPercentile(50) / 1000);
}, 60_000);
