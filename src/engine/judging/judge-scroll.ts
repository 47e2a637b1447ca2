import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { isInView } from '../tree/element-states.ts';
import { confirmed, eventEvidence, noOp, UNREADABLE, unverified } from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { judgeByEffects } from './judge-effects.ts';
import type { Reading } from '../evidence/window-diff.ts';

/** How far content moved, in pixels: negative upwards and to the left. */
export interface Shift {
  readonly x: number;
  readonly y: number;
}

/** One element may move by itself; two that move by the same distance were scrolled. */
const FEWEST_MOVED = 2;
/** While they still move, no two are read at the same distance. */
const FEWEST_MOVING = 4;

/** The effect of scrolling: the visible content must have moved the other way, all by the same distance. */
export function judgeScroll(seen: Observation, direction: Shift): Judgement {
  if (hasWindowMoved(seen)) return unverified([WINDOW_MOVED], false);
  const shifts = shiftsOf(seen);
  const moved = movedAlike(shifts);
  const isExpected = ({ x, y }: Shift): boolean =>
    direction.x !== 0 ? x * direction.x < 0 : y * direction.y < 0;
  if (moved && isExpected(moved.shift)) {
    const { x, y } = moved.shift;
    return confirmed([`fresh read: ${moved.count} elements moved by ${x},${y} pixels`], false);
  }
  if (moved === undefined && shifts.length >= FEWEST_MOVING && shifts.every(isExpected))
    return confirmed([`fresh read: ${shifts.length} elements moved, and are still moving`], false);
  const other = judgeByEffects(withoutContent(seen));
  if (other) return other;
  const exchanged = exchangedIn(seen);
  if (exchanged) return unverified([exchanged], false);
  // Elements that left the view have no position to compare.
  if (seen.changes.length > 0)
    return unverified(['the visible content changed, but it is unknown how far it moved'], false);
  // The lines of a text area are not elements, but its scroll bar sends events.
  const reported = seen.events.filter(({ kind }) => kind === 'value-changed');
  if (reported.length > 0)
    return unverified([...eventEvidence(reported), 'no readable element moved'], false);
  if (shownIn(seen) < FEWEST_MOVED)
    return unverified(['its content cannot be read, so whether it moved is unknown'], false);
  // Browsers begin to scroll some time later, and report it with no event.
  const still = 'a fresh read shows everything where it was; it may be at its end';
  return { ...noOp([still], true), sawNothing: true };
}

/** Lists use the elements of their rows again for others: what these say now tells that the content moved, but not which way. */
function withoutContent(seen: Observation): Observation {
  return { ...seen, changes: seen.changes.filter(({ lineage }) => !lineage.includes(seen.targetKey)) };
}

/** The effect of bringing an element into view. */
export function judgeInView(seen: Observation): Judgement {
  const { after } = seen;
  if (!after) return unverified([UNREADABLE], true);
  const { bounds } = after;
  if (bounds === undefined || !isInView(after))
    return noOp(['a fresh read shows it still out of view'], true);
  const reading = `fresh read: in view at ${bounds.x},${bounds.y}`;
  if (hasWindowMoved(seen)) return unverified([reading, WINDOW_MOVED], true);
  const moved = movedAlike(shiftsOf(seen));
  if (moved) return confirmed([reading, `${moved.count} elements moved with it`], true);
  const other = judgeByEffects(seen);
  return other
    ? confirmed([reading, ...other.evidence], true)
    : unverified([reading, 'nothing else moved'], true);
}

const WINDOW_MOVED = 'its window moved meanwhile, with all its content';

/** The content of a moving window is read at different moments of the move. */
function hasWindowMoved({ trees }: Observation): boolean {
  const [was, is] = [trees?.before.root.bounds, trees?.after.root.bounds];
  return was !== undefined && is !== undefined && (was.x !== is.x || was.y !== is.y);
}

/** How far the elements in the target moved; those that did not are left out. */
function shiftsOf({ trees, targetKey, away = new Map() }: Observation): readonly Shift[] {
  if (!trees) return [];
  const after = new Map(
    nodesIn(trees.after, targetKey).map(({ handle, bounds }) => [handleKey(handle), bounds]),
  );
  return nodesIn(trees.before, targetKey).flatMap(({ handle, bounds: was }) => {
    const key = handleKey(handle);
    const is = after.get(key) ?? away.get(key);
    if (was === undefined || is === undefined || (is.x === was.x && is.y === was.y)) return [];
    return [{ x: is.x - was.x, y: is.y - was.y }];
  });
}

/** The largest group of elements that moved by the same distance. */
function movedAlike(shifts: readonly Shift[]): { readonly shift: Shift; readonly count: number } | undefined {
  const groups = new Map<string, { readonly shift: Shift; count: number }>();
  for (const shift of shifts) {
    const key = `${shift.x},${shift.y}`;
    const group = groups.get(key) ?? { shift, count: 0 };
    group.count++;
    groups.set(key, group);
  }
  const [largest] = [...groups.values()].toSorted((a, b) => b.count - a.count);
  return largest && largest.count >= FEWEST_MOVED ? largest : undefined;
}

/** Content still moving while it is read, as in Firefox, shows no common distance; elements that entered and left the view show the move. */
function exchangedIn({ trees, targetKey }: Observation): string | undefined {
  if (!trees) return undefined;
  const [before, after] = [trees.before, trees.after].map(
    (reading) => new Set(nodesIn(reading, targetKey).map(({ handle }) => handleKey(handle))),
  );
  if (!before || !after) return undefined;
  const entered = [...after].filter((key) => !before.has(key)).length;
  const left = [...before].filter((key) => !after.has(key)).length;
  return entered >= FEWEST_MOVED && left >= FEWEST_MOVED
    ? `${entered} elements came into view, ${left} left it`
    : undefined;
}

function shownIn({ trees, targetKey }: Observation): number {
  return trees ? nodesIn(trees.after, targetKey).filter(({ bounds }) => bounds !== undefined).length - 1 : 0;
}

/** The elements inside the target; all elements of the window if the tree shows too few there. */
function nodesIn({ root }: Reading, targetKey: string): TreeNode[] {
  const all = flatten(root);
  const target = all.find((node) => handleKey(node.handle) === targetKey);
  const inside = target && target !== root ? flatten(target) : [];
  // A row does not scroll its own content; the rows around it move.
  return inside.filter(({ bounds }) => bounds !== undefined).length > FEWEST_MOVED ? inside : all;
}

function flatten(root: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node);
    open.push(...node.children);
  }
  return nodes;
}
