import type { Arrangement } from '../look/arrange.ts';
import { lookAway, view, walk } from '../look/look.ts';
import type { Box, Seen } from '../look/tree.ts';
import { SCREEN, type Side } from '../side/side.ts';
import type { Act, Kind } from './act.ts';
import type { Actor, Answer, Prepared } from './actor.ts';
import { findWidget, isFocusElsewhere, isOnlySelected, middle, windowOf, type WidgetKey } from './widgets.ts';

const RUN_MS = 10_000;
/** A person's pointer has come to rest when the button goes down. */
const REST_S = '0.1';
/** A person holds a button at least so long. */
const HELD_S = '0.06';
/** Whoever wants a menu lets go when it is there, also where the machine is slow. Chromium marks its address if the button is up before. */
const HELD_FOR_MENU_S = '0.3';
/** Between two clicks of the wheel. */
const WHEEL_MS = 8;
const BETWEEN_S = '0.06';
const CLICK = clickOf('1');
const DOUBLE_CLICK = [...CLICK, 'sleep', BETWEEN_S, ...CLICK];
const QUICK_S = '0.01';
const QUICK_DOUBLE_CLICK = [...clickOf('1', QUICK_S), ...clickOf('1', QUICK_S)];
const RIGHT_CLICK = clickOf('3', HELD_FOR_MENU_S);
/** Rows, which only the arrow before them opens; what else can be opened is clicked. */
const WITH_ARROW = new Set(['list item', 'table cell', 'table row', 'tree item', 'tree', 'label']);
/** From the left edge of a row to the middle of the arrow before it. */
const ARROW_PX = 9;
/** The width of an arrow of GTK 3 (18), and what is between it and its text. */
const GTK3_ARROW_PX = 20;
/** Between two clicks: what the first one opened must be there. */
const STILL_MS = 400;
const MOST_MS = 4000;

/** A point of the screen. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** A person who double-clicks as fast as a hand can. */
export const quickMouse: Actor = {
  name: 'quick mouse',
  tools: {},
  prepare: async (side, seen, act) =>
    act.kind === 'double-click'
      ? { act: async () => (await clickOn(side, seen, act.target.key, QUICK_DOUBLE_CLICK), DONE) }
      : prepareClicks(side, seen, act),
};

/** A person: a plain mouse and keyboard through the display's XTEST extension, aimed by what libatspi reports. */
export const mouse: Actor = {
  name: 'mouse',
  tools: {},
  prepare: async (side, seen, act) => prepareClicks(side, seen, act),
};

function clickOf(button: '1' | '3', heldS = HELD_S): readonly string[] {
  return ['mousedown', button, 'sleep', heldS, 'mouseup', button];
}

/** Moves the pointer to where nothing is. Returns false if it was there already. */
export async function park(side: Side): Promise<boolean> {
  const [x, y] = [SCREEN.width - 1, SCREEN.height - 1];
  const was = await pointer(side, ['getmouselocation', '--shell', 'mousemove', String(x), String(y)]);
  return !was.startsWith(`X=${x}\nY=${y}\n`);
}

/** Passes over a place, which takes off it what the pointer left there. */
export async function passOver(side: Side, box: Box): Promise<void> {
  const { x, y } = middle(box);
  await pointer(side, ['mousemove', String(x), String(y), 'sleep', REST_S]);
  await park(side);
}

/** Clicks a widget, and returns where. @throws Error if it is not there */
export async function clickOn(side: Side, seen: Seen, key: WidgetKey, click = CLICK): Promise<Place> {
  const place = middle(boxOf(seen, key));
  const there = PLACED_WHEN_DRAWN.has(key.role) ? await placeOncePointedAt(side, place, key) : place;
  await pointer(side, ['mousemove', String(there.x), String(there.y), 'sleep', REST_S, ...click]);
  return there;
}

/** GTK 3 keeps the place of a text in a cell from when its row was drawn last, which the pointer makes it do anew. A person aims at the text. */
const PLACED_WHEN_DRAWN = new Set(['table cell']);

async function placeOncePointedAt(side: Side, place: Place, key: WidgetKey): Promise<Place> {
  await pointer(side, ['mousemove', String(place.x), String(place.y), 'sleep', REST_S]);
  const box = findWidget(await walk(side), key)?.node.box ?? undefined;
  return box === undefined ? place : middle(box);
}

/** Moves windows to their places and raises them one after the other; the keyboard stays where it is. */
export async function arrange(side: Side, { moves, raises }: Arrangement): Promise<void> {
  // With this gravity the place is that of the window, not that of its frame.
  const STATIC = '10';
  for (const { id, x, y } of moves)
    await side.output(['wmctrl', '-i', '-r', String(id), '-e', [STATIC, x, y, '-1', '-1'].join(',')], RUN_MS);
  for (const id of raises) await pointer(side, ['windowraise', String(id)]);
}

/** Rests on a widget without clicking it. @throws Error if it is not there */
export async function pointAt(side: Side, seen: Seen, key: WidgetKey): Promise<void> {
  await restAt(side, middle(boxOf(seen, key)));
}

/** Closes an open menu and leaves the menu bar, by the keyboard. */
export async function leaveMenu(side: Side): Promise<void> {
  await pointer(side, ['key', '--delay', '100', 'Escape', 'Escape']);
}

/** Rests at a place without clicking it. */
export async function restAt(side: Side, { x, y }: Place): Promise<void> {
  await pointer(side, ['mousemove', String(x), String(y), 'sleep', '0.3']);
}

