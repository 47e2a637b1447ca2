import type { ChangeSince } from '../../model/effects/effect.ts';
import { withoutTexts, type ReadNode } from '../../model/refs/reading.ts';
import { handleKey } from '../../model/tree/node.ts';
import { isInteractive, roleSet } from '../../model/tree/role.ts';
import { changesBetween, describe } from '../evidence/window-diff.ts';
import { isItem } from '../tree/identity.ts';
import { LONGEST_KEPT } from './readings.ts';

/** One reading to compare, and whether all of the window was read. */
interface ComparedReading {
  readonly tree: ReadNode;
  readonly complete: boolean;
  /** Keys of elements of the earlier reading whose texts are withheld. */
  readonly withheld?: ReadonlySet<string> | undefined;
}

/** A difference that is reported if there is room. */
export interface Difference {
  /** Without the ref of an element that still exists. */
  readonly change: ChangeSince;
  /** The element as it is now; absent for what disappeared. */
  readonly node: ReadNode | undefined;
  /** The appeared element that contains it. */
  readonly within: Difference | undefined;
  /** Which to report first if not all fit: 0 before 3. */
  readonly rank: 0 | 1 | 2 | 3;
}

/** An element and where it is. */
interface Place {
  readonly node: ReadNode;
  readonly parent: Place | undefined;
  /** The nearest item that contains it. */
  readonly item: Place | undefined;
}

const DIALOGS = roleSet('dialog', 'alertdialog', 'alert');

/**
 * The differences between two readings of one window, in document order, disappeared elements last. Elements are the same if they have the same
 * ref or, without one, the same native object, unless that shows another item now. Nothing appeared if the earlier reading was partial, and
 * nothing disappeared if the present one is. The order of elements is not compared.
 */
export function compareReadings(before: ComparedReading, now: ComparedReading): Difference[] {
  const old = placesOf(before.tree);
  const masked = masking(now.tree, before.withheld);
  const current = placesOf(now.tree);
  const pairs = pairUp(old, current);
  const found: Difference[] = [];
  const appeared = new Map<Place, Difference>();
  for (const place of current) {
    const { node } = place;
    const previous = pairs.get(place);
    const within = nearest(place, appeared);
    if (previous) {
      for (const change of differences(previous.node, masked(node))) {
        const rank = change.kind === 'focus' || isInteractive(node.role) ? 0 : 2;
        found.push({ change, node, within: undefined, rank });
      }
    } else if (before.complete && isReportable(node)) {
      const difference: Difference = {
        change: { kind: 'appeared', ...describe(masked(node)), ...stateOf(masked(node)) },
        node,
        within,
        rank: DIALOGS.has(node.role) ? 0 : isInteractive(node.role) ? 1 : within ? 3 : 2,
      };
      appeared.set(place, difference);
      found.push(difference);
    }
  }
  if (now.complete) found.push(...disappeared(old, new Set(pairs.values())));
  return found;
}

/** Returns each element without its withheld texts. */
function masking(root: ReadNode, withheld: ReadonlySet<string> = new Set()): (node: ReadNode) => ReadNode {
  if (withheld.size === 0) return (node) => node;
  const masks = new Map<ReadNode, ReadNode>();
  const pair = (node: ReadNode, covered: ReadNode): void => {
    masks.set(node, covered);
    for (const [index, child] of node.children.entries()) pair(child, covered.children[index] ?? child);
  };
  pair(root, withoutTexts(root, withheld));
  return (node) => masks.get(node) ?? node;
}

/** The current places with their earlier ones. */
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
    if (!named && !isSameWithoutRef(previous, place, pairs)) continue;
    pairs.set(place, previous);
    taken.add(previous);
  }
  return pairs;
}

/** Whether a native object without a ref is the same element: an item must have the same name, and its content belongs to it. */
function isSameWithoutRef(previous: Place, place: Place, pairs: ReadonlyMap<Place, Place>): boolean {
  if (previous.node.ref !== undefined || previous.node.role !== place.node.role) return false;
  if (isItem(place.node.role)) return previous.node.name === place.node.name;
  return place.item === undefined || pairs.get(place.item) === previous.item;
}

function differences(before: ReadNode, after: ReadNode): ChangeSince[] {
  const found = changesBetween(before, after);
  const isTextReported = before.name !== after.name || before.value !== after.value;
  if (isTextReported || before.digest === after.digest || before.states.includes('protected')) return found;
  const what = after.value.length > LONGEST_KEPT ? 'value' : 'name';
  const describeText = (node: ReadNode): string =>
    `${what} ${JSON.stringify(node[what])} (${node.digest?.split(':')[0] ?? '?'} chars)`;
  return [
    { kind: 'changed', ...describe(after), before: describeText(before), after: describeText(after) },
    ...found,
  ];
}

/** What disappeared: an element with its whole content as one, or piece by piece if a part of it still exists. */
function disappeared(old: readonly Place[], stayed: ReadonlySet<Place>): Difference[] {
  // Children come after their parents, so they are counted first from the end.
  const keeps = new Set<Place>();
  const worth = new Map<Place, number>();
  for (const place of old.toReversed()) {
    const { parent } = place;
    if (stayed.has(place) || keeps.has(place)) {
      if (parent) keeps.add(parent);
    } else if (parent) {
      const own = isReportable(place.node) ? 1 : 0;
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
    if (stayed.has(place) || !isReportable(node)) continue;
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

/** Value and states of an appeared element. */
function stateOf({ value, states }: ReadNode): { after?: string } {
  const isSecret = states.includes('protected');
  const parts = [...(value === '' || isSecret ? [] : [`value ${JSON.stringify(value)}`]), ...states];
  return parts.length === 0 ? {} : { after: parts.join(' ') };
}

function isReportable(node: ReadNode): boolean {
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
