import type { ClockPort } from '../ports/clock.ts';

/** What `step` gives, or `undefined` when it takes longer; it is not ended then. Whatever it throws, it throws. */
export async function within<T>(
  clock: ClockPort,
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
