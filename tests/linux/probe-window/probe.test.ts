import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import type { ProbeEvent, ProbeWindow } from '../../../src/ports/probe-window.ts';
import { until } from '../../until.ts';

const WAIT = { deadlineMs: 5000 };
const TEXT = 'zażółć 語 😀';
const Box = z.tuple([z.int(), z.int(), z.int(), z.int()]);
const Facts = z.object({
  pid: z.int(),
  toolkit: z.string(),
  parent: z.string(),
  frame: Box,
  elements: z.array(z.tuple([z.string(), z.string(), z.int(), Box])),
  heard: z.array(z.tuple([z.string(), z.string(), z.int(), z.int()])),
  text: z.string(),
  level: z.number(),
  range: z.array(z.number()),
  ticked: z.boolean(),
});

let place: PrivateDesktop;
let desktop: LinuxDesktop;
/** Of another program, and active. */
let other: ProbeWindow;

async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env: { ...place.environment } });
  return stdout.trim();
}

function active(): Promise<string> {
  return run('xprop', '-root', '_NET_ACTIVE_WINDOW');
}

beforeAll(async () => {
  place = await PrivateDesktop.start({ deadlineMs: 30_000 });
  desktop = new LinuxDesktop(place.environment);
  other = await desktop.openProbe(WAIT);
  await desktop.controlWindow(other.windowId, { kind: 'focus' }, WAIT);
  await until(async () => (await active()).includes(hex(other)), 'the other window');
});
afterAll(async () => {
  await other.close();
  await desktop.close();
  await place.stop();
});

function hex({ windowId }: ProbeWindow): string {
  return windowId.replace('x11:', '');
}

it('is an ordinary window that does not take the focus, and leaves nothing behind', async () => {
  const before = await active();
  const probe = await desktop.openProbe(WAIT);
  const id = hex(probe);
  expect(await run('xprop', '-id', id, '_NET_WM_PID', 'WM_CLASS', '_NET_WM_NAME', '_NET_WM_STATE')).toBe(
    [
      `_NET_WM_PID(CARDINAL) = ${process.pid}`,
      'WM_CLASS(STRING) = "deskterity-probe", "Deskterity-probe"',
      `_NET_WM_NAME(UTF8_STRING) = "${probe.title}"`,
      '_NET_WM_STATE(ATOM) = _NET_WM_STATE_SKIP_TASKBAR, _NET_WM_STATE_SKIP_PAGER',
    ].join('\n'),
  );
  expect(await run('xwininfo', '-id', id)).toMatch(/Map State: IsViewable\n\s+Override Redirect State: no/);
  expect(await active()).toBe(before);
  expect(await probe.hasKeyboard(WAIT)).toBe(false);
  const title = new RegExp(probe.title);
  expect(await run('xwininfo', '-root', '-tree')).toMatch(title);
  await probe.close();
  await probe.close();
  expect(await run('xwininfo', '-root', '-tree')).not.toMatch(title);
  expect((await desktop.listApps(WAIT)).map(({ name }) => name)).toEqual([other.title]);
  expect(await active()).toBe(before);
  expect(await probe.until(() => false, WAIT)).toBe(false);
});

