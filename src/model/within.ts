interface Sleeper {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The timers of the process, for those who have no clock that tests could own. */
export const TIMERS: Sleeper = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const stop = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    }),
};

/** What `step` gives, or `undefined` when it takes longer; it is not ended then. Whatever it throws, it throws. */
export async function within<T>(
  clock: Sleeper,
  step: Promise<T>,
  limitMs: number,
): Promise<{ readonly value: T } | undefined> {
  const isOver = new AbortController();
  const limit = clock.sleep(limitMs, isOver.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([step.then((value) => ({ value })), limit]);
  } finally {
    isOver.abort();
  }
}
