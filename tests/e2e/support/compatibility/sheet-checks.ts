import { Snapshot, Waited } from '../answers.ts';
import type { Reader } from '../reader.ts';
import { readSheet } from '../sheet.ts';
import type { Sheet } from '../sheet.ts';
import { activate, until } from '../subjects.ts';
import type { Checks } from './check.ts';
import { during, tellsSince } from './waiting-checks.ts';

/** For the document to be written; it is not where nothing was changed. */
const SAVED_MS = 1500;

/** Commands on LibreOffice Calc as far as there is a proof of them, judged by the document that it saves. What we type ourselves tells where the cursor is. */
export const SHEET_CHECKS: Checks = {
  click: async (reader) => {
    await cursorTo(reader, 'A2');
    const bold = await reader.refOf({ role: 'togglebutton', name: 'Bold' });
    await reader.performs(
      ['click', bold],
      saved(reader, (sheet) => sheet.cell('A2').style.includes('font-weight="bold"')),
    );
  },
  'set-value': async (reader) => {
    await reader.performs(['set-value', cell(reader, 'C7'), '4242'], holds(reader, 'C7', '4242'));
  },
  clear: async (reader) => {
    await reader.performs(['clear', cell(reader, 'A9')], holds(reader, 'A9', ''));
  },
  toggle: async (reader) => {
    await cursorTo(reader, 'A3');
    const italic = await reader.refOf({ role: 'togglebutton', name: 'Italic' });
    await reader.performs(
      ['toggle', italic],
      saved(reader, (sheet) => sheet.cell('A3').style.includes('font-style="italic"')),
    );
  },
  expand: async (reader) => {
    const before = await popups(reader);
    const file = await reader.refOf({ role: 'menuitem', name: 'File' });
    await reader.performs(['expand', file], async () => (await popups(reader)) > before);
  },
  collapse: async (reader) => {
    const open = await popups(reader);
    const file = await reader.refOf({ role: 'menuitem', name: 'File' });
    try {
      await reader.performs(['collapse', file], async () => (await popups(reader)) < open);
    } finally {
      await keys(reader, 'Escape', 'Escape');
    }
  },
  focus: async (reader) => {
    await cursorTo(reader, 'A1');
    await reader.performs(['focus', cell(reader, 'A13')], typedInto(reader, 'A13', 'Focused'));
  },
  menu: async (reader) => {
    await cursorTo(reader, 'A14');
    await reader.performs(
      ['menu', 'Insert > Date', '--app', reader.app],
      saved(reader, (sheet) => sheet.cell('A14').type === 'date'),
    );
  },
  press: async (reader) => {
    await cursorTo(reader, 'A15');
    await reader.performs(['press', 'Delete', '--app', reader.app], holds(reader, 'A15', ''));
  },
  'key-down': async (reader) => {
    await cursorTo(reader, 'A16');
    await reader.say('key-down', 'Shift', '--app', reader.app);
    await reader.say('press', 'Right');
    await reader.say('key-up', 'Shift');
    await reader.performs(
      ['press', 'Delete'],
      saved(reader, (sheet) => sheet.cell('A16').text === '' && sheet.cell('B16').text === ''),
    );
  },
  'right-click': async (reader) => {
    const before = await popups(reader);
    try {
      const target = cell(reader, 'C5');
      await reader.performs(['right-click', target], async () => (await popups(reader)) > before);
    } finally {
      await keys(reader, 'Escape');
    }
  },
  hover: async (reader) => {
    const ref = cell(reader, 'B5');
    await reader.performs(['hover', ref], pointerIn(reader, ref));
  },
  drag: async (reader) => {
    const [from, to] = [cell(reader, 'A18'), cell(reader, 'A20')];
    const emptied = emptiedBy(reader, ['A18', 'A19', 'A20']);
    await reader.performs(['drag', from, to, '--duration', '200'], emptied);
  },
  'mouse down': async (reader) => {
    await activate(reader.place, reader.subject.windowTitle);
    await reader.say('mouse', 'move', ...(await reader.middleOf(cell(reader, 'C18'))));
    await reader.performs(['mouse', 'down'], async () => true);
    await reader.say('mouse', 'move', ...(await reader.middleOf(cell(reader, 'C19'))));
    await reader.say('mouse', 'up');
    await until('both cells to be emptied', emptiedBy(reader, ['C18', 'C19']));
  },
  'snapshot --since': async (reader) => {
    await cursorTo(reader, 'C14');
    const { cursor } = (await reader.say('snapshot', '--app', reader.app)).ok(Snapshot);
    await enter(reader, 'since 77');
    await tellsSince(reader, cursor, 'since 77');
  },
  'wait --text': async (reader) => {
    await cursorTo(reader, 'C17');
    const waiting = ['wait', '--text', 'saved 12', '--app', reader.app];
    (await during(reader, waiting, () => enter(reader, 'Saved 12'))).ok(Waited);
  },
};

