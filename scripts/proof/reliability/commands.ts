import { setTimeout as sleep } from 'node:timers/promises';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import type { Mode } from '../../../src/model/effects/mode.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { intersect } from '../../../src/model/tree/bounds.ts';
import { DEADLINE, type Bench } from './bench.ts';
import { pick, someText } from './random.ts';
import { APPLICATIONS } from './toolkits.ts';
import type { Trial } from './trial.ts';
import { WINDOW_COMMANDS } from './window-commands.ts';

const COLOURS = ['red', 'green', 'blue'];
const FRUITS = ['Apple', 'Banana', 'Cherry', 'Date', 'Elderberry'];
const SIZES = ['size_small', 'size_medium', 'size_large'];

/** Widgets that record a click on a button. */
export function toldBy(widget: string): readonly string[] {
  if (widget === 'press') return ['press', 'counter'];
  if (SIZES.includes(widget)) return SIZES;
  return [widget];
}

export function clicking(widget: string, mode: Mode | undefined): Trial['attempt'] {
  return async (on, _random, turn) => {
    const ref = await on.target(widget, turn);
    return {
      act: () => on.engine.click({ ...DEADLINE, ref, mode }),
      mayTell: () => toldBy(widget),
      happened: (events) => events.filter(({ event }) => event === 'clicked').length === 1,
      isBackground: mode === 'background',
    };
  };
}

export function typing(widget: string, mode: Mode, clearFirst = false): Trial['attempt'] {
  return async (on, random, turn) => {
    const ref = await on.target(widget, turn);
    const text = someText(random);
    await on.set(widget, 'text', clearFirst ? 'before' : '');
    return {
      act: () => on.engine.type({ ...DEADLINE, ref, text, delayMs: 0, clearFirst, mode }),
      mayTell: () => [widget],
      happened: async () => (await on.get(widget)).text === text,
      isBackground: mode === 'background',
    };
  };
}

export function setting(widget: string, mode: Mode): Trial['attempt'] {
  return async (on, random, turn) => {
    const ref = await on.target(widget, turn);
    const isNumber = widget === 'volume' || widget === 'count';
    const value = isNumber ? String(Math.floor(random() * 101)) : someText(random);
    if (isNumber) await on.set(widget, 'value', Number(value) === 7 ? 8 : 7);
    else await on.set(widget, 'text', 'before');
    return {
      act: () => on.engine.setValue({ ...DEADLINE, ref, value, mode }),
      typed: value,
      mayTell: () => [widget],
      happened: async () => {
        const state = await on.get(widget);
        return isNumber ? Number(state.value) === Number(value) : state.text === value;
      },
      isBackground: mode === 'background',
    };
  };
}

export function clearing(mode: Mode): Trial['attempt'] {
  return async (on, random, turn) => {
    const ref = await on.target('notes', turn);
    await on.set('notes', 'text', someText(random));
    return {
      act: () => on.engine.act({ ...DEADLINE, ref, act: 'clear', mode }),
      mayTell: () => ['notes'],
      happened: async () => ((await on.get('notes')).text ?? '') === '',
      isBackground: mode === 'background',
    };
  };
}

export function toggling(mode: Mode | undefined): Trial['attempt'] {
  return async (on, random, turn) => {
    const ref = await on.target('agree', turn);
    const before = random() < 0.5;
    await on.set('agree', 'checked', before);
    return {
      act: () => on.engine.act({ ...DEADLINE, ref, act: 'toggle', mode }),
      mayTell: () => ['agree'],
      happened: async () => (await on.get('agree')).checked === !before,
      isBackground: mode === 'background',
    };
  };
}

export const selectingColour: Trial['attempt'] = async (on, random, turn) => {
  const ref = await on.target('colour', turn);
  const before = pick(random, COLOURS);
  const option = pick(
    random,
    COLOURS.filter((colour) => colour !== before),
  );
  await on.set('colour', 'selected', before);
  return {
    act: () => on.engine.select({ ...DEADLINE, ref, option }),
    // It is opened first, and takes the click some time later.
    lastsMs: 1200,
    mayTell: () => ['colour'],
    happened: (events) =>
      events.some(
        ({ widget, event, value }) => widget === 'colour' && event === 'selected' && value === option,
      ),
  };
};

