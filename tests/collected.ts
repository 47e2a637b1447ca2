import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECTIONS = 20;
const BETWEEN_MS = 20;

/** Collects garbage. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This Node cannot collect its garbage when asked.');
  collect();
}

/** Whether nothing keeps what `made` refers to. It may take a moment: replies and timers let go of it first. */
export async function isCollected(made: WeakRef<object>): Promise<boolean> {
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    await sleep(BETWEEN_MS);
    collectGarbage();
    if (made.deref() === undefined) return true;
  }
  return false;
}