/** A cell on screen. Calc makes its objects anew all the time, so that references to cells do not last. */
function cell(reader: Reader, name: string): string {
  return `app:${reader.app} >> role:cell[name="${name}"]`;
}

async function keys(reader: Reader, ...names: string[]): Promise<void> {
  await reader.place.run('xdotool', ['key', '--delay', '8', ...names]);
}

/** Types a text and Return without the program under test. */
async function enter(reader: Reader, text: string): Promise<void> {
  await reader.place.run('xdotool', ['type', '--delay', '15', `${text}\n`]);
}

async function cursorTo(reader: Reader, name: string): Promise<void> {
  await activate(reader.place, reader.subject.windowTitle);
  const [right, down] = [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
  const way = [
    ...Array.from({ length: right }, () => 'Right'),
    ...Array.from({ length: down }, () => 'Down'),
  ];
  await keys(reader, 'ctrl+Home', ...way);
}

/** Saves the document and asks it. */
function saved(reader: Reader, holdsIn: (sheet: Sheet) => boolean): () => Promise<boolean> {
  const path = reader.subject.document ?? '';
  return async () => {
    const isSo = async (): Promise<boolean> => holdsIn(await readSheet(path));
    await keys(reader, 'ctrl+s');
    return until('it', isSo, SAVED_MS).then(
      () => true,
      () => false,
    );
  };
}

function holds(reader: Reader, name: string, text: string): () => Promise<boolean> {
  return saved(reader, (sheet) => sheet.cell(name).text === text);
}

/** Types once, at the cursor, and looks where it went. */
function typedInto(reader: Reader, name: string, text: string): () => Promise<boolean> {
  const check = holds(reader, name, text);
  return once(() => enter(reader, text), check);
}

function emptiedBy(reader: Reader, names: readonly string[]): () => Promise<boolean> {
  const check = saved(reader, (sheet) => names.every((name) => sheet.cell(name).text === ''));
  return once(() => keys(reader, 'Delete'), check);
}

function once(act: () => Promise<void>, check: () => Promise<boolean>): () => Promise<boolean> {
  let done = false;
  return async () => {
    if (!done) await act();
    done = true;
    return check();
  };
}

/** How many windows are on screen, menus included. */
async function popups(reader: Reader): Promise<number> {
  return (await reader.place.run('xdotool', ['search', '--onlyvisible', '--class', '.'])).trim().split('\n')
    .length;
}

function pointerIn(reader: Reader, ref: string): () => Promise<boolean> {
  return async () => {
    const told = await reader.place.run('xdotool', ['getmouselocation', '--shell']);
    const [x = -1, y = -1] = ['X', 'Y'].map((axis) =>
      Number(new RegExp(`^${axis}=(\\d+)`, 'm').exec(told)?.[1]),
    );
    const bounds = await reader.boundsOf(ref);
    return x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y && y < bounds.y + bounds.height;
  };
}
