import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Desk } from './desk.ts';

const Apps = z.looseObject({ apps: z.array(z.looseObject({ pid: z.number(), accessible: z.boolean() })) });

/** Toolkits register on the accessibility bus a moment after their window is shown. */
export async function untilReadable(desk: Desk, pid: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { apps } = await desk.parse('list-apps', {}, Apps);
    if (apps.some((app) => app.pid === pid && app.accessible)) return;
    await sleep(100);
  }
  throw new Error(`process ${pid} never became readable`);
}
