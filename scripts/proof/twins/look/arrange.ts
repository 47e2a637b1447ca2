import type { View } from './compare.ts';
import type { Seen, SeenWindow } from './tree.ts';

/** What has to be done with our windows before the pictures of both sides can be compared. */
export interface Arrangement {
  readonly moves: readonly { readonly id: number; readonly x: number; readonly y: number }[];
  /** From the lowest to the topmost; none if their order is the twin's. */
  readonly raises: readonly number[];
  readonly harmless: 'placed' | 'stack';
}

interface Both {
  readonly ours: Pick<View, 'seen'>;
  readonly twin: Pick<View, 'seen'>;
}

interface Matched {
  readonly our: SeenWindow;
  readonly its: SeenWindow;
}

/**
 * How our windows come to lie as the twin's do, if it was not the act that laid them otherwise: a window that is new on both sides has another place,
 * which the window manager chose; or the mouse raised its window above those of another application, which our side has left as they were. Windows of
 * one application among themselves, and those that were there before, must lie alike.
 */
export function arrangementOf(before: Both, after: Both): Arrangement | undefined {
  const matched = matchedWindows(after.ours.seen, after.twin.seen);
  if (matched === undefined) return undefined;
  const moved = matched.filter(({ our, its }) => !isAtSamePlace(our, its));
  if (!moved.every(({ our, its }) => isNew(our, before.ours) && isNew(its, before.twin))) return undefined;
  const ordered = managedIn(after.ours.seen).map(({ id }) => id);
  const wanted = matched.map(({ our }) => our.id);
  const isRestacked = ordered.join(' ') !== wanted.join(' ');
  if (isRestacked && !isRaisedByTwin(before, after, matched)) return undefined;
  if (moved.length === 0 && !isRestacked) return undefined;
  return {
    moves: moved.map(({ our, its }) => ({ id: our.id, x: its.box[0], y: its.box[1] })),
    raises: isRestacked ? wanted : [],
    harmless: moved.length > 0 ? 'placed' : 'stack',
  };
}

/** Our window for each of the twin's, in the twin's order; none if there is not exactly one for each, or a menu is open. */
function matchedWindows(ours: Seen, twin: Seen): Matched[] | undefined {
  const [left, its] = [managedIn(ours), managedIn(twin)];
  const isPlain = [ours, twin].every(({ windows }) => windows.every(({ managed }) => managed));
  if (!isPlain || left.length !== its.length) return undefined;
  const matched = its.map((window) => {
    const alike = left.filter(
      ({ title, box }) => title === window.title && box[2] === window.box[2] && box[3] === window.box[3],
    );
    const our = alike.find((one) => isAtSamePlace(one, window)) ?? alike[0];
    if (our === undefined) return undefined;
    left.splice(left.indexOf(our), 1);
    return { our, its: window };
  });
  const found = matched.filter((one) => one !== undefined);
  return found.length === its.length ? found : undefined;
}

/** Only windows of different applications change places, and our side has them as before. */
function isRaisedByTwin(before: Both, after: Both, matched: readonly Matched[]): boolean {
  const own = managedIn(after.ours.seen);
  const applications = new Set(own.map(({ pid }) => pid));
  const isKeptWithin = [...applications].every((pid) => {
    const mine = own.filter((one) => one.pid === pid).map(({ id }) => id);
    const wanted = matched.filter(({ our }) => our.pid === pid).map(({ our }) => our.id);
    return mine.join(' ') === wanted.join(' ');
  });
  return isKeptWithin && isSameOrder(before.ours.seen, after.ours.seen);
}

function isSameOrder(before: Seen, after: Seen): boolean {
  const [was, is] = [before, after].map((seen) => managedIn(seen).map(({ id }) => id));
  const common = (some: readonly number[], others: readonly number[]): string =>
    some.filter((id) => others.includes(id)).join(' ');
  return was !== undefined && is !== undefined && common(was, is) === common(is, was);
}

function managedIn({ windows }: Seen): SeenWindow[] {
  return windows.filter(({ managed }) => managed);
}

function isAtSamePlace({ box: [x, y] }: SeenWindow, { box: [left, top] }: SeenWindow): boolean {
  return x === left && y === top;
}

function isNew({ id }: SeenWindow, { seen }: Pick<View, 'seen'>): boolean {
  return seen.windows.every((window) => window.id !== id);
}
