import { z } from 'zod';
import { Snapshot, Waited } from '../answers.ts';
import { activate } from '../subjects.ts';
import { until } from '../../../until.ts';
import type { Checks } from './check.ts';
import {
  cell,
  cursorTo,
  emptiedBy,
  enter,
  hasState,
  holds,
  keys,
  once,
  pointerIn,
  popups,
  refOf,
  saved,
  turns,
  typedInto,
} from './sheet-steps.ts';
import { clipboardHolds, during, reportsSince } from './waiting-checks.ts';

/** Commands on LibreOffice Calc that can be verified, judged by the document that it saves. Text typed by the test shows where the cursor is. */
export const SHEET_CHECKS: Checks = {
  click: async (reader) => {
    await cursorTo(reader, 'A2');
    const bold = await reader.refOf({ role: 'togglebutton', name: 'Bold' });
    await reader.performs(
      ['click', bold],
      saved(reader, (sheet) => sheet.cell('A2').style.includes('font-weight="bold"')),
    );
    // As after a click, no tool bar goes on highlighting what was pressed.
    if (await hasState(reader, bold, 'focused')) throw new Error('Bold still has the focus');
  },
  'set-value': async (reader) => {
    await reader.performs(['set-value', cell(reader, 'C7'), '4242'], holds(reader, 'C7', '4242'));
  },
  clear: async (reader) => {
    await reader.performs(['clear', cell(reader, 'A9')], holds(reader, 'A9', ''));
  },
  type: async (reader) => {
    const ref = await refOf(reader, 'B12');
    await keys(reader, 'Page_Down', 'Page_Up');
    if ((await refOf(reader, 'B12')) !== ref)
      throw new Error('another read gives the cell another reference');
    await cursorTo(reader, 'B4');
    const isThereAlone = saved(
      reader,
      (sheet) => sheet.cell('B12').text === 'Typed' && sheet.cell('B4').text === '3',
    );
    await reader.performs(
      ['type', ref, 'Typed'],
      once(() => keys(reader, 'Return'), isThereAlone),
    );
  },
  select: async (reader) => {
    await cursorTo(reader, 'A4');
    const ref = await refOf(reader, 'A12');
    // It is the same cell even out of view.
    await keys(reader, 'Page_Down', 'Page_Down');
    await reader.performs(
      ['select', ref],
      async () => (await hasState(reader, ref, 'focused')) && !(await hasState(reader, ref, 'selected')),
    );
    await until(typedInto(reader, 'A12', 'Chosen'), 'the text in A12');
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
  'key-up': async (reader) => {
    await cursorTo(reader, 'C11');
    await reader.say('key-down', 'x', '--app', reader.app);
    const entered = saved(reader, (sheet) => /^x+$/.test(sheet.cell('C11').text));
    await reader.performs(
      ['key-up', 'x'],
      once(() => keys(reader, 'Return'), entered),
    );
  },
  'double-click': async (reader) => {
    // Text typed after a single click would replace the content.
    const entered = saved(reader, (sheet) => ['2z', 'z2'].includes(sheet.cell('B10').text));
    await reader.performs(
      ['double-click', cell(reader, 'B10')],
      once(() => enter(reader, 'z'), entered),
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
  scroll: (reader) => turns(reader, async () => ['scroll', 'down', '--ref', cell(reader, 'A10')]),
  'scroll --to': async (reader) => {
    const ref = await refOf(reader, 'A2');
    await keys(reader, 'Page_Down', 'Page_Down');
    await reader.performs(['scroll', '--to', ref], async () => (await reader.boundsOf(ref)) !== null);
    await keys(reader, 'ctrl+Home');
  },
  'mouse move': async (reader) => {
    const ref = await refOf(reader, 'B6');
    await reader.place.run('xdotool', ['mousemove', '--sync', '3', '1000']);
    await reader.performs(['mouse', 'move', ...(await reader.middleOf(ref))], pointerIn(reader, ref));
  },
  'mouse click': async (reader) => {
    await cursorTo(reader, 'A4');
    const middle = await reader.middleOf(cell(reader, 'C10'));
    await reader.performs(['mouse', 'click', ...middle], typedInto(reader, 'C10', 'Clicked'));
  },
  'mouse wheel': (reader) =>
    turns(reader, async () => {
      await reader.say('hover', cell(reader, 'A10'));
      return ['mouse', 'wheel', '300'];
    }),
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
    await until(emptiedBy(reader, ['C18', 'C19']), 'both cells to be emptied');
  },
  'mouse up': async (reader) => {
    await cursorTo(reader, 'A1');
    await reader.say('mouse', 'move', ...(await reader.middleOf(cell(reader, 'C20'))));
    await reader.say('mouse', 'down');
    await reader.say('mouse', 'move', ...(await reader.middleOf(cell(reader, 'C21'))));
    await reader.performs(['mouse', 'up'], emptiedBy(reader, ['C20', 'C21']));
  },
  'clipboard set': async (reader) => {
    (await reader.say('clipboard', 'set', 'zażółć 日本')).ok(z.looseObject({}));
    await cursorTo(reader, 'A6');
    await reader.performs(['press', 'ctrl+v', '--app', reader.app], holds(reader, 'A6', 'zażółć 日本'));
  },
  'clipboard get': async (reader) => {
    await cursorTo(reader, 'A8');
    await keys(reader, 'ctrl+c');
    await clipboardHolds(reader, 'Item 7');
    await keys(reader, 'Escape');
  },
  expect: async (reader) => {
    await cursorTo(reader, 'C4');
    const expecting = ['expect', await refOf(reader, 'C4'), '--value', '471'];
    (await during(reader, expecting, () => enter(reader, '471'))).ok(
      z.looseObject({ passed: z.literal(true) }),
    );
  },
  'wait --value': async (reader) => {
    await cursorTo(reader, 'C6');
    const waiting = ['wait', '--value', await refOf(reader, 'C6'), '--is', 'Late'];
    (await during(reader, waiting, () => enter(reader, 'Late'))).ok(Waited);
  },
  'wait --focused': async (reader) => {
    await cursorTo(reader, 'A1');
    const waiting = ['wait', '--focused', await refOf(reader, 'A8')];
    (await during(reader, waiting, () => cursorTo(reader, 'A8'))).ok(Waited);
  },
  'wait --gone': async (reader) => {
    await cursorTo(reader, 'A1');
    await keys(reader, 'ctrl+1');
    const button = { role: 'button', name: 'Reset' } as const;
    let ref = '';
    await until(async () => {
      ref = await reader.refOf(button).catch(() => '');
      return ref !== '';
    }, 'the dialog');
    (await during(reader, ['wait', '--gone', ref], () => keys(reader, 'Escape'))).ok(Waited);
  },
  'snapshot --since': async (reader) => {
    await cursorTo(reader, 'C14');
    const { cursor } = (await reader.say('snapshot', '--app', reader.app)).ok(Snapshot);
    await enter(reader, 'Since 77');
    await reportsSince(reader, cursor, 'Since 77');
  },
  'wait --text': async (reader) => {
    await cursorTo(reader, 'C17');
    const waiting = ['wait', '--text', 'saved 12', '--app', reader.app];
    (await during(reader, waiting, () => enter(reader, 'Saved 12'))).ok(Waited);
  },
};
