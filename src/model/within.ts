interface Sleeper {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The timers of the process, for code without a clock that tests control. */
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

/** The result of `step`, or `undefined` if it takes longer than `limitMs`; it is not cancelled then. Rejects if `step` does. */
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
