import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeHandle } from '../../../src/model/tree/node.ts';
import { CALL, Stage } from './stage.ts';

/**
 * A process that lives long, in short: the same rounds again and again, the heap after each. Prints one JSON object for each phase. To be
 * run with --expose-gc.
 */
const ROUNDS = 12;
const SNAPSHOTS = 12;
const WATCHES = 30;
const LAUNCHES = 3;
const ACTS = 8;

const collect = globalThis.gc;
if (!collect) throw new Error('Run it with --expose-gc.');

async function heapBytes(): Promise<number> {
  // What a reply or a timer still held is let go of first.
  for (let pass = 0; pass < 2; pass++) {
    await sleep(20);
    collect?.();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(phase: string, round: () => Promise<void>): Promise<void> {
  const heap: number[] = [];
  for (let index = 0; index < ROUNDS; index++) {
    await round();
    heap.push(await heapBytes());
  }
  process.stdout.write(`${JSON.stringify({ phase, heap })}\n`);
}

const stage = await Stage.open();
try {
  const fixtures = [await stage.start('gtk3'), await stage.start('gtk4'), await stage.start('qt6')];
  const roots: NodeHandle[] = [];
  for (const { pid } of fixtures) roots.push((await stage.window(pid)).root);

  await measure('snapshots', async () => {
    for (let index = 0; index < SNAPSHOTS; index++) {
      const root = roots[index % roots.length];
      await stage.desktop.listWindows(CALL);
      if (root) await stage.read(root);
    }
  });
  const toggled = await stage.checkbox(roots[0]);
  await measure('acts', async () => {
    for (let index = 0; index < ACTS; index++) await stage.desktop.perform(toggled, 'toggle', CALL);
  });
  await measure('watches', async () => {
    for (let index = 0; index < WATCHES; index++) {
      const stop = await stage.desktop.watch(() => undefined, { ...CALL, appId: roots[index % 2]?.app });
      stop();
    }
  });
  await measure('launches', async () => {
    for (let index = 0; index < LAUNCHES; index++) {
      const app = await stage.desktop.launch({ app: 'galculator', args: [], cwd: '/', ...CALL });
      const { root } = await stage.window(app.pid);
      await stage.read(root);
      await stage.desktop.closeApp(app.pid, { ...CALL, force: true });
      await app.exited;
    }
    await stage.desktop.listWindows(CALL);
  });
} finally {
  await stage.close();
}
