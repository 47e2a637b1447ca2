import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeSpreadsheet } from '../../../fixtures/documents/spreadsheet.ts';
import { startHostileProcess } from '../../../fixtures/hostile/hostile-process.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { BusMonitor, hasBusMonitor } from './support/bus-monitor.ts';
import { Desk } from './support/desk.ts';

const SOFFICE = '/usr/bin/soffice';
const GROWTH_LIMIT_KB = 200 * 1024;
const ENDLESS = '/org/a11y/atspi/accessible/2';
const Launched = z.looseObject({ ok: z.literal(true), pid: z.number() });
const Snapshot = z.looseObject({ ok: z.literal(true), node_count: z.number() });

let desktop: PrivateDesktop;
let desk: Desk;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-traps-'));
  desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
  desk = new Desk(desktop);
});
afterAll(async () => {
  await desk.close();
  await desktop.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a container with two billion children', () => {
  it('never has its children requested', async ({ skip }) => {
    skip(!hasBusMonitor, 'dbus-monitor is not installed');
    const address = desktop.accessibilityBusAddress;
    const hostile = await startHostileProcess({ address, scenario: 'false_count', deadlineMs: 20_000 });
    const monitor = await BusMonitor.start(address);
    const app = String(hostile.pid);
    for (const whole_tree of [false, true])
      expect(await desk.call('snapshot', { app, whole_tree, timeout_ms: 3000 })).toMatchObject({ ok: true });
    await desk.call('find', { app, query: 'True 6' });
    await desk.call('get', { property: 'tree-stats', app });
    const calls = await monitor.settled();
    await monitor.stop();
    await hostile.stop();
    // Its count was asked, so it was met.
    expect(calls.some(({ path, member }) => path === ENDLESS && member === 'Get')).toBe(true);
    expect(calls.filter(({ path, member }) => path === ENDLESS && member === 'GetChildren')).toEqual([]);
    expect(calls.filter(({ member }) => member === 'GetMatches')).toEqual([]);
  });

  it('does not make LibreOffice Calc grow or become slow', async ({ skip }) => {
    skip(!existsSync(SOFFICE), 'LibreOffice is not installed');
    const { path } = await writeSpreadsheet(join(folder, 'sheet.fods'));
    const launch = { app: 'soffice', args: ['--calc', path], wait: true, timeout_ms: 60_000 };
    const { pid } = await desk.parse('launch', launch, Launched);
    await desk.call('wait', { window: 'sheet.fods', timeout_ms: 30_000 });
    const app = String(pid);
    expect((await desk.parse('snapshot', { app, timeout_ms: 20_000 }, Snapshot)).node_count).toBeGreaterThan(
      100,
    );
    const before = residentKb(pid);
    for (const [command, input] of [
      ['snapshot', { app, whole_tree: true, timeout_ms: 20_000 }],
      ['snapshot', { app, include_actions: true, include_bounds: true, timeout_ms: 20_000 }],
      ['find', { app, query: 'Total', timeout_ms: 20_000 }],
      ['find', { app, query: 'no such thing', whole_tree: true, timeout_ms: 20_000 }],
      ['get', { property: 'tree-stats', app, timeout_ms: 20_000 }],
      ['focused', { app, timeout_ms: 20_000 }],
    ] as const)
      expect(await desk.call(command, input)).toMatchObject({ ok: true });
    const sheet = await desk.ref(pid, 'Sheet Prices', 'table');
    await desk.call('get', { property: 'attributes', ref: sheet });
    await desk.call('snapshot', { root: sheet, timeout_ms: 20_000 });
    expect(residentKb(pid) - before).toBeLessThan(GROWTH_LIMIT_KB);
    const started = performance.now();
    expect(await desk.call('list-windows', { app })).toMatchObject({ ok: true, count: 1 });
    expect(performance.now() - started).toBeLessThan(2000);
    await desk.call('close-app', { app, force: true });
  }, 180_000);
});

it('no code can send calls that crash applications', async () => {
  const folders = ['src/platform/linux', 'src/engine', 'src/commands'];
  const { readdir } = await import('node:fs/promises');
  const files = (
    await Promise.all(
      folders.map(async (each) =>
        (await readdir(each, { recursive: true }))
          .filter((file) => file.endsWith('.ts'))
          .map((file) => join(each, file)),
      ),
    )
  ).flat();
  expect(files.length).toBeGreaterThan(50);
  const guilty = files.filter((file) => /['"`](GetAll|GetMatches)['"`]/.test(readFileSync(file, 'utf8')));
  expect(guilty).toEqual([]);
});

function residentKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
