/**
 * The options with a deadline that counts down: each part of a call that reads `deadlineMs` gets the remaining time, so that consecutive parts
 * together do not exceed it.
 */
export function liveDeadline<T extends { readonly deadlineMs: number }>(
  options: T,
  clock: { now(): number },
): T {
  const end = clock.now() + options.deadlineMs;
  return Object.defineProperty({ ...options }, 'deadlineMs', {
    get: () => Math.max(1, end - clock.now()),
    enumerable: true,
  });
}
