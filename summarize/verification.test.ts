// A verification as table, Markdown and JUnit.

import { describe, expect, it } from 'vitest';
import type { Finding } from '../harness/record/scenario-row.js';
import type { Judgement, Verification } from './judge-scenarios.js';
import { renderJUnit } from './verification-junit.js';
import { renderVerificationMarkdown } from './verification-markdown.js';
import { renderVerification } from './verification-table.js';

const AGAIN = 'deltaproof verify --scenarios linear';
const FINDING: Finding = {
  cell: { mode: 'delta', snapshot_frequency: 3, reducer: 'plain' },
  step: 'turn 2',
  witness: 'pinned',
  signature: 'items: missing[t2]',
  expected: 'items [t1, t2]',
  actual: 'items [t1]',
  evidence: ['checkpoint 1f, no parent, 10 bytes'],
};

function judgement(changes: Partial<Judgement>): Judgement {
  return {
    scenario: 'linear',
    backend: 'memory',
    seed: 1,
    verdict: 'holds',
    migration: null,
    findings: [],
    reason: null,
    comparisons: 10,
    ...changes,
  };
}

const VERIFICATION: Verification = {
  judgements: [
    judgement({}),
    judgement({
      backend: 'sqlite',
      verdict: 'violated',
      findings: [
        { finding: FINDING, defect: null, again: AGAIN },
        { finding: FINDING, defect: 'L1', again: AGAIN },
      ],
    }),
    judgement({
      scenario: 're-add',
      migration: 'known',
      findings: [{ finding: { ...FINDING, witness: 'migration' }, defect: 'L12', again: AGAIN }],
    }),
    judgement({
      scenario: 're-add',
      backend: 'sqlite',
      verdict: 'undecided',
      reason: 'The writer was ended by SIGKILL.',
    }),
    judgement({ scenario: 'reducers' }),
  ],
  shown: ['L1', 'L12'],
  gone: ['L4'],
  skipped: [{ scenario: 'agent-tools', reason: 'langchain is not in /candidate; install it there.' }],
  strict: false,
  packages: { '@langchain/langgraph': '1.7.3' },
  wrapper: null,
  exitCode: 4,
};

describe('a verification', () => {
  it('is a table of scenarios by backends', () => {
    expect(renderVerification(VERIFICATION).split('\n\n')[0]).toBe(
      [
        'scenario  memory                      sqlite',
        'linear    holds                       violated (L1)',
        're-add    holds; migration known L12  undecided',
        'reducers  holds                       not applicable',
      ].join('\n'),
    );
  });

  it('tells what is new with its witness, and the command that shows it again', () => {
    expect(renderVerification(VERIFICATION)).toContain(
      [
        'linear on sqlite: violated',
        '  delta K=3, step turn 2, pinned: items: missing[t2]',
        '    expected items [t1, t2]',
        '    found    items [t1]',
        '    checkpoint 1f, no parent, 10 bytes',
        '    again: deltaproof verify --scenarios linear',
        '',
      ].join('\n'),
    );
  });

  it('says why nothing is decided, what is gone, what was skipped, and how many verdicts of each kind', () => {
    const text = renderVerification(VERIFICATION);
    expect(text).toContain('re-add on sqlite: undecided. The writer was ended by SIGKILL.\n');
    expect(text).toMatch(/^L4 did not show here: putWrites without checkpoint_ns[^]*?\.$/m);
    expect(text).toContain('agent-tools was skipped: langchain is not in /candidate; install it there.\n');
    expect(text).toContain('6 verdicts from 50 comparisons: 3 hold, 1 known, 1 violated, 1 undecided.\n');
  });

  it('cuts a long list of findings and says how many are left', () => {
    const many = Array.from({ length: 9 }, () => ({ finding: FINDING, defect: null, again: AGAIN }));
    const text = renderVerification({
      ...VERIFICATION,
      judgements: [judgement({ verdict: 'violated', findings: many })],
    });
    expect(text.match(/again:/g)).toHaveLength(3);
    expect(text).toContain('  and 6 more, in the journal\n');
  });

  it('shows no control characters of a state on a terminal', () => {
    const finding = { ...FINDING, actual: 'items [\u001b[2J]' };
    const judgements = [
      judgement({ verdict: 'violated', findings: [{ finding, defect: null, again: AGAIN }] }),
    ];
    expect(renderVerification({ ...VERIFICATION, judgements })).not.toContain('\u001b');
  });
});

it('as Markdown has the table, what is new, and the defects', () => {
  const text = renderVerificationMarkdown(VERIFICATION);
  expect(text).toContain(
    '| scenario | memory | sqlite |\n| --- | --- | --- |\n| linear | holds | violated (L1) |\n',
  );
  expect(text).toContain(
    '### linear on sqlite: violated\n\n    delta K=3, step turn 2, pinned: items: missing[t2]\n',
  );
  expect(text).toMatch(/^- \*\*L4\*\* \(gone\): /m);
  expect(text).toContain('- agent-tools was skipped: ');
});

describe('as JUnit', () => {
  it('is a suite a backend with failures and errors counted', () => {
    const text = renderJUnit(VERIFICATION);
    expect(text).toContain('<testsuite name="memory" tests="3" failures="0" errors="0">');
    expect(text).toContain('<testsuite name="sqlite" tests="2" failures="1" errors="1">');
    expect(text).toContain('<testcase classname="memory" name="linear"></testcase>');
    expect(text).toContain('<failure message="items: missing[t2]">delta K=3, step turn 2');
    expect(text).toContain('<error message="The writer was ended by SIGKILL."/>');
    expect(text).toContain('<system-out>holds; migration known L12</system-out>');
    expect(text).toContain('name="agent-tools"><skipped message="langchain is not in /candidate;');
  });

  it('escapes what a state holds, also what XML has no form for', () => {
    const finding = { ...FINDING, signature: 'items: extra[<a>&"\u0000\ud800]' };
    const judgements = [
      judgement({ verdict: 'violated', findings: [{ finding, defect: null, again: AGAIN }] }),
    ];
    expect(renderJUnit({ ...VERIFICATION, judgements })).toContain(
      'message="items: extra[&lt;a&gt;&amp;&quot;\ufffd\ufffd]"',
    );
  });
});

describe('where known defects fail too', () => {
  const strict = { ...VERIFICATION, strict: true };

  it('tells them with their witness, in every report', () => {
    expect(renderVerification(VERIFICATION)).not.toContain('re-add on memory');
    expect(renderVerification(strict)).toContain('re-add on memory: holds\n');
    expect(renderVerificationMarkdown(strict)).toContain('### re-add on memory: holds\n');
    expect(renderVerification(strict)).toContain(' With --strict what is known fails too.\n');
  });

  it('fails them in JUnit', () => {
    const failures = (text: string) => text.match(/<failure /g)?.length ?? 0;
    expect(failures(renderJUnit(VERIFICATION))).toBe(1);
    expect(failures(renderJUnit(strict))).toBe(2);
    expect(renderJUnit(strict)).toContain('<testsuite name="memory" tests="3" failures="1" errors="0">');
  });
});

it('says what was verified, in every report', () => {
  const ordered = { ...VERIFICATION, wrapper: 'ordered' } as const;
  for (const render of [renderVerification, renderVerificationMarkdown, renderJUnit]) {
    expect(render(VERIFICATION)).toContain('Verified: @langchain/langgraph 1.7.3.');
    expect(render(ordered)).toContain('Verified with --wrapper ordered: ');
  }
});
