import { clickOn, leaveMenu, park, pointAt } from '../act/mouse.ts';
import { keyOf, usableWidgets } from '../act/widgets.ts';
import { restlessPlaces } from '../look/compare.ts';
import { walk } from '../look/look.ts';
import { differentTiles, tilesAt, type Tiles } from '../look/picture.ts';
import { placed, type Seen } from '../look/tree.ts';
import type { Frame } from '../side/frame.ts';
import type { Side } from '../side/side.ts';

const STILL_MS = 400;
const MOST_MS = 4000;

/** What a side shows at one moment. */
interface Shown {
  readonly seen: Seen;
  readonly frame: Frame;
}

/** Where a status bar says something else once the pointer has been in a menu: places in the tree, and squares of the screen. */
export interface Pointed {
  readonly places: readonly string[];
  readonly tiles: Tiles;
}

/**
 * Opens the first menu, points at an item of it and leaves it by the keyboard. Qt tells a status bar of each item that the pointer comes to, which also
 * takes away a message that was there, such as "Ready", for good; an accessible action needs no pointer.
 */
export async function pointAtMenu(side: Side, seen: Seen): Promise<Pointed> {
  const all = [...placed(seen)];
  const menu = all.find(({ node, above }) => above.at(-1)?.role === 'menu bar' && node.box !== null);
  if (menu === undefined || !all.some(({ node }) => node.role === 'status bar')) return NOTHING;
  const before = { seen, frame: side.frame() };
  await clickOn(side, seen, keyOf(menu));
  await side.untilStill(STILL_MS, MOST_MS);
  const open = await walk(side);
  const [item] = usableWidgets(open).filter(
    ({ layer, unreachable }) => layer === 'popup' && unreachable === undefined,
  );
  if (item !== undefined) await pointAt(side, open, item.key);
  await leaveMenu(side);
  await park(side);
  await side.untilStill(STILL_MS, MOST_MS);
  return statusOfPointing(before, { seen: await walk(side), frame: side.frame() });
}

/** What differs in status bars; the rest counts, wherever the pointer was. */
export function statusOfPointing(before: Shown, after: Shown): Pointed {
  const isOfStatus = (place: string): boolean => place.includes(STATUS_BAR);
  const places = restlessPlaces(before.seen, after.seen).filter(isOfStatus);
  if (places.length === 0) return NOTHING;
  const bars = [...placed(before.seen)].flatMap(({ node: { role, box } }) =>
    role === 'status bar' && box !== null ? [...tilesAt(box, before.frame.width, false)] : [],
  );
  const changed = differentTiles(before.frame, after.frame);
  return { places, tiles: new Set(bars.filter((tile) => changed.has(tile))) };
}

const STATUS_BAR = ' › status bar[';
const NOTHING: Pointed = { places: [], tiles: new Set() };
