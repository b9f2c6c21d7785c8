import { describe, expect, it } from 'vitest';
import { exampleScenarioRow as row } from '../fixtures/journals/scenario-rows.js';
import type { KnownDefect } from '../harness/record/known-defect.js';
import type { Finding, ScenarioRow } from '../harness/record/scenario-row.js';
import { judgeScenarios } from './judge-scenarios.js';

const CELL = { mode: 'delta', snapshot_frequency: 3, reducer: 'plain' } as const;
const KNOWN: KnownDefect = {
  id: 'L1',
  what: 'known',
  packages: { '@langchain/langgraph': '*' },
  sightings: [{ scenarios: ['fan-out'], backends: ['sqlite'], signature: /known/ }],
  upstream: null,
  advice: '',
};

function finding(signature: string): Finding {
  return { cell: CELL, step: 's', witness: 'pinned', signature, expected: '', actual: '', evidence: [] };
}

function verdictOf(changes: Partial<ScenarioRow>, strict = false) {
  const { judgements, exitCode, shown, gone } = judgeScenarios([row(changes)], [KNOWN], { strict });
  return { verdict: judgements[0]?.verdict, exitCode, shown, gone };
}

const FAILURE = {
  reason: 'timed_out',
  message: 'It took too long.',
  child: 'writer',
  stderr_tail: [],
  last_usage: null,
  difference: null,
} as const;

describe('a scenario on a backend', () => {
  it('holds where nothing was found, and a defect that was looked for is gone', () => {
    expect(verdictOf({})).toEqual({ verdict: 'holds', exitCode: 0, shown: [], gone: ['L1'] });
  });

  it('is known where the ledger explains all of it', () => {
    expect(verdictOf({ findings: [finding('known')] })).toEqual({
      verdict: 'known',
      exitCode: 0,
      shown: ['L1'],
      gone: [],
    });
  });

  it('is an error with strict all the same', () => {
    expect(verdictOf({ findings: [finding('known')] }, true)).toMatchObject({
      verdict: 'known',
      exitCode: 4,
    });
  });

  it('is violated where one finding is new beside known ones', () => {
    expect(verdictOf({ findings: [finding('known'), finding('new')] })).toMatchObject({
      verdict: 'violated',
      exitCode: 4,
      shown: ['L1'],
    });
  });

  it('is undecided where a child did not report, and the run is incomplete', () => {
    expect(verdictOf({ failure: { ...FAILURE, stderr_tail: [] } })).toMatchObject({
      verdict: 'undecided',
      exitCode: 6,
    });
  });

  it('says why nothing is decided', () => {
    const { judgements } = judgeScenarios([row({ failure: { ...FAILURE, stderr_tail: [] } })], [KNOWN]);
    expect(judgements[0]?.reason).toBe('It took too long.');
  });

  it('is violated also where a later child did not report', () => {
    const failed = { failure: { ...FAILURE, stderr_tail: [] }, findings: [finding('new')] };
    expect(verdictOf(failed)).toMatchObject({ verdict: 'violated', exitCode: 4 });
  });

  it('is undecided where a cell compared nothing', () => {
    const idle = { cells: [{ cell: CELL, comparisons: 0 }] };
    expect(verdictOf(idle)).toMatchObject({ verdict: 'undecided', exitCode: 5 });
    expect(verdictOf({ cells: [] })).toMatchObject({ verdict: 'undecided', exitCode: 5 });
  });
});

it('a defect of other versions explains nothing and is not looked for', () => {
  const other: KnownDefect = { ...KNOWN, packages: { '@langchain/langgraph': '<0.0.1' } };
  const { judgements, gone } = judgeScenarios([row({ findings: [finding('known')] })], [other]);
  expect(judgements[0]?.verdict).toBe('violated');
  expect(gone).toEqual([]);
});

describe('the command that shows a finding again', () => {
  const again = (changes: Partial<ScenarioRow>, packagesDir: string | null = null) =>
    judgeScenarios([row({ findings: [finding('new')], ...changes })], [], { packagesDir }).judgements[0]
      ?.findings[0]?.again;

  it('names the scenario, the backend and the cadence', () => {
    expect(again({})).toBe(
      'deltaproof verify --scenarios fan-out --backends sqlite --snapshot-frequencies 3',
    );
  });

  it('names what is not as it is by default: seed, wrapper and packages', () => {
    expect(
      again({ seed: 7, wrapper: 'ordered', findings: [{ ...finding('new'), cell: null }] }, '../next'),
    ).toBe(
      'deltaproof verify --scenarios fan-out --backends sqlite --seeds 7 --wrapper ordered --packages ../next',
    );
  });
});
