import { roleSet, type Role } from '../../../model/tree/role.ts';
import { isReusable, type ElementDescription } from '../../tree/identity.ts';
import { likeness } from '../../tree/search/match.ts';

/** The least similarity for healing: below it, names share only a word or a position, as many do. */
export const LEAST_HEALED = 0.8;
/** How far the best candidate must be ahead of the second for healing. */
export const LEAST_AHEAD = 0.15;
/** The most that a merely similar name counts: "Save" and "Save all" are similar but not the same. */
const SIMILAR_NAME = 0.75;
/** The same words in another case or with other punctuation. */
const SAME_WORDS = 0.95;
/** Names that differ in a number, or say the opposite. */
const CONTRARY = 0.3;
/** The most that a former neighbour of the wanted element counts. */
const NEIGHBOUR = 0.5;
/** A role that is often confused with the wanted one, and any other role. */
const RELATED_ROLE = 0.8;
const OTHER_ROLE = 0.4;

/** What is known of the element that is searched. */
export interface Wanted {
  readonly role: Role | undefined;
  /** Empty if unknown. */
  readonly name: string;
  /** The element that the locator last matched. */
  readonly before: ElementDescription | undefined;
}

/** How likely an element is the wanted one, 0 to 1. */
export function similarity(wanted: Wanted, now: ElementDescription, name: string): number {
  const role = roleFactor(wanted.role, now.role);
  const names = nameLikeness(wanted.name, name);
  const byName = names === 1 ? SAME_WORDS : Math.min(names, SIMILAR_NAME);
  const { before } = wanted;
  if (before === undefined) return role * byName;
  if (names < 1 && name !== '' && before.neighbours.includes(now.name))
    return role * Math.min(byName, NEIGHBOUR);
  const isSameObject = before.app === now.app && before.path === now.path && !isReusable(before);
  // Another object in the same place with a merely similar name may be something else: Save as… where Save was.
  const byPlace = isSameObject
    ? 0.5 * names + 0.5
    : Math.min(SIMILAR_NAME, 0.7 * names + 0.3 * samePlace(before, now));
  return role * Math.max(byName, byPlace);
}

/** How far containers and neighbours are the same, 0 to 1. */
function samePlace(before: ElementDescription, now: ElementDescription): number {
  const [previous, next] = nearestNeighbours(before);
  const [previousNow, nextNow] = nearestNeighbours(now);
  const isSameTrail =
    before.trail.length === now.trail.length &&
    before.trail.every(({ role, name }, index) => {
      const step = now.trail[index];
      return step?.role === role && step.name === name;
    });
  return (isSameTrail ? 0.4 : 0) + (previous === previousNow ? 0.3 : 0) + (next === nextNow ? 0.3 : 0);
}

function nearestNeighbours({ neighbours }: ElementDescription): [string | undefined, string | undefined] {
  const gap = neighbours.indexOf('|');
  return [neighbours[gap - 1], neighbours[gap + 1]];
}

const FAMILIES: readonly ReadonlySet<Role>[] = [
  roleSet('button', 'togglebutton', 'link', 'menuitem'),
  roleSet('textbox', 'searchbox', 'combobox', 'spinbutton'),
  roleSet('checkbox', 'switch', 'togglebutton', 'menuitemcheckbox'),
  roleSet('radio', 'menuitemradio'),
  roleSet('listitem', 'option', 'row', 'treeitem', 'cell', 'gridcell'),
];

function roleFactor(wanted: Role | undefined, role: Role): number {
  if (wanted === undefined || wanted === role) return 1;
  return FAMILIES.some((family) => family.has(wanted) && family.has(role)) ? RELATED_ROLE : OTHER_ROLE;
}

/** 1 for the same words, 0 for nothing in common. */
export function nameLikeness(wanted: string, name: string): number {
  const [a, b] = [wordsOf(wanted), wordsOf(name)];
  if (a.length === 0 || b.length === 0) return 0;
  const [left, right] = [a.join(' '), b.join(' ')];
  if (left === right) return 1;
  const alike = likeness(left, right);
  return isContrary(a, b) ? Math.min(alike, CONTRARY) : alike;
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
  );
}

/** Words that turn a name into its opposite: a button renamed in this way does the reverse of what was requested. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['enable', 'disable'],
  ['show', 'hide'],
  ['open', 'close'],
  ['start', 'stop'],
  ['play', 'pause'],
  ['resume', 'pause'],
  ['add', 'remove'],
  ['accept', 'reject'],
  ['allow', 'deny'],
  ['import', 'export'],
  ['expand', 'collapse'],
  ['increase', 'decrease'],
  ['previous', 'next'],
  ['left', 'right'],
  ['up', 'down'],
  ['in', 'out'],
  ['on', 'off'],
  ['more', 'less'],
  ['all', 'none'],
];

/** Item 1 is not Item 12, and Disconnect, Deaktivieren and Unlock are not Connect, Aktivieren and Lock. */
function isContrary(a: readonly string[], b: readonly string[]): boolean {
  const only = (from: readonly string[], other: readonly string[]) =>
    from.filter((word) => !other.includes(word));
  const [left, right] = [only(a, b), only(b, a)];
  if ([...left, ...right].some((word) => /\p{N}/u.test(word))) return true;
  return left.some((one) => right.some((two) => isOpposite(one, two) || isOpposite(two, one)));
}

function isOpposite(one: string, two: string): boolean {
  const added = two.length - one.length;
  if (one.length >= 2 && added >= 1 && added <= 3 && two.endsWith(one)) return true;
  return OPPOSITES.some(([first, second]) => first === one && second === two);
}
