import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../../harness.ts';
import { ListedWindows } from '../answers.ts';
import type { Reader } from '../reader.ts';
import { until } from '../subjects.ts';
import type { Checks } from './check.ts';

const SAVING_MS = 1500;

/** Applications and windows, judged by the X server and the system. */
export const WINDOW_CHECKS: Checks = {
  launch: async (reader) => {
    const before = await windowsOf(reader);
    await reader.subject.openSecond();
    let second: string | undefined;
    await until('a second window', async () => {
      second = (await windowsOf(reader)).find((id) => !before.includes(id));
      return second !== undefined;
    });
    reader.refs.set('second', second ?? '');
    if (!isRunning(reader.subject.pid)) throw new Error('the first one has exited');
  },
  'focus-window': async (reader) => {
    const [main, second] = [await mainOf(reader), secondOf(reader)];
    // Some start maximized, and then cannot be moved.
    await reader.say('restore', '--window', `x11:${main}`);
    for (const id of [second, main])
      await reader.performs(
        ['focus-window', '--window', `x11:${id}`],
        async () => (await facts(reader.place, id)).active === id,
      );
  },
  'move-window': (reader) =>
    arranges(reader, ['move-window', '60', '70'], ({ x, y }) => x === 60 && y === 70),
  'resize-window': (reader) =>
    arranges(reader, ['resize-window', '1100', '780'], (now) => now.width === 1100 && now.height === 780),
  minimize: (reader) => arranges(reader, ['minimize'], ({ states }) => states.includes('HIDDEN')),
  maximize: (reader) =>
    arranges(reader, ['maximize'], ({ states }) => /MAXIMIZED_VERT.*MAXIMIZED_HORZ/.test(states)),
  restore: (reader) => arranges(reader, ['restore'], ({ states }) => !/MAXIMIZED|HIDDEN/.test(states)),
  'close-window': async (reader) => {
    const second = secondOf(reader);
    await reader.performs(
      ['close-window', '--window', `x11:${second}`],
      async () => !(await reader.place.run('xprop', ['-root', '_NET_CLIENT_LIST'])).includes(second),
    );
    if (!isRunning(reader.subject.pid)) throw new Error('the first application has exited too');
  },
  'close-app': async (reader) => {
    await reader.subject.saveAll?.();
    // An application that is still saving, such as Calc, may ignore the request to close.
    await sleep(SAVING_MS);
    await reader.performs(['close-app', reader.app], async () => !isRunning(reader.subject.pid));
  },
};

async function arranges(
  reader: Reader,
  args: readonly string[],
  holds: (now: Awaited<ReturnType<typeof facts>>) => boolean,
): Promise<void> {
  const id = await mainOf(reader);
  await reader.performs([...args, '--window', `x11:${id}`], async () => holds(await facts(reader.place, id)));
}

async function windowsOf(reader: Reader): Promise<string[]> {
  const { windows } = (await reader.say('list-windows', '--include-minimized')).ok(ListedWindows);
  // An application may report a window a moment before the display does.
  return windows.flatMap(({ id }) => (id.startsWith('x11:') ? [id.replace('x11:', '')] : []));
}

async function mainOf(reader: Reader): Promise<string> {
  const known = reader.refs.get('main');
  if (known !== undefined) return known;
  const { windows } = (await reader.say('list-windows', '--app', reader.app)).ok(ListedWindows);
  const main = windows.find(({ title }) => title.includes(reader.subject.windowTitle));
  const id = main?.id.replace('x11:', '') ?? '';
  reader.refs.set('main', id);
  return id;
}

function secondOf(reader: Reader): string {
  const second = reader.refs.get('second');
  if (second === undefined) throw new Error('there is no second window');
  return second;
}

async function facts(place: Place, id: string) {
  const [info, properties, root] = await Promise.all([
    place.run('xwininfo', ['-id', id]),
    place.run('xprop', ['-id', id, '_NET_WM_STATE', '_GTK_FRAME_EXTENTS']),
    place.run('xprop', ['-root', '_NET_ACTIVE_WINDOW']),
  ]);
  const number = (label: string): number => Number(new RegExp(`${label}: +(-?\\d+)`).exec(info)?.[1]);
  // Shadows drawn by the toolkit are part of the X window, but not of the window that people see.
  const shadows = /EXTENTS.*= ([\d, ]+)/.exec(properties)?.[1] ?? '0, 0, 0, 0';
  const [left = 0, right = 0, top = 0, bottom = 0] = shadows.split(', ').map(Number);
  return {
    x: number('Absolute upper-left X') + left,
    y: number('Absolute upper-left Y') + top,
    width: number('Width') - left - right,
    height: number('Height') - top - bottom,
    states: properties.replaceAll(/\s+/g, ' '),
    active: /0x[0-9a-f]+/.exec(root)?.[0] ?? '',
  };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
