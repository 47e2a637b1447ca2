import type { ChangeSince } from '../../model/effects/effect.ts';
import { withoutTexts } from '../../model/refs/reading.ts';
import type { ReadNode } from '../../model/refs/reading.ts';
import { handleKey } from '../../model/tree/node.ts';
import { isInteractive } from '../../model/tree/role.ts';
import type { Role } from '../../model/tree/role.ts';
import { changesBetween, describe } from '../evidence/window-diff.ts';
import { isItem } from '../tree/identity.ts';
import { LONGEST_KEPT } from './readings.ts';

/** One reading to compare, and whether all of the window was read. */
interface ComparedReading {
  readonly tree: ReadNode;
  readonly complete: boolean;
  /** Keys of elements whose texts are not told; of the earlier reading. */
  readonly withheld?: ReadonlySet<string> | undefined;
}

/** A difference, before it is decided whether there is room to tell it. */
export interface Difference {
  /** Without the ref of what is still there. */
  readonly change: ChangeSince;
  /** The element as it is now; absent for what disappeared. */
  readonly node: ReadNode | undefined;
  /** What appeared with it and holds it. */
  readonly within: Difference | undefined;
  /** Told first where not all can be told: 0 before 3. */
  readonly rank: 0 | 1 | 2 | 3;
}

/** An element and where it stands. */
interface Place {
  readonly node: ReadNode;
  readonly parent: Place | undefined;
  /** The nearest item that it is or stands in. */
  readonly item: Place | undefined;
}

const DIALOGS: ReadonlySet<Role> = new Set<Role>(['dialog', 'alertdialog', 'alert']);

/**
 * What is different between two readings of one window, in document order; what disappeared comes last. Elements are the same when they have the
 * same ref; those without one when their native object is, and it does not show another item by now. Nothing came where not all was read before,
 * nothing went where not all was read now. The order of elements is not compared.
 */
export function compareReadings(before: ComparedReading, now: ComparedReading): Difference[] {
  const old = placesOf(before.tree);
  const toldOf = hiding(now.tree, before.withheld);
  const current = placesOf(now.tree);
  const pairs = pairUp(old, current);
  const found: Difference[] = [];
  const came = new Map<Place, Difference>();
  for (const place of current) {
    const { node } = place;
    const previous = pairs.get(place);
    const within = nearest(place, came);
    if (previous) {
      for (const change of differences(previous.node, toldOf(node))) {
        const rank = change.kind === 'focus' || isInteractive(node.role) ? 0 : 2;
        found.push({ change, node, within: undefined, rank });
      }
    } else if (before.complete && isWorthTelling(node)) {
      const difference: Difference = {
        change: { kind: 'appeared', ...describe(toldOf(node)), ...shows(toldOf(node)) },
        node,
        within,
        rank: DIALOGS.has(node.role) ? 0 : isInteractive(node.role) ? 1 : within ? 3 : 2,
      };
      came.set(place, difference);
      found.push(difference);
    }
  }
  if (now.complete) found.push(...departures(old, new Set(pairs.values())));
  return found;
}

/** What may be told of each element of a reading. */
function hiding(root: ReadNode, withheld: ReadonlySet<string> = new Set()): (node: ReadNode) => ReadNode {
  if (withheld.size === 0) return (node) => node;
  const told = new Map<ReadNode, ReadNode>();
  const pair = (node: ReadNode, covered: ReadNode): void => {
    told.set(node, covered);
    for (const [index, child] of node.children.entries()) pair(child, covered.children[index] ?? child);
  };
  pair(root, withoutTexts(root, withheld));
  return (node) => told.get(node) ?? node;
}

/** The present places with the places they had before. */
function pairUp(old: readonly Place[], current: readonly Place[]): Map<Place, Place> {
  const byRef = new Map(
    old.flatMap((place) => (place.node.ref === undefined ? [] : [[place.node.ref, place]])),
  );
  const byHandle = new Map(old.map((place) => [handleKey(place.node.handle), place]));
  const pairs = new Map<Place, Place>();
  const taken = new Set<Place>();
  for (const place of current) {
    const named = place.node.ref === undefined ? undefined : byRef.get(place.node.ref);
    const previous = named ?? byHandle.get(handleKey(place.node.handle));
    if (!previous || taken.has(previous)) continue;
    if (!named && !isSameUnnumbered(previous, place, pairs)) continue;
    pairs.set(place, previous);
    taken.add(previous);
  }
  return pairs;
}

