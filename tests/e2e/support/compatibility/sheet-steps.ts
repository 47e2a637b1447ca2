import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Reader } from '../reader.ts';
import { readSheet, type Sheet } from '../sheet.ts';
import { activate } from '../subjects.ts';
import { until } from '../../../until.ts';

/** Time limit for the document to be written, which does not happen without a change. */
const SAVED_MS = 1500;

/** Calc handles keys that move the cursor when it has time, but letters at once, so these would overtake the cursor. */
const CURSOR_MS = 500;

export function refOf(reader: Reader, name: string): Promise<string> {
  return reader.refOf({ role: 'cell', name });
}

/** Turns the wheel, and finds out from the document which row has taken the position of the fifth. */
export async function turns(reader: Reader, args: () => Promise<readonly string[]>): Promise<void> {
  await cursorTo(reader, 'A1');
  const { x, y, width } = await reader.boundsOf(await refOf(reader, 'D5'));
  const word = `row${Math.round(performance.now())}`;
  const pointAt = ['mousemove', String(x + width + 40), String(y + 5), 'click', '1'];
  const isBelow = saved(reader, (sheet) =>
    Array.from({ length: 60 }, (_, index) => index + 6).some((row) => sheet.cell(`E${row}`).text === word),
  );
  const mark = async (): Promise<void> => {
    await reader.place.run('xdotool', pointAt);
    await enter(reader, word);
  };
  await reader.performs(await args(), once(mark, isBelow));
  await keys(reader, 'ctrl+Home');
}

export async function hasState(reader: Reader, ref: string, state: string): Promise<boolean> {
  return (await reader.say('get', 'states', ref)).ok(States).value.includes(state);
}

const States = z.looseObject({ value: z.array(z.string()) });

/** A cell on screen, by its name. */
export function cell(reader: Reader, name: string): string {
  return `app:${reader.app} >> role:cell[name="${name}"]`;
}

export async function keys(reader: Reader, ...names: string[]): Promise<void> {
  await reader.place.run('xdotool', ['key', '--delay', '25', ...names]);
}

/** Types a text and Return without the program under test. Calc does not accept xdotool's key for a line break as Return. */
export async function enter(reader: Reader, text: string): Promise<void> {
  await reader.place.run('xdotool', ['type', '--delay', '15', text]);
  await keys(reader, 'Return');
}

export async function cursorTo(reader: Reader, name: string): Promise<void> {
  await activate(reader.place, reader.subject.windowTitle);
  const [right, down] = [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
  const way = [
    ...Array.from({ length: right }, () => 'Right'),
    ...Array.from({ length: down }, () => 'Down'),
  ];
  await keys(reader, 'ctrl+Home', ...way);
  await sleep(CURSOR_MS);
}

/** Saves the document and checks it. */
export function saved(reader: Reader, holdsIn: (sheet: Sheet) => boolean): () => Promise<boolean> {
  const path = reader.subject.document ?? '';
  return async () => {
    const isSo = async (): Promise<boolean> => holdsIn(await readSheet(path));
    await keys(reader, 'ctrl+s');
    return until(isSo, 'it', SAVED_MS).then(
      () => true,
      () => false,
    );
  };
}

export function holds(reader: Reader, name: string, text: string): () => Promise<boolean> {
  return saved(reader, (sheet) => sheet.cell(name).text === text);
}

/** Types once, at the cursor, and finds out which cell got the text. */
export function typedInto(reader: Reader, name: string, text: string): () => Promise<boolean> {
  const check = holds(reader, name, text);
  return once(() => enter(reader, text), check);
}

export function emptiedBy(reader: Reader, names: readonly string[]): () => Promise<boolean> {
  const check = saved(reader, (sheet) => names.every((name) => sheet.cell(name).text === ''));
  return once(() => keys(reader, 'Delete'), check);
}

export function once(act: () => Promise<void>, check: () => Promise<boolean>): () => Promise<boolean> {
  let done = false;
  return async () => {
    if (!done) await act();
    done = true;
    return check();
  };
}

/** The number of windows on screen, including menus. */
export async function popups(reader: Reader): Promise<number> {
  return (await reader.place.run('xdotool', ['search', '--onlyvisible', '--class', '.'])).trim().split('\n')
    .length;
}

export function pointerIn(reader: Reader, ref: string): () => Promise<boolean> {
  return async () => {
    const told = await reader.place.run('xdotool', ['getmouselocation', '--shell']);
    const [x = -1, y = -1] = ['X', 'Y'].map((axis) =>
      Number(new RegExp(`^${axis}=(\\d+)`, 'm').exec(told)?.[1]),
    );
    const bounds = await reader.boundsOf(ref);
    return x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y && y < bounds.y + bounds.height;
  };
}
