import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WindowReceipt } from '../../src/model/effects/effect.ts';
import { usePlace } from './harness.ts';
import { ListedWindows } from './support/answers.ts';
import type { Reply } from './support/reply.ts';

const place = usePlace();
const Launched = z.object({ pid: z.int(), window: z.object({ id: z.string() }) });

/** What xwininfo and xprop, which the program does not use, report about a window. */
async function facts(id: string): Promise<{ bounds: number[]; states: string; active: string }> {
  const [info, properties, root] = await Promise.all([
    place().run('xwininfo', ['-id', id]),
    place().run('xprop', ['-id', id, '_NET_WM_STATE', 'WM_STATE']),
    place().run('xprop', ['-root', '_NET_ACTIVE_WINDOW']),
  ]);
  const number = (label: string): number => Number(new RegExp(`${label}: +(-?\\d+)`).exec(info)?.[1]);
  return {
    bounds: ['Absolute upper-left X', 'Absolute upper-left Y', 'Width', 'Height'].map(number),
    states: properties.replaceAll(/\s+/g, ' '),
    active: /0x[0-9a-f]+/.exec(root)?.[0] ?? '',
  };
}

interface Started {
  readonly app: string;
  /** In the notation of X11 tools. */
  readonly id: string;
}

const APPS = ['galculator', 'mousepad', 'kcalc'] as const;
const started = new Map<string, Started>();

async function start(program: string, ...args: string[]): Promise<Started> {
  const line = ['launch', program, '--wait', ...(args.length > 0 ? ['--', ...args] : [])];
  const { pid, window } = (await place().desk(line)).ok(Launched);
  // The accessibility bus may list a window before the display does; the id that it has until then is of no use.
  expect(window.id).toMatch(/^x11:/);
  return { app: String(pid), id: window.id.replace('x11:', '') };
}

function of(program: string): Started {
  const found = started.get(program);
  if (!found) throw new Error(`${program} did not start`);
  return found;
}

/** The receipt of an act that was not refused. */
function receipt(reply: Reply): WindowReceipt {
  return reply.ok(WindowReceipt);
}

beforeAll(async () => {
  for (const program of APPS) started.set(program, await start(program));
});

describe.each(APPS)('the window of %s', (program) => {
  const desk = (command: string, ...args: string[]): Promise<Reply> =>
    place().desk([command, '--app', of(program).app, ...args]);
  const other = (): Started => of(APPS.find((name) => name !== program) ?? '');

  it('is moved and resized to the pixel, in the background', async () => {
    await place().desk(['focus-window', '--app', other().app]);
    const moved = receipt(await desk('move-window', '311', '207'));
    expect(moved).toMatchObject({ effect: 'confirmed', via: 'x11:_NET_MOVERESIZE_WINDOW', delivered: true });
    expect((await facts(of(program).id)).bounds.slice(0, 2)).toEqual([311, 207]);
    const resized = receipt(await desk('resize-window', '523', '437'));
    expect(resized.window.bounds).toEqual({ x: 311, y: 207, width: 523, height: 437 });
    const { bounds, active } = await facts(of(program).id);
    expect({ bounds, active }).toEqual({ bounds: [311, 207, 523, 437], active: other().id });
    expect(receipt(await desk('move-window', '311', '207'))).toMatchObject({
      already: true,
      delivered: false,
    });
  });

  it('is minimized and restored without taking the focus', async () => {
    await place().desk(['focus-window', '--app', other().app]);
    expect(receipt(await desk('minimize'))).toMatchObject({
      effect: 'confirmed',
      window: { minimized: true },
    });
    expect(await facts(of(program).id)).toMatchObject({
      states: expect.stringMatching(/_NET_WM_STATE_HIDDEN.*Iconic/),
      active: other().id,
    });
    expect(receipt(await desk('minimize'))).toMatchObject({ already: true, evidence: ['already minimized'] });
    expect(receipt(await desk('restore'))).toMatchObject({
      effect: 'confirmed',
      window: { minimized: false },
    });
    expect((await facts(of(program).id)).states).toContain('window state: Normal');
  });

  it('is maximized and restored to its size; while maximized it cannot be moved', async () => {
    const before = (await facts(of(program).id)).bounds;
    expect(receipt(await desk('maximize')).window).toMatchObject({ maximized: true });
    expect((await facts(of(program).id)).states).toMatch(/MAXIMIZED_VERT.*MAXIMIZED_HORZ/);
    const refused = await desk('move-window', '40', '60');
    expect(refused.error('ACTION_FAILED').suggestion).toContain('desk restore');
    expect(refused.exitCode).toBe(4);
    expect(refused.json).toMatchObject({ effect: 'no_op', window: { maximized: true }, retry_safe: true });
    expect(receipt(await desk('restore')).window.maximized).toBeUndefined();
    expect((await facts(of(program).id)).bounds.slice(2)).toEqual(before.slice(2));
    // The window manager may have placed it next to the position that it reports.
    expect(receipt(await desk('move-window', '311', '207'))).toMatchObject({ effect: 'confirmed' });
    expect((await facts(of(program).id)).bounds.slice(0, 2)).toEqual([311, 207]);
  });

  it('gets the focus', async () => {
    await place().desk(['focus-window', '--app', other().app]);
    const focused = receipt(await desk('focus-window'));
    expect(focused).toMatchObject({ effect: 'confirmed', window: { focused: true } });
    expect(focused.evidence).toContain('the display server sends keys to it');
    expect(focused.changes).toContainEqual(
      expect.objectContaining({ kind: 'focus', ref: focused.window.ref }),
    );
    expect((await facts(of(program).id)).active).toBe(of(program).id);
    expect(receipt(await desk('focus-window'))).toMatchObject({ already: true });
  });
});