it('can be read and controlled by libatspi, and receives every action', async () => {
  const probe = await desktop.openProbe(WAIT);
  const script = fileURLToPath(new URL('./libatspi.py', import.meta.url));
  const facts = Facts.parse(JSON.parse(await run('/usr/bin/python3', script, probe.title, TEXT)));
  const { x, y, width, height } = await probe.bounds(WAIT);
  const line = /Absolute upper-left X:\s+(\d+)\s+Absolute upper-left Y:\s+(\d+)/;
  const [, left, top] = line.exec(await run('xwininfo', '-id', hex(probe))) ?? [];
  expect([x, y]).toEqual([Number(left), Number(top)]);
  expect(facts).toEqual({
    pid: process.pid,
    toolkit: 'deskterity',
    parent: probe.title,
    frame: [x, y, width, height],
    elements: [
      ['push button', 'Press', 0, [x + 10, y + 10, 115, 30]],
      ['check box', 'Tick', 1, [x + 135, y + 10, 115, 30]],
      ['entry', 'Text', 2, [x + 10, y + 60, 240, 30]],
      ['slider', 'Level', 3, [x + 10, y + 110, 240, 30]],
    ],
    heard: [
      ['object:state-changed:checked', 'Tick', 1, 0],
      ['object:text-changed:insert', 'Text', 0, 3],
      ['object:text-changed:delete', 'Text', 0, 3],
      ['object:text-changed:insert', 'Text', 0, Array.from(TEXT).length],
      ['object:property-change:accessible-value', 'Level', 0, 0],
    ],
    text: TEXT,
    // As far as it goes.
    level: 100,
    range: [0, 100],
    ticked: true,
  });
  expect([probe.content, probe.record]).toEqual([{ text: TEXT, level: 100 }, [{ kind: 'pressed' }]]);
  await probe.close();
});

it('records what pointer and keyboard do to it', async () => {
  const probe = await desktop.openProbe(WAIT);
  await run('xdotool', 'windowactivate', '--sync', hex(probe));
  expect(await probe.hasKeyboard(WAIT)).toBe(true);
  const bounds = await probe.bounds(WAIT);
  const [x, y] = [bounds.x + 33, bounds.y + 44];
  await run('xdotool', 'mousemove', `${x}`, `${y}`, 'click', '1', 'click', '3');
  await run('xdotool', 'key', 'shift+7');
  const wanted: readonly ProbeEvent[] = [
    { kind: 'motion', x, y },
    ...(['left', 'right'] as const).flatMap((button) =>
      [true, false].map((isDown) => ({ kind: 'button', button, isDown, x, y }) as const),
    ),
    { kind: 'key', isDown: true, means: 'Shift' },
    { kind: 'key', isDown: true, means: '&' },
    // As xdotool lets go of them.
    { kind: 'key', isDown: false, means: 'Shift' },
    { kind: 'key', isDown: false, means: '7' },
  ];
  await probe.until((record) => record.length >= wanted.length, WAIT);
  expect(probe.record).toEqual(wanted);
  await probe.close();
});

it('can be covered, and survives a click on its close button', async () => {
  const probe = await desktop.openProbe(WAIT);
  const colourAt = async (): Promise<readonly number[]> => {
    const { x, y } = await probe.bounds(WAIT);
    const region = { x: x + 5, y: y + 5, width: 1, height: 1 };
    const { bgrx } = await desktop.capture({ kind: 'region', bounds: region }, WAIT);
    return [...bgrx.subarray(0, 3)];
  };
  await run('xdotool', 'windowactivate', '--sync', hex(probe));
  await expect.poll(colourAt).toEqual([255, 0, 255]);
  const uncover = await probe.cover(WAIT);
  await expect.poll(colourAt).toEqual([0, 0, 0]);
  await uncover();
  await expect.poll(colourAt).toEqual([255, 0, 255]);
  await desktop.controlWindow(probe.windowId, { kind: 'close' }, WAIT);
  // Time in which it would have closed.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await probe.until(() => true, WAIT)).toBe(true);
  expect((await probe.bounds(WAIT)).width).toBeGreaterThan(0);
  await probe.close();
});

it('has its own clipboard', async () => {
  const probe = await desktop.openProbe(WAIT);
  const content = { kind: 'text', text: TEXT } as const;
  await desktop.clipboard.write({ content: { kind: 'text', text: 'theirs' }, outlivesCall: true, ...WAIT });
  await probe.clipboard.write({ content, outlivesCall: true, ...WAIT });
  expect(await probe.clipboard.read('text', WAIT)).toEqual(content);
  await probe.clipboard.clear(WAIT);
  expect(await desktop.clipboard.read('text', WAIT)).toEqual({ kind: 'text', text: 'theirs' });
  await probe.close();
});
