import { setTimeout as sleep } from 'node:timers/promises';
import type { InputConnection } from './input-connection.ts';

const RETRY_MS = 20;

/**
 * Releases keys and buttons that a process held when it ended. Those of a running process stay down: it owns the lock.
 * @param waitMs how long to wait for the lock: the server may not have noticed yet that its owner ended
 */
export async function releaseOrphans(connection: InputConnection, waitMs = 0): Promise<void> {
  const { held, lock } = connection;
  const end = performance.now() + waitMs;
  while (await held.isRecorded()) {
    const holder = await lock.tryTake('releasing held keys');
    if (holder === undefined) {
      try {
        await connection.releaseLeftOver();
      } finally {
        await lock.release();
      }
      return;
    }
    if (performance.now() >= end) return;
    await sleep(RETRY_MS);
  }
}
