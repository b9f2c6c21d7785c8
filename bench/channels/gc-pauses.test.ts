import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { GcPauses } from './gc-pauses.js';

it('tells when the garbage collector stopped everything, each pause once', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const pauses = new GcPauses();
  const startMs = performance.now();
  collect();
  const endMs = performance.now();
  await new Promise((resolve) => setImmediate(resolve));
  const told = pauses.take();
  expect(told.some((pause) => pause.startMs >= startMs && pause.endMs <= endMs)).toBe(true);
  expect(pauses.take()).toEqual([]);
  pauses.stop();
});
