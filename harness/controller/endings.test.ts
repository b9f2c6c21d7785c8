import { describe, expect, it } from 'vitest';
import { endedBadly, serverLost } from './endings.js';

const traces = (...stderrTail: string[]) => ({ stderrTail, lastUsage: null });

describe('the failure of a child that did not report', () => {
  it('says how it ended, which child it was and what it had used', () => {
    const lastUsage = { rss_bytes: 5, cpu_ms: 6, at_ms: 7 };
    const ended = { stderrTail: ['a line'], lastUsage };
    expect(endedBadly('writer', { kind: 'signalled', signal: 'SIGSEGV' }, ended, 1000)).toEqual({
      reason: 'signalled',
      message: 'The writer was ended by SIGSEGV.',
      child: 'writer',
      stderr_tail: ['a line'],
      last_usage: lastUsage,
      difference: null,
    });
  });

  it('is told in the words of the child too, as Node prints an error that nobody caught', () => {
    const exited = (...tail: string[]) =>
      endedBadly('reader 2', { kind: 'exited', code: 1 }, traces(...tail), 1000).message;
    const said = 'The reader 2 exited with code 1 before it reported. It said: ';
    const stack = ['    at link (file.js:1)', '', 'Node.js v20'];
    expect(exited('SyntaxError: no such export', ...stack)).toBe(`${said}SyntaxError: no such export`);
    expect(exited('Error [ERR_X]: first', 'error: second', ...stack)).toBe(`${said}error: second`);
    expect(exited('an error: in the middle of a line')).toBe(said.replace(' It said: ', ''));
  });

  it('names the time that the case had, not what its last child had of it', () => {
    expect(endedBadly('writer', { kind: 'timed_out', timeoutMs: 3 }, traces(), 90_000).message).toBe(
      'The case did not finish within 90 s (--timeout-seconds); its writer was killed.',
    );
  });
});

it('a server that is gone is the failure, whatever the child said', () => {
  const ended = traces('Error: Connection terminated unexpectedly');
  expect(serverLost('writer', 'Connection refused.', ended)).toMatchObject({
    reason: 'server_lost',
    message: 'The database server was gone: Connection refused.',
    stderr_tail: ended.stderrTail,
  });
});
