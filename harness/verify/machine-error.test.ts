import { describe, expect, it } from 'vitest';
import { isMachineError } from './machine-error.js';

const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('an error of the machine', () => {
  it.each(
    (
      'SQLITE_FULL SQLITE_IOERR_WRITE SQLITE_READONLY ENOSPC EDQUOT EIO EROFS EMFILE ECONNREFUSED ECONNRESET EPIPE ' +
      'ETIMEDOUT EHOSTUNREACH ENOTFOUND EAI_AGAIN 53100 53200 53300 57P01 57P02 57P03 57P05 08000 08006 08P01 25006 ' +
      '57014 55P03 25P03 58030 28P01 3D000 42501 XX001'
    ).split(' '),
  )('is one with the code %s', (code) => {
    expect(isMachineError(coded(code))).toBe(true);
  });

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ])('is one that says "%s", without a code', (message) => {
    expect(isMachineError(new Error(message))).toBe(true);
  });

  it('is one that stands behind another', () => {
    expect(isMachineError(new Error('put failed', { cause: coded('53100') }))).toBe(true);
    expect(isMachineError(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))).toBe(true);
  });
});

describe('an error of a saver', () => {
  it.each(
    (
      'SQLITE_ERROR SQLITE_CONSTRAINT_PRIMARYKEY 23505 22021 22P02 42P01 40P01 25P02 ENOENT ERR_INVALID_ARG_TYPE ' +
      '5310 531000'
    ).split(' '),
  )('is one with the code %s', (code) => {
    expect(isMachineError(coded(code))).toBe(false);
  });

  it('is one that only speaks of a connection or a timeout, one without a code, and what is no error', () => {
    const texts = ['no checkpoint', 'The thread was Connection terminated', 'timeout expired for thread x'];
    for (const text of texts) expect(isMachineError(new Error(text))).toBe(false);
    for (const value of [undefined, null, 'ENOSPC', { code: 'ENOSPC' }])
      expect(isMachineError(value)).toBe(false);
    const itself = new Error('a circle');
    itself.cause = itself;
    expect(isMachineError(itself)).toBe(false);
  });
});
