import type { Form } from '../form.ts';
import type { Reader } from '../reader.ts';
import { activate } from '../subjects.ts';
import { witnessOf } from '../witness/witness.ts';
import { holds } from './acting-checks.ts';
import { counted, ofForms } from './check.ts';

/** Keyboard and pointer on our fixtures and our page. */
export const FORM_INPUT = ofForms({
  press: async (reader, form) => {
    const ref = await prepared(reader, form, 'before');
    await reader.say('press', 'ctrl+a', '--ref', ref);
    await reader.performs(['press', 'x', '--ref', ref], holds(form, 'notes', 'x'));
  },
  'key-down': async (reader, form) => {
    const ref = await prepared(reader, form, 'word');
    await reader.say('press', 'End', '--ref', ref);
    await reader.say('key-down', 'Shift', '--app', reader.app);
    await reader.say('press', 'Home');
    await reader.say('key-up', 'Shift');
    await reader.performs(['press', 'x'], holds(form, 'notes', 'x'));
  },
  'key-up': async (reader, form) => {
    await prepared(reader, form, '');
    await reader.say('key-down', 'x', '--app', reader.app);
    await reader.performs(['key-up', 'x'], async () => /^x+$/.test((await form.get('notes')).text ?? ''));
  },
  'double-click': async (reader, form) => {
    const clicks = await counted(form, 'press', 'clicked');
    const ref = await reader.refOf(form.named('press'));
    await reader.performs(['double-click', ref], async () => (await clicks()) === 2);
  },
  'right-click': async (reader, form) => {
    const told = await counted(form, 'press', 'context-menu');
    const ref = await reader.refOf(form.named('press'));
    try {
      await reader.performs(['right-click', ref], async () => (await told()) === 1);
    } finally {
      await witnessOf(reader.place).press('Escape');
    }
  },
  hover: async (reader, form) => {
    await elsewhere(reader);
    const told = await counted(form, 'press', 'pointer-in');
    const ref = await reader.refOf(form.named('press'));
    await reader.performs(['hover', ref], async () => (await told()) > 0);
  },
  scroll: (reader, form) => inRows(reader, form, (ref) => ['scroll', 'down', '--ref', ref]),
  'scroll --to': async (reader, form) => {
    const args = async (): Promise<readonly string[]> => {
      const row = await reader.say('find', form.farRow, '--app', reader.app, '--exact', '--whole-tree');
      return ['scroll', '--to', /"ref":"(@e\d+)"/.exec(row.stdout)?.[1] ?? ''];
    };
    // Some lists scroll by a row or two when they are shown again.
    await inRows(reader, form, args, 50);
  },
  drag: async (reader, form) => {
    await form.set('volume', 'value', 0);
    const ref = await reader.refOf(form.named('volume'));
    const { x, y, width, height } = await reader.boundsOf(ref);
    const [left, right] = [x + 9, x + width - 10].map((at) => `${at},${Math.round(y + height / 2)}`);
    const moved = async (): Promise<boolean> => Number((await form.get('volume')).value) > 50;
    await reader.performs(['drag', left ?? '', right ?? '', '--duration', '150'], moved);
  },
  'mouse move': async (reader, form) => {
    await elsewhere(reader);
    const told = await counted(form, 'press', 'pointer-in');
    const middle = await reader.middleOf(await reader.refOf(form.named('press')));
    await reader.performs(['mouse', 'move', ...middle], async () => (await told()) > 0);
  },
  'mouse click': async (reader, form) => {
    const clicks = await counted(form, 'press', 'clicked');
    const middle = await reader.middleOf(await reader.refOf(form.named('press')));
    await reader.performs(['mouse', 'click', ...middle], async () => (await clicks()) === 1);
  },
  'mouse down': async (reader, form) => {
    await activate(reader.place, reader.subject.windowTitle);
    await form.set('notes', 'focused', true);
    const told = await counted(form, 'name', 'focus-in');
    await reader.say('mouse', 'move', ...(await reader.middleOf(await reader.refOf(form.named('name')))));
    // A field takes the focus when the button goes down.
    await reader.performs(['mouse', 'down'], async () => (await told()) > 0);
  },
  'mouse up': async (reader, form) => {
    await reader.say('mouse', 'up');
    const clicks = await counted(form, 'press', 'clicked');
    await reader.say('mouse', 'move', ...(await reader.middleOf(await reader.refOf(form.named('press')))));
    await reader.say('mouse', 'down');
    if ((await clicks()) > 0) throw new Error('clicked before the button was released');
    await reader.performs(['mouse', 'up'], async () => (await clicks()) === 1);
  },
  'mouse wheel': async (reader, form) => {
    await inRows(reader, form, async (ref) => {
      // The list may be much longer than its visible part.
      await reader.say('hover', ref);
      return ['mouse', 'wheel', form.wheel];
    });
  },
});

async function prepared(reader: Reader, form: Form, text: string): Promise<string> {
  await activate(reader.place, reader.subject.windowTitle);
  await form.set('notes', 'text', text);
  await form.set('notes', 'focused', true);
  return reader.refOf(form.named('notes'));
}

async function elsewhere(reader: Reader): Promise<void> {
  await activate(reader.place, reader.subject.windowTitle);
  await witnessOf(reader.place).parkPointer();
}

/** Scrolls the long list and reads the first visible row from the application. */
async function inRows(
  reader: Reader,
  form: Form,
  args: (list: string) => readonly string[] | Promise<readonly string[]>,
  distance = 2,
): Promise<void> {
  await form.showTab('Many rows');
  try {
    const before = Number((await form.get('rows')).value ?? 0);
    const list = await reader.refOf(form.named('rows'));
    await reader.performs(
      await args(list),
      async () => Math.abs(Number((await form.get('rows')).value ?? 0) - before) >= distance,
    );
  } finally {
    await form.showTab('General');
  }
}