it('reports the real size of a window that cannot become as small as requested', async () => {
  const reply = await place().desk(['resize-window', '20', '20', '--app', of('galculator').app]);
  expect(reply.error('ACTION_FAILED').message).toContain('took effect only in part');
  const { window, effect } = WindowReceipt.parse(reply.json);
  const [, , width, height] = (await facts(of('galculator').id)).bounds;
  expect({ effect, width: window.bounds?.width, height: window.bounds?.height }).toEqual({
    effect: 'partial',
    width,
    height,
  });
  expect(width).toBeGreaterThan(20);
});

it('names the dialog if a window asks whether to save and stays open', async () => {
  const { app, id } = of('mousepad');
  const found = await place().desk(['find', '--role', 'textbox', '--app', app]);
  const ref = /"ref":"(@e\d+)"/.exec(found.stdout)?.[1] ?? '';
  expect((await place().desk(['set-value', ref, 'unsaved'])).receipt.effect).toBe('confirmed');
  const reply = await place().desk(['close-window', '--app', app]);
  const { suggestion, delivered } = reply.error('ACTION_FAILED');
  const { effect, changes, evidence } = WindowReceipt.parse(reply.json);
  expect({ effect, delivered }).toEqual({ effect: 'partial', delivered: true });
  expect(evidence).toContain('the window is still open');
  const question = changes?.find(({ kind }) => kind === 'window_opened')?.ref ?? '';
  expect(suggestion).toContain(question);
  expect(await place().run('xprop', ['-id', id, 'WM_STATE'])).toContain('Normal');
  expect((await place().desk(['snapshot', '--window', question, '--format', 'outline'])).stdout).toContain(
    'button',
  );
});

it('no longer finds a window that has closed', async () => {
  const { app, id } = await start('galculator');
  const closed = receipt(await place().desk(['close-window', '--app', app]));
  expect(closed).toMatchObject({ effect: 'confirmed', window: { id: `x11:${id}` }, retry_safe: false });
  await expect(place().run('xprop', ['-id', id, 'WM_STATE'])).rejects.toThrow('xprop');
  const again = await place().desk(['minimize', '--window', closed.window.ref]);
  expect(again.error('WINDOW_NOT_FOUND').delivered).toBe(false);
});

it('moves a window right after its launch', async () => {
  const { pid } = (await place().desk(['launch', 'kcalc', '--wait'])).ok(Launched);
  const moved = receipt(await place().desk(['move-window', '77', '88', '--app', String(pid)]));
  expect(moved).toMatchObject({ effect: 'confirmed', window: { bounds: { x: 77, y: 88 } } });
});

it('a program that is running already shows what a second start opens in it', async () => {
  const file = join(place().folder, 'second-start.txt');
  await writeFile(file, 'text\n');
  const again = await place().desk(['launch', 'mousepad', '--wait', '--', file]);
  const seen = again.ok(Launched.extend({ already_running: z.array(z.string()) }));
  expect(String(seen.pid)).toBe(of('mousepad').app);
  expect(seen.already_running.join()).toContain('second-start.txt');
  const { windows } = (await place().desk(['list-windows', '--app', String(seen.pid)])).ok(ListedWindows);
  expect(windows.find(({ id }) => id === seen.window.id)?.title).toContain('second-start.txt');
});

it('moves a window of a frozen application', async () => {
  const { app, id } = await start('galculator');
  process.kill(Number(app), 'SIGSTOP');
  try {
    const moved = receipt(await place().desk(['move-window', '55', '66', '--window', `x11:${id}`]));
    expect(moved.effect).toBe('confirmed');
    expect((await facts(id)).bounds.slice(0, 2)).toEqual([55, 66]);
  } finally {
    process.kill(Number(app), 'SIGCONT');
  }
});

it('sends no request that the window manager does not support', async () => {
  const { id, app } = await start('galculator');
  const known = (await place().run('xprop', ['-root', '_NET_SUPPORTED'])).replace(/^.*= /s, '').trim();
  const support = (names: string): Promise<string> =>
    place().run('xprop', ['-root', '-f', '_NET_SUPPORTED', '32a', '-set', '_NET_SUPPORTED', names]);
  const before = await facts(id);
  await support('_NET_ACTIVE_WINDOW');
  try {
    for (const line of [
      ['move-window', '1', '2'],
      ['resize-window', '300', '300'],
      ['maximize'],
      ['minimize'],
    ]) {
      const refused = (await place().desk([...line, '--app', app])).error('ACTION_NOT_SUPPORTED');
      expect(refused).toMatchObject({
        delivered: false,
        message: expect.stringContaining('does not support _NET_'),
      });
    }
    expect((await facts(id)).bounds).toEqual(before.bounds);
  } finally {
    await support(known);
  }
});