export function selectingRow(mode: Mode | undefined): Trial['attempt'] {
  return async (on, random, turn) => {
    const fruit = pick(random, FRUITS);
    await on.set('fruits', 'selected', FRUITS.find((other) => other !== fruit) ?? null);
    const ref = turn % 2 === 0 ? await on.refOf(fruit, 'listitem') : on.locator('listitem', fruit);
    return {
      act: () => on.engine.select({ ...DEADLINE, ref, mode }),
      mayTell: () => ['fruits'],
      happened: (events) => events.findLast(({ event }) => event === 'selected')?.value === fruit,
      isBackground: mode === 'background',
    };
  };
}

function opening(act: 'expand' | 'collapse'): Trial['attempt'] {
  return async (on) => {
    const isGtk4 = on.kind === 'gtk4';
    await on.set('files', 'expanded', act === 'expand' ? [] : ['Documents']);
    // Rows of GTK 4 have no name; their expander is called "Expand", whether the row is open or not.
    const ref = await on.refOf(isGtk4 ? 'Expand' : 'Documents', isGtk4 ? 'button' : 'cell');
    return {
      act: () => on.engine.act({ ...DEADLINE, ref, act }),
      mayTell: () => ['files'],
      happened: (events) =>
        events.some(
          ({ event, value }) =>
            event === (act === 'expand' ? 'expanded' : 'collapsed') && value === 'Documents',
        ),
    };
  };
}

/** Lists that create rows when they come into view jump for a while after the fixture scrolls them, so it does not scroll them here. */
const scrolling: Trial['attempt'] = async (on, random) => {
  const ref = await listOf(on);
  const from = Number((await on.get('rows')).value);
  const isDown = from < 50 || (from < 900 && random() < 0.5);
  return {
    act: () => on.engine.scroll({ ...DEADLINE, ref, direction: isDown ? 'down' : 'up', amount: 200 }),
    mayTell: () => ['rows'],
    happened: async () => {
      const to = Number((await on.get('rows')).value);
      return isDown ? to > from : to < from;
    },
  };
};

/** A list has a name only in some toolkits. */
async function listOf(on: Bench): Promise<string> {
  const { role } = on.widget('rows');
  return on.onlyOfRole(role);
}

export const dragging: Trial['attempt'] = async (on, _random, turn) => {
  await on.set('volume', 'value', 0);
  const ref = await on.target('volume', turn);
  const { node } = await on.engine.describe({ ...DEADLINE, ref });
  const { x, y, width, height } = node.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  const to = { point: { x: x + width - 10, y: y + Math.floor(height / 2) } };
  return {
    act: () => on.engine.drag({ ...DEADLINE, from: { ref }, to, durationMs: 200 }),
    mayTell: () => ['volume'],
    happened: async () => Number((await on.get('volume')).value) > 0,
  };
};

const hovering: Trial['attempt'] = async (on, random, turn) => {
  await on.hands.parkPointer();
  const isTold = (await on.hands.pointer()) !== undefined;
  // Where the display does not tell the pointer, the one that records it does.
  const widget = isTold ? pick(random, ['press', 'agree', 'name', 'colour']) : 'press';
  const entered = async (): Promise<number> =>
    (await on.fixture.events()).filter((one) => one.widget === widget && one.event === 'pointer-in').length;
  const before = await entered();
  const ref = await on.target(widget, turn);
  return {
    act: () => on.engine.gesture({ ...DEADLINE, ref, gesture: 'hover' }),
    mayTell: () => [],
    happened: async () => {
      const pointer = await on.hands.pointer();
      if (pointer === undefined) return (await entered()) > before;
      const { node } = await on.engine.describe({ ...DEADLINE, ref });
      return (
        node.bounds !== undefined && intersect(node.bounds, { ...pointer, width: 1, height: 1 }) !== undefined
      );
    },
  };
};

export function doubleClicking(widget: string): Trial['attempt'] {
  return async (on, _random, turn) => {
    const ref = await on.target(widget, turn);
    return {
      act: () => on.engine.gesture({ ...DEADLINE, ref, gesture: 'double-click' }),
      mayTell: () => toldBy(widget),
      happened: (events) => events.filter(({ event }) => event === 'clicked').length === 2,
    };
  };
}

/** On sway, keys of wtype do not reach the menus of GTK 3: there, ours close them. */
async function closeMenu(on: Bench): Promise<void> {
  await on.hands.pressEscape();
  const { hands, engine, app } = on;
  if (on.kind !== 'gtk3' || (await hands.pointer()) !== undefined) return;
  await engine.press({ ...DEADLINE, app, keys: parseKeyCombination('Escape') }).catch(() => undefined);
}