/** Turns the wheel at a point: buttons 4 and 5 are up and down, 6 and 7 left and right. */
export async function turnWheel(
  side: Side,
  { x, y }: Place,
  button: 4 | 5 | 6 | 7,
  clicks: number,
): Promise<void> {
  const turns = ['click', '--repeat', String(clicks), '--delay', String(WHEEL_MS), String(button)];
  await pointer(side, ['mousemove', String(x), String(y), 'sleep', REST_S, ...turns]);
}

function boxOf(seen: Seen, key: WidgetKey): Box {
  const box = findWidget(seen, key)?.node.box ?? undefined;
  if (box === undefined) throw new Error(`${key.role} ${JSON.stringify(key.name)} is not on the screen`);
  return box;
}

async function prepareClicks(side: Side, seen: Seen, act: Act): Promise<Prepared> {
  const { kind, target, more } = act;
  if (findWidget(seen, target.key) === undefined) return { excluded: 'not there for the mouse' };
  return {
    act: async () => {
      if (kind === 'press') return pressing(side, seen, act);
      await WAYS[kind](side, seen, act);
      let restedAt: Place | undefined;
      for (const key of more) {
        await side.untilStill(STILL_MS, MOST_MS);
        restedAt = await clickOn(side, await walk(side), key);
      }
      return restedAt === undefined ? DONE : { ...DONE, restedAt };
    },
  };
}

type Way = (side: Side, seen: Seen, act: Act) => Promise<unknown>;

const clicking: Way = async (side, seen, { target }) => clickOn(side, seen, target.key);

const WAYS: Readonly<Record<Exclude<Kind, 'press'>, Way>> = {
  click: clicking,
  toggle: clicking,
  // Whoever sees it selected leaves it: a click on it may do something else, such as open it. An open list is closed by choosing, also what is chosen.
  select: async (side, seen, act) => {
    const isInOpenList = act.target.layer === 'popup';
    if (act.more.length > 0 || isInOpenList || !isOnlySelected(seen, act.target.key))
      await clicking(side, seen, act);
  },
  menu: clicking,
  'double-click': async (side, seen, { target }) => clickOn(side, seen, target.key, DOUBLE_CLICK),
  'right-click': async (side, seen, { target }) => clickOn(side, seen, target.key, RIGHT_CLICK),
  expand: async (side, seen, { target }) => {
    if (!WITH_ARROW.has(target.key.role)) {
      await clickOn(side, seen, target.key);
      return;
    }
    const [, y, , height] = boxOf(seen, target.key);
    const place = [String(leftOfRow(seen, target.key) - ARROW_PX), String(Math.round(y + height / 2))];
    await pointer(side, ['mousemove', ...place, 'sleep', REST_S, ...CLICK]);
  },
  'set-value': async (side, seen, act) => {
    await clicking(side, seen, act);
    // A person who sees no caret in the field does not type.
    if (!isFocusElsewhere(await walk(side), act.target.key)) await enter(side, act.value ?? '');
  },
  type: async (side, seen, act) => {
    await clicking(side, seen, act);
    if (!isFocusElsewhere(await walk(side), act.target.key))
      await pointer(side, ['sleep', REST_S, 'type', '--delay', '15', act.value ?? '']);
  },
};

/**
 * The left edge of what a row shows. In GTK 3 a text is held by a cell together with the picture before it, and both are reported further to the right
 * than they are drawn, by the width of an arrow, however deep the row is.
 */
function leftOfRow(seen: Seen, key: WidgetKey): number {
  const found = findWidget(seen, key);
  const holder = found?.above.at(-1);
  const [x] = boxOf(seen, key);
  const isOfGtk3 = found?.application.toolkit === 'gtk' && found.application.version.startsWith('3');
  const parts = holder?.role === 'table cell' ? holder.children : [];
  if (isOfGtk3)
    return Math.min(x, ...parts.flatMap(({ box }) => (box === null ? [] : [box[0]]))) - GTK3_ARROW_PX;
  return Math.min(x, ...besideInRow(seen, key));
}

/** Qt reports every cell of a row that can be opened as expandable; the arrow is before the first one. */
function besideInRow(seen: Seen, key: WidgetKey): number[] {
  const found = findWidget(seen, key);
  const [, y, , height] = boxOf(seen, key);
  return (found?.above.at(-1)?.children ?? []).flatMap(({ role, box }) =>
    role === key.role && box?.[1] === y && box[3] === height ? [box[0]] : [],
  );
}

/** A window that is not in use is brought to the front first, which is no effect of the key. */
async function pressing(side: Side, seen: Seen, { target, value }: Act): Promise<Answer> {
  const placed = findWidget(seen, target.key);
  const window = placed && windowOf(placed.node, placed.application.pid, seen.windows);
  if (window !== undefined) await side.output(['wmctrl', '-i', '-a', String(window.id)], RUN_MS);
  const isInUse = window === undefined || placed?.node.states.includes('active') === true;
  if (!isInUse) await side.untilStill(STILL_MS, MOST_MS);
  const since = isInUse ? undefined : await view(side);
  await pointer(side, ['sleep', REST_S, 'key', value ?? '']);
  return since === undefined ? DONE : { ...DONE, since };
}

const DONE: Answer = { effect: 'confirmed', route: 'mouse', words: 'clicked' };

/**
 * Replaces a field's text as people do: marks all, types, and leaves the field, which is what commits the new text in many toolkits. Tab would
 * leave it for the next widget, which may react, too; here the keyboard goes nowhere else.
 */
async function enter(side: Side, value: string): Promise<void> {
  await pointer(side, ['sleep', REST_S, 'key', 'ctrl+a', 'type', '--delay', '15', value]);
  await side.untilStill(STILL_MS, MOST_MS);
  await lookAway(side);
}

async function pointer(side: Side, args: readonly string[]): Promise<string> {
  return side.output(['xdotool', ...args], RUN_MS);
}
