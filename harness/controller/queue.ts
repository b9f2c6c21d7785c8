// Works through a list, several at a time, until it is done or stopped.

export interface QueueSettings {
  /** Items that are worked on at the same time. */
  readonly jobs: number;
  /** Aborted: no further item is begun. */
  readonly stopStarting: AbortSignal;
  /** Aborted: those in flight are to end at once; `work` is given a signal that says so. */
  readonly stopNow: AbortSignal;
}

/**
 * Begins the items in order.
 *
 * @throws what `work` throws, after those in flight were told to stop and have ended.
 */
export async function workThrough<Item>(
  items: readonly Item[],
  { jobs, stopStarting, stopNow: stopped }: QueueSettings,
  work: (item: Item, index: number, stopNow: AbortSignal) => Promise<void>,
): Promise<void> {
  const broken = new AbortController();
  const stopNow = AbortSignal.any([stopped, broken.signal]);
  const queue = items.entries();
  const runQueue = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (stopStarting.aborted || stopNow.aborted) return;
      await work(item, index, stopNow);
    }
  };
  const workers = Array.from({ length: jobs }, () =>
    runQueue().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
