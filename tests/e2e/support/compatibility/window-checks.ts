import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListedWindows } from '../answers.ts';
import type { Reader } from '../reader.ts';
import { until } from '../../../until.ts';
import { witnessOf, type WindowFacts } from '../witness/witness.ts';
import type { Checks } from './check.ts';

const SAVING_MS = 1500;

/** Applications and windows, judged by the display and the system. */
export const WINDOW_CHECKS: Checks = {
  launch: async (reader) => {
    const before = await windowsOf(reader);
    await reader.subject.openSecond();
    let second: string | undefined;
    await until(async () => {
      second = (await windowsOf(reader)).find((id) => !before.includes(id));
      return second !== undefined;
    }, 'a second window');
    reader.refs.set('second', second ?? '');
    if (!isRunning(reader.subject.pid)) throw new Error('the first one has exited');
  },
  'focus-window': async (reader) => {
    const [main, second] = [await mainOf(reader), secondOf(reader)];
    // Some start maximized, and then cannot be moved.
    await reader.say('restore', '--window', main);
    for (const id of [second, main])
      await reader.performs(
        ['focus-window', '--window', id],
        async () => (await witnessOf(reader.place).facts(id)).isActive,
      );
  },
  'move-window': (reader) =>
    arranges(reader, ['move-window', '60', '70'], ({ x, y }) => x === 60 && y === 70),
  'resize-window': (reader) =>
    arranges(reader, ['resize-window', '1100', '780'], (now) => now.width === 1100 && now.height === 780),
  minimize: (reader) => arranges(reader, ['minimize'], ({ isMinimized }) => isMinimized),
  maximize: (reader) => arranges(reader, ['maximize'], ({ isMaximized }) => isMaximized),
  restore: (reader) =>
    arranges(reader, ['restore'], ({ isMaximized, isMinimized }) => !isMaximized && !isMinimized),
  'close-window': async (reader) => {
    const second = secondOf(reader);
    await reader.performs(
      ['close-window', '--window', second],
      async () => !(await witnessOf(reader.place).hasWindow(second)),
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
  holds: (now: WindowFacts) => boolean,
): Promise<void> {
  const id = await mainOf(reader);
  const witness = witnessOf(reader.place);
  await reader.performs([...args, '--window', id], async () => holds(await witness.facts(id)));
}

async function windowsOf(reader: Reader): Promise<string[]> {
  const { windows } = (await reader.say('list-windows', '--include-minimized')).ok(ListedWindows);
  // An application may report a window a moment before the display does.
  const { prefix } = witnessOf(reader.place);
  return windows.flatMap(({ id }) => (id.startsWith(prefix) ? [id] : []));
}

async function mainOf(reader: Reader): Promise<string> {
  const known = reader.refs.get('main');
  if (known !== undefined) return known;
  const { windows } = (await reader.say('list-windows', '--app', reader.app)).ok(ListedWindows);
  const main = windows.find(({ title }) => title.includes(reader.subject.windowTitle));
  const id = main?.id ?? '';
  reader.refs.set('main', id);
  return id;
}

function secondOf(reader: Reader): string {
  const second = reader.refs.get('second');
  if (second === undefined) throw new Error('there is no second window');
  return second;
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
