/**
 * The same options with a deadline that runs down: each part of a call that reads `deadlineMs` gets what is left of the whole, so that parts
 * which wait one after the other do not each take all of it.
 */
export function liveDeadline<T extends { readonly deadlineMs: number }>(options: T, now: () => number): T {
  const end = now() + options.deadlineMs;
  return Object.defineProperty({ ...options }, 'deadlineMs', {
    get: () => Math.max(1, end - now()),
    enumerable: true,
  });
}