/** The next attempt closes its menu again. A field takes the focus with any button. */
const rightClicking: Trial['attempt'] = async (on, _random, turn) => {
  await closeMenu(on);
  await on.set('notes', 'focused', true);
  const ref = await on.target('name', turn);
  const focused = async (): Promise<number> =>
    (await on.fixture.events()).filter(({ event, widget }) => event === 'focus-in' && widget === 'name')
      .length;
  const before = await focused();
  return {
    act: () => on.engine.gesture({ ...DEADLINE, ref, gesture: 'right-click' }),
    mayTell: () => ['name'],
    happened: async () => {
      // In GTK 4, the field has the focus for as long as its menu is open.
      if ((await focused()) > before) return true;
      await closeMenu(on);
      // A window becomes active again some time after its menu has closed.
      for (let look = 0; look < 20; look++) {
        if ((await on.get('name')).focused === true) return true;
        await sleep(50);
      }
      return false;
    },
  };
};

export const pressing: Trial['attempt'] = async (on, random, turn) => {
  const ref = await on.target('name', turn);
  const letter = pick(random, Array.from('abcdefghij'));
  await on.set('name', 'text', '');
  return {
    act: () => on.engine.press({ ...DEADLINE, ref, keys: parseKeyCombination(letter) }),
    mayTell: () => ['name'],
    happened: async () => (await on.get('name')).text === letter,
  };
};

const pasting: Trial['attempt'] = async (on, random) => {
  const ref = await on.ref('name');
  const text = someText(random);
  await on.set('name', 'text', '');
  await on.engine.writeClipboard({ ...DEADLINE, content: { kind: 'text', text }, outlivesCall: true });
  return {
    act: () => on.engine.press({ ...DEADLINE, ref, keys: parseKeyCombination('ctrl+v') }),
    mayTell: () => ['name'],
    happened: async () => (await on.get('name')).text === text,
  };
};

export const choosingFromMenu: Trial['attempt'] = async (on, random) => {
  const [item, widget] = pick(random, [
    ['Word wrap', 'edit_wrap'],
    ['Align centre', 'edit_centre'],
    ['Align right', 'edit_right'],
  ] as const);
  await on.control('set', { widget: 'edit_left', property: 'checked', value: true });
  return {
    act: () => on.engine.menu({ ...DEADLINE, app: on.app, path: ['Edit', item] }),
    lastsMs: 1000,
    mayTell: () => (widget === 'edit_wrap' ? [widget] : ['edit_left', 'edit_centre', 'edit_right']),
    happened: (events) => events.some((event) => event.widget === widget && event.event === 'menu-activated'),
  };
};

export const COMMANDS: readonly Trial[] = [
  { command: 'click --mode background', attempt: clicking('press', 'background') },
  { command: 'click --mode focus', attempt: clicking('press', 'focus') },
  { command: 'click --mode pointer', attempt: clicking('press', 'pointer') },
  { command: 'set-value (text) --mode background', attempt: setting('name', 'background') },
  { command: 'set-value (number) --mode background', attempt: setting('volume', 'background') },
  { command: 'set-value (text) --mode focus', attempt: setting('name', 'focus') },
  { command: 'type --mode background', attempt: typing('name', 'background') },
  { command: 'type --mode focus', attempt: typing('name', 'focus') },
  { command: 'type --clear-first --mode focus', attempt: typing('notes', 'focus', true) },
  { command: 'clear --mode background', attempt: clearing('background') },
  { command: 'clear --mode focus', attempt: clearing('focus') },
  { command: 'toggle', attempt: toggling(undefined) },
  { command: 'toggle --mode background', attempt: toggling('background') },
  { command: 'select (combo box)', attempt: selectingColour },
  { command: 'select (row) --mode background', kinds: APPLICATIONS, attempt: selectingRow('background') },
  // Swing draws the nodes of its tree with labels: there is no cell to find.
  { command: 'expand', kinds: FIXTURE_KINDS, page: 'Advanced', attempt: opening('expand') },
  { command: 'collapse', kinds: FIXTURE_KINDS, page: 'Advanced', attempt: opening('collapse') },
  { command: 'scroll', kinds: APPLICATIONS, page: 'Many rows', attempt: scrolling },
  { command: 'drag', attempt: dragging },
  { command: 'hover', attempt: hovering },
  { command: 'double-click', attempt: doubleClicking('press') },
  { command: 'right-click', attempt: rightClicking },
  { command: 'press', attempt: pressing },
  { command: 'clipboard set, press ctrl+v', attempt: pasting },
  { command: 'menu', kinds: APPLICATIONS, attempt: choosingFromMenu },
  ...WINDOW_COMMANDS,
];
