// Ends this process as a crash does: SIGKILL, after which nothing of it runs.

import { Worker } from 'node:worker_threads';
import { DelegatingSaver, type PutArguments, type PutWritesArguments } from '../savers/delegating.js';
import type { Config } from '../savers/call-types.js';

/** From a thread of its own, so that it also comes while the driver is at work. */
const KILLS_LATER = `
  const { workerData } = require('node:worker_threads');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData);
  process.kill(process.pid, 'SIGKILL');
`;

/** Kills this process that many milliseconds after the thread is up, whatever it is doing then. */
export function killAfter(ms: number): void {
  new Worker(KILLS_LATER, { eval: true, workerData: ms }).unref();
}

/** Kills this process just before or just after the saver's n-th call of `put` or `putWrites`, counted from 1. */
export class KillsAtCall extends DelegatingSaver {
  #callsLeft: number;
  readonly #isBefore: boolean;

  constructor(inner: ConstructorParameters<typeof DelegatingSaver>[0], call: number, isBefore: boolean) {
    super(inner);
    this.#callsLeft = call;
    this.#isBefore = isBefore;
  }

  override put(...given: PutArguments): Promise<Config> {
    return this.#counted(() => super.put(...given));
  }

  override putWrites(...given: PutWritesArguments): Promise<void> {
    return this.#counted(() => super.putWrites(...given));
  }

  async #counted<T>(call: () => Promise<T>): Promise<T> {
    this.#callsLeft -= 1;
    const isDue = this.#callsLeft === 0;
    if (isDue && this.#isBefore) return killNow();
    const result = await call();
    return isDue ? killNow() : result;
  }
}

function killNow(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}
