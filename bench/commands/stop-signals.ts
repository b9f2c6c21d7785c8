// Turns SIGINT, SIGTERM and SIGHUP into two abort signals: finish what runs, or stop at once.

export interface StopSignals {
  /** First SIGINT: start nothing new. */
  readonly stopStarting: AbortSignal;
  /** Second SIGINT, or SIGTERM or SIGHUP: kill what runs. */
  readonly stopNow: AbortSignal;
  /** Gives the signals back to their former handling. */
  release(): void;
}

/** @param onFirst is called at the first SIGINT, to say what happens now. */
export function listenForStop(onFirst: () => void): StopSignals {
  const stopStarting = new AbortController();
  const stopNow = new AbortController();
  const onInterrupt = () => {
    if (stopStarting.signal.aborted) {
      stopNow.abort();
      return;
    }
    stopStarting.abort();
    onFirst();
  };
  const onTerminate = () => {
    stopStarting.abort();
    stopNow.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  process.on('SIGHUP', onTerminate);
  return {
    stopStarting: stopStarting.signal,
    stopNow: stopNow.signal,
    release: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      process.off('SIGHUP', onTerminate);
    },
  };
}
