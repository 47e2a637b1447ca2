import { setTimeout as sleep } from 'node:timers/promises';
import { afterwards, hindered, meanwhile, typing } from './adversaries.ts';
import { DEADLINE, type Bench } from './bench.ts';
import { clearing, pressing, setting } from './commands.ts';
import { pick, someText, type Random } from './random.ts';
import type { Trial } from './trial.ts';
import type { Attempt } from './verdict.ts';

/** Until a dialog has come, before it is closed. */
const AFTER_MS = 150;
/** More than the keyboard sends between two looks. */
const LONG = 150;

/** The other application comes to the front, with the keyboard focus in a field: what is typed then is in its record. */
export async function taken(random: Random, on: Bench, attempt: Attempt): Promise<Attempt> {
  await on.cover.control('set', { widget: 'name', property: 'text', value: '' });
  await on.cover.control('set', { widget: 'name', property: 'focused', value: true });
  return hindered(meanwhile(random, attempt, () => on.activate('Cover')));
}

/** A modal dialog opens, and is closed once the record has been read. */
export function dialogued(random: Random, on: Bench, attempt: Attempt): Attempt {
  return hindered(
    afterwards(
      meanwhile(random, attempt, () => on.control('open_dialog')),
      async () => {
        await sleep(AFTER_MS);
        await on.control('close_dialog');
        on.forgetIfBrowser();
      },
    ),
  );
}

async function typingLong(on: Bench, random: Random, turn: number): Promise<Attempt> {
  const ref = await on.target('name', turn);
  const text = Array.from({ length: LONG }, () => pick(random, Array.from('abcdefghij'))).join('');
  await on.set('name', 'text', '');
  return {
    act: () => on.engine.type({ ...DEADLINE, ref, text, delayMs: 0, clearFirst: false, mode: 'focus' }),
    typed: text,
    mayTell: () => ['name'],
    happened: async () => (await on.get('name')).text === text,
  };
}

/** Two texts at once for one field: each that is confirmed is in it in one piece. */
async function twoTexts(on: Bench, random: Random, turn: number): Promise<Attempt> {
  const ref = await on.target('name', turn);
  const texts = [`x${someText(random)}`, `y${someText(random)}`] as const;
  await on.set('name', 'text', '');
  const written: string[] = [];
  const type = async (text: string): ReturnType<Attempt['act']> => {
    const receipt = await on.engine.type({ ...DEADLINE, ref, text, delayMs: 0, clearFirst: false });
    if (receipt.effect === 'confirmed') written.push(text);
    return receipt;
  };
  return hindered({
    act: async () => {
      // What is answered to the first one is judged; the other one may be refused.
      const [one] = await Promise.allSettled([type(texts[0]), type(texts[1])]);
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    },
    mayTell: () => ['name'],
    happened: async () => {
      const { text } = await on.get('name');
      return [texts[0], ...written].every((each) => text?.includes(each) === true);
    },
  });
}

/** `fill` by another program. */
async function filling(on: Bench, random: Random): Promise<Attempt> {
  const desktop = await on.library();
  // The linter takes a call of this method for that of an array.
  const fill = desktop.fill.bind(desktop);
  const [name, notes] = [`n${someText(random)}`, `o${someText(random)}`];
  await on.set('name', 'text', 'before');
  await on.set('notes', 'text', 'before');
  await on.set('agree', 'checked', false);
  const form = {
    fields: [
      { target: 'role:textbox[name="Name"]', value: name },
      { target: 'role:textbox[name="Notes"]', value: notes },
      { target: 'role:checkbox[name="Agree"]', value: 'on' },
    ],
    app: on.app,
  } as const;
  return {
    act: async () => {
      const { fields, effect, durationMs } = await fill(form);
      const evidence = fields.map((field) => `${field.target.name}: ${field.evidence.join(', ')}`);
      const told = { target: { role: 'form' }, delivered: true, retry_safe: false, cursor: '' };
      return { ...told, effect, evidence, via: 'fill', duration_ms: durationMs };
    },
    lastsMs: 2000,
    mayTell: () => ['name', 'notes', 'agree'],
    happened: async () =>
      (await on.get('name')).text === name &&
      (await on.get('notes')).text === notes &&
      (await on.get('agree')).checked === true,
  };
}

/** What takes the keyboard from an act. */
export const KEY_RACES: readonly Trial[] = [
  {
    command: 'type, the focus taken by another window at a random moment',
    attempt: async (on, random, turn) => taken(random, on, await typing(on, { random, turn, delayMs: 20 })),
  },
  {
    command: 'type 150 characters, the focus taken by another window at a random moment',
    attempt: async (on, random, turn) => taken(random, on, await typingLong(on, random, turn)),
  },
  {
    command: 'type, a modal dialog opened at a random moment',
    attempt: async (on, random, turn) =>
      dialogued(random, on, await typing(on, { random, turn, delayMs: 20 })),
  },
  {
    command: 'type 150 characters, a modal dialog opened at a random moment',
    attempt: async (on, random, turn) => dialogued(random, on, await typingLong(on, random, turn)),
  },
  {
    command: 'type, the focus moved to another field at a random moment',
    attempt: async (on, random, turn) => {
      await on.set('notes', 'text', '');
      const attempt = await typing(on, { random, turn, delayMs: 20 });
      return hindered(meanwhile(random, attempt, () => on.set('notes', 'focused', true)));
    },
  },
  { command: 'type, twice at once into one field', attempt: twoTexts },
  {
    command: 'press, the focus taken by another window at a random moment',
    attempt: async (on, random, turn) => taken(random, on, await pressing(on, random, turn)),
  },
  {
    command: 'press, a modal dialog opened at a random moment',
    attempt: async (on, random, turn) => dialogued(random, on, await pressing(on, random, turn)),
  },
  {
    command: 'set-value --mode focus, the focus taken by another window at a random moment',
    attempt: async (on, random, turn) => taken(random, on, await setting('name', 'focus')(on, random, turn)),
  },
  {
    command: 'clear --mode focus, a modal dialog opened at a random moment',
    attempt: async (on, random, turn) => dialogued(random, on, await clearing('focus')(on, random, turn)),
  },
  {
    command: 'fill, a modal dialog opened at a random moment',
    attempt: async (on, random) => dialogued(random, on, await filling(on, random)),
  },
  {
    command: 'fill, the focus taken by another window at a random moment',
    attempt: async (on, random) => taken(random, on, await filling(on, random)),
  },
];
