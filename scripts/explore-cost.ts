import { setTimeout as sleep } from 'node:timers/promises';
import type { FixtureKind } from '../fixtures/driver.ts';
import { Stage } from '../tests/linux/long-lived/stage.ts';
const [kind] = process.argv.slice(2);
const stage = await Stage.open();
try {
  const fixture = await stage.start(kind as FixtureKind);
  const window = await stage.window(fixture.pid);
  const d = stage.desktop;
  const read = (fresh: boolean) => d.readTree({ deadlineMs: 8000, root: window.root, wholeTree: false, maxNodes: 20000, includeActions: false, mirrored: !fresh });
  await read(false); await sleep(500); await read(false);
  const time = async (what: string, work: () => Promise<unknown>) => { const all: number[] = []; for (let i = 0; i < 41; i++) { const t = performance.now(); await work(); all.push(performance.now() - t); } all.sort((a, b) => a - b); console.log(what, all[20]!.toFixed(2), 'min', all[0]!.toFixed(2)); };
  await time('fresh', () => read(true));
  await time('warm', () => read(false));
  await time('fresh', () => read(true));
  await time('warm', () => read(false));
  await time('windows', () => d.listWindows({ deadlineMs: 5000 }));
  await time('describe', () => d.describe(window.root, { deadlineMs: 5000 }));
  const r = await read(false); console.log(r.nodeCount, r.callCount);
} finally { await stage.close(); }