/** Whether one native object without a ref to go by is the same element: an item is what it says, and what stands in it goes with it. */
function isSameUnnumbered(previous: Place, place: Place, pairs: ReadonlyMap<Place, Place>): boolean {
  if (previous.node.ref !== undefined || previous.node.role !== place.node.role) return false;
  if (isItem(place.node.role)) return previous.node.name === place.node.name;
  return place.item === undefined || pairs.get(place.item) === previous.item;
}

function differences(before: ReadNode, after: ReadNode): ChangeSince[] {
  const found = changesBetween(before, after);
  const isTextTold = before.name !== after.name || before.value !== after.value;
  if (isTextTold || before.digest === after.digest || before.states.includes('protected')) return found;
  const what = after.value.length > LONGEST_KEPT ? 'value' : 'name';
  const tell = (node: ReadNode): string =>
    `${what} ${JSON.stringify(node[what])} (${node.digest?.split(':')[0] ?? '?'} chars)`;
  return [{ kind: 'changed', ...describe(after), before: tell(before), after: tell(after) }, ...found];
}

/** What disappeared: something named with all that was in it as one, or, where a part of it is still there, piece by piece. */
function departures(old: readonly Place[], stayed: ReadonlySet<Place>): Difference[] {
  // Children come after their parents, so counting from the end finds them counted.
  const keeps = new Set<Place>();
  const worth = new Map<Place, number>();
  for (const place of old.toReversed()) {
    const { parent } = place;
    if (stayed.has(place) || keeps.has(place)) {
      if (parent) keeps.add(parent);
    } else if (parent) {
      const own = isWorthTelling(place.node) ? 1 : 0;
      worth.set(parent, (worth.get(parent) ?? 0) + own + (worth.get(place) ?? 0));
    }
  }
  const found: Difference[] = [];
  const covered = new Set<Place>();
  for (const place of old) {
    const { node, parent } = place;
    if (parent && covered.has(parent)) {
      covered.add(place);
      continue;
    }
    if (stayed.has(place) || !isWorthTelling(node)) continue;
    const isWhole = !keeps.has(place);
    if (isWhole) covered.add(place);
    const inside = isWhole ? (worth.get(place) ?? 0) : 0;
    found.push({
      change: {
        kind: 'disappeared',
        ...(node.ref === undefined ? {} : { ref: node.ref }),
        ...describe(node),
        ...(inside === 0 ? {} : { inside }),
      },
      node: undefined,
      within: undefined,
      rank: node.ref !== undefined || DIALOGS.has(node.role) ? 1 : 2,
    });
  }
  return found;
}

/** What is new about something new: its value and states. */
function shows({ value, states }: ReadNode): { after?: string } {
  const isSecret = states.includes('protected');
  const parts = [...(value === '' || isSecret ? [] : [`value ${JSON.stringify(value)}`]), ...states];
  return parts.length === 0 ? {} : { after: parts.join(' ') };
}

function isWorthTelling(node: ReadNode): boolean {
  return isInteractive(node.role) || DIALOGS.has(node.role) || node.name !== '' || node.value !== '';
}

function nearest(place: Place, among: ReadonlyMap<Place, Difference>): Difference | undefined {
  for (let { parent } = place; parent; { parent } = parent) {
    const difference = among.get(parent);
    if (difference) return difference;
  }
  return undefined;
}

/** In document order. */
function placesOf(root: ReadNode): Place[] {
  const places: Place[] = [];
  const visit = (node: ReadNode, parent: Place | undefined): void => {
    const item = parent && (isItem(parent.node.role) ? parent : parent.item);
    const place: Place = { node, parent, item };
    places.push(place);
    for (const child of node.children) visit(child, place);
  };
  visit(root, undefined);
  return places;
}
