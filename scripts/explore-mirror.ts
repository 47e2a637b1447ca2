import { setTimeout as sleep } from 'node:timers/promises';
import type { FixtureKind } from '../fixtures/driver.ts';
import { Stage } from '../tests/linux/long-lived/stage.ts';
import { seededRandom } from './proof/row.ts';
import { differences } from './proof/mirror/compare.ts';
import { mutate, randomMutation } from './proof/mirror/mutations.ts';

const [kind, count = '100', whole = 'false', seed = '1'] = process.argv.slice(2);
const stage = await Stage.open();
try {
  const fixture = await stage.start(kind as FixtureKind);
  const random = seededRandom(Number(seed));
  const window = await stage.window(fixture.pid);
  const read = (fresh: boolean) => stage.desktop.readTree({ deadlineMs: 8000, root: window.root, wholeTree: whole === 'true', maxNodes: 20000, includeActions: false, mirrored: !fresh });
  await read(false); await sleep(500); await read(false);
  const classes = new Map<string, { count: number; example: string }>();
  let applied = 0; const log: unknown[] = []; const ms = { warm: [] as number[], fresh: [] as number[] }; let warmCalls = 0, freshCalls = 0;
  for (let i = 0; i < Number(count); i++) {
    const mutation = randomMutation(fixture.kind, random);
    if (process.env['DEBUGM']) console.log(i, JSON.stringify(mutation));
    if (!(await mutate(fixture, mutation))) continue;
    applied++; log.push(mutation);
    await sleep(kind === 'gtk4' ? 200 : 120);
    let t = performance.now(); let mirrored = await read(false); ms.warm.push(performance.now() - t); warmCalls += mirrored.callCount;
    t = performance.now(); let fresh = await read(true); ms.fresh.push(performance.now() - t); freshCalls += fresh.callCount;
    let found = differences(mirrored, fresh);
    if (found.length > 0) { await sleep(400); mirrored = await read(false); fresh = await read(true); found = differences(mirrored, fresh); }
    if (process.env['STOP'] && found.length > 0) { console.log(i, JSON.stringify(mutation), log.slice(-6).map((m) => JSON.stringify(m)).join('\n'), JSON.stringify(found, null, 1)); break; }
    for (const d of found) {
      const key = `${mutation.op} ${String(mutation.fields['property'] ?? '')} -> ${d.role}.${d.field}`;
      const entry = classes.get(key) ?? { count: 0, example: `${JSON.stringify(mutation.fields)} at ${d.place}: ${d.mirrored.slice(0, 200)} fresh ${d.fresh.slice(0, 200)}` };
      entry.count++; classes.set(key, entry);
    }
  }
  const median = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1];
  console.log(kind, 'applied', applied, 'warm', median(ms.warm), 'fresh', median(ms.fresh), 'calls', warmCalls / applied, freshCalls / applied);
  for (const [key, { count: n, example }] of classes) console.log(n, key, '\n     ', example);
} finally {
  await stage.close();
}
