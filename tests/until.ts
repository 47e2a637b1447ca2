import { setTimeout as sleep } from 'node:timers/promises';

/** CI has two processors and several suites at once: what usually takes milliseconds can take many seconds there. */
const PATIENCE_MS = 30_000;

/** Waits until `holds` is true. @throws Error that names `what` after `limitMs` */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(10);
  }
}
