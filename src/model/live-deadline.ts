/**
 * The options with a deadline that counts down: each part of a call that reads `deadlineMs` gets the remaining time, so that consecutive parts
 * together do not exceed it.
 */
export function liveDeadline<T extends { readonly deadlineMs: number }>(options: T, now: () => number): T {
  const end = now() + options.deadlineMs;
  return Object.defineProperty({ ...options }, 'deadlineMs', {
    get: () => Math.max(1, end - now()),
    enumerable: true,
  });
}
