import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Desk } from './desk.ts';

const Apps = z.looseObject({ apps: z.array(z.looseObject({ pid: z.number(), accessible: z.boolean() })) });

/** Toolkits register on the accessibility bus a moment after their window is shown, and may answer nothing while they start on a busy machine. */
export async function untilReadable(desk: Desk, pid: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = Apps.safeParse(await desk.call('list-apps'));
    if (answer.data?.apps.some((app) => app.pid === pid && app.accessible) === true) return;
    await sleep(100);
  }
  throw new Error(`process ${pid} never became readable`);
}
