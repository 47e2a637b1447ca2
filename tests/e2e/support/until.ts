import { setTimeout as sleep } from 'node:timers/promises';

export async function until(what: string, holds: () => Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms without success for ${what}`);
    await sleep(50);
  }
}
