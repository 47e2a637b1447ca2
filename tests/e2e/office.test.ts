import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { readSheet } from './support/sheet.ts';
import { Found, GotBounds } from './support/answers.ts';
import { SUBJECTS, type Subject } from './support/subjects.ts';
import { until } from '../until.ts';

const place = usePlace();
const States = z.looseObject({ value: z.array(z.string()) });
const LONG_MS = 120_000;
let calc: Subject | undefined;

beforeAll(async () => {
  calc = await SUBJECTS.find(({ toolkit }) => toolkit === 'LibreOffice Calc')?.start(place());
}, LONG_MS);

afterAll(async () => calc?.stop());

const APP = (): string => String(calc?.pid);

async function find(...args: string[]) {
  return (await place().desk(['find', ...args, '--app', APP()])).ok(Found).matches;
}

const Cells = z.looseObject({
  matched_by: z.literal('cell'),
  matches: z.array(
    z.looseObject({ name: z.string(), value: z.string().optional(), formula: z.string().optional() }),
  ),
});
const Receipt = z.looseObject({ effect: z.string() });

it(
  'cells are found by name and range, written wherever they are, and are in the saved document',
  async () => {
    const desk = async (...args: string[]) => place().desk([...args, '--timeout', '20000']);
    const at = (name: string) => `app:${APP()} >> ${name}`;
    expect((await desk('set-value', at('B40'), '41')).ok(Receipt).effect).toBe('confirmed');
    expect((await desk('set-value', at('C40'), 'word')).ok(Receipt).effect).toBe('confirmed');
    expect((await desk('set-value', at('C41'), '=SUM()')).ok(Receipt).effect).toBe('confirmed');
    expect((await desk('set-value', at('B240'), '=SUM(B40;1)')).ok(Receipt).effect).toBe('confirmed');
    const cells = (await desk('find', 'B40:C41', '--app', APP())).ok(Cells).matches;
    expect(cells.map(({ name, value, formula }) => [name, value, formula])).toEqual([
      ['B40', '41', undefined],
      ['C40', 'word', undefined],
      ['B41', undefined, undefined],
      ['C41', '0', '=SUM()'],
    ]);
    // It is not in view, and goes there by itself.
    expect((await desk('click', at('D400'))).ok(Receipt).effect).toBe('confirmed');
    await place().run('xdotool', ['type', '--delay', '30', 'here']);
    await place().run('xdotool', ['key', 'Return']);
    const gets = async () =>
      (await desk('get', 'value', at('cell:D400'))).ok(z.looseObject({ value: z.unknown() })).value;
    await until(async () => (await gets()) === 'here', 'the word');
    await calc?.saveAll?.();
    const path = calc?.document ?? '';
    await until(async () => (await readSheet(path)).cell('D400').text === 'here', 'the document');
    const sheet = await readSheet(path);
    const saved = ['B40', 'C40', 'C41', 'B240'].map((name) => sheet.cell(name).text);
    expect(saved).toEqual(['41', 'word', '0', '42']);
    await desk('focus', at('A1'));
  },
  LONG_MS,
);

it(
  'a pressed item of a tool bar is not left highlighted, nor with the focus',
  async () => {
    const [bold] = await find('Bold', '--exact', '--role', 'togglebutton');
    const pressed = await place().desk(['click', bold?.ref ?? '']);
    expect(pressed.receipt).toMatchObject({ effect: 'confirmed' });
    expect(pressed.receipt.via).toBe('at-spi:Action.DoAction(press)');
    const states = (await place().desk(['get', 'states', bold?.ref ?? ''])).ok(States).value;
    expect(states).not.toContain('focused');
  },
  LONG_MS,
);

it(
  'a cell of a GTK list in a side bar is where it is drawn, and can be clicked there',
  async () => {
    const buttons = await find('--role', 'togglebutton', '--limit', '60');
    const right = Math.max(...buttons.map(({ bounds }) => bounds?.x ?? 0));
    // The decks of the side bar have no names: Properties, Styles, Gallery.
    const decks = buttons.filter(({ bounds }) => bounds !== undefined && right - bounds.x < 20);
    const gallery = decks.toSorted((a, b) => (a.bounds?.y ?? 0) - (b.bounds?.y ?? 0))[3];
    await place().desk(['click', gallery?.ref ?? '']);
    const row = async () => (await find('Bullets', '--exact', '--role', 'cell'))[0];
    await until(async () => (await row()) !== undefined, 'the gallery');
    const bullets = await row();
    const bounds = (await place().desk(['get', 'bounds', bullets?.ref ?? ''])).ok(GotBounds).value;
    expect(bounds).toEqual(bullets?.bounds);
    const opened = await place().desk(['right-click', bullets?.ref ?? '']);
    expect(opened.receipt).toMatchObject({ effect: 'confirmed' });
    await place().desk(['press', 'Escape', '--app', APP()]);
  },
  LONG_MS,
);

it(
  'what is in a popover over the document is clicked there',
  async () => {
    const [font] = (await find('--role', 'textbox', '--limit', '60')).filter(
      ({ bounds }) => (bounds?.y ?? 0) > 80 && (bounds?.y ?? 0) < 125 && (bounds?.x ?? 0) < 200,
    );
    await place().desk(['right-click', font?.ref ?? '']);
    const [item] = await find('Insert Emoji', '--exact');
    await place().desk(['click', item?.ref ?? '']);
    // The gallery of the test before has list items, too.
    const listed = async () =>
      (await find('--role', 'listitem', '--limit', '60')).filter(({ name }) =>
        /\p{Emoji_Presentation}/u.test(name ?? ''),
      )[7];
    await until(async () => (await listed()) !== undefined, 'the emoji');
    const emoji = await listed();
    const clicked = await place().desk(['click', emoji?.ref ?? '']);
    expect(clicked.receipt).toMatchObject({ effect: 'confirmed' });
  },
  LONG_MS,
);
