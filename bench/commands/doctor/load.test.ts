import { expect, it } from 'vitest';
import { judgeLoad } from './load.js';

it('warns above half of the cores', () => {
  expect(judgeLoad(2, 4)).toMatchObject({ status: 'fine', fix: null, facts: { load_1m: 2, cores: 4 } });
  expect(judgeLoad(2.01, 4)).toMatchObject({
    status: 'warning',
    what: 'The load of the last minute is 2.01 on 4 cores, more than half of them: what is timed waits for other processes.',
    fix: expect.stringContaining('end what runs beside'),
  });
});

it('says so where a system has no load average', () => {
  expect(judgeLoad(null, 8)).toMatchObject({ status: 'fine', facts: { load_1m: null } });
});
