// One at a time for each thread of this process: what is captured before a run and rewritten for it must be one.

import AsyncLock from 'async-lock';

/** Locks of threads, by id. Other processes are not kept out: a thread is run by one process at a time. */
export class ThreadLocks {
  readonly #lock = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY });

  /** Runs `job` when all earlier jobs of the thread have ended. A job that takes the lock of its own thread waits for ever. */
  hold<T>(threadId: string, job: () => Promise<T>): Promise<T> {
    return this.#lock.acquire(threadId, job);
  }
}
