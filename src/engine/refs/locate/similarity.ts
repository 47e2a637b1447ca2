import type { Role } from '../../../model/tree/role.ts';
import { isReusable } from '../../tree/identity.ts';
import type { ElementDescription } from '../../tree/identity.ts';
import { likeness } from '../../tree/search/match.ts';

/** Healing acts on nothing that is less alike: below it two names share a word or a place, which many elements do. */
export const LEAST_HEALED = 0.8;
/** And only where nothing else comes near: two that are nearly as good are a question, not an answer. */
export const LEAST_AHEAD = 0.15;
/** What a name that is merely like the wanted one is worth at most: "Save" and "Save all" are alike, and not the same. */
const MERELY_ALIKE = 0.75;
/** The same words in another case or with other punctuation. */
const SAME_WORDS = 0.95;
/** Names that differ in a number, or say the opposite. */
const CONTRARY = 0.3;
/** What was there beside the wanted one and is still called so. */
const BESIDE = 0.5;
/** Another role that people mix up with the wanted one; and any other. */
const KIN_ROLE = 0.8;
const OTHER_ROLE = 0.4;

/** What is looked for, as far as it is known. */
export interface Wanted {
  readonly role: Role | undefined;
  /** Empty where nothing is known of it. */
  readonly name: string;
  /** What the locator led to when it last matched. */
  readonly before: ElementDescription | undefined;
}

/** How likely an element is the wanted one, 0 to 1. */
export function similarity(wanted: Wanted, now: ElementDescription, name: string): number {
  const role = roleFactor(wanted.role, now.role);
  const names = nameLikeness(wanted.name, name);
  const byName = names === 1 ? SAME_WORDS : Math.min(names, MERELY_ALIKE);
  const { before } = wanted;
  if (before === undefined) return role * byName;
  if (names < 1 && name !== '' && before.neighbours.includes(now.name))
    return role * Math.min(byName, BESIDE);
  const isSameObject = before.app === now.app && before.path === now.path && !isReusable(before);
  // Another object in the same place, with a name that is merely alike, may well be another thing: Save as… where Save was.
  const byPlace = isSameObject
    ? 0.5 * names + 0.5
    : Math.min(MERELY_ALIKE, 0.7 * names + 0.3 * samePlace(before, now));
  return role * Math.max(byName, byPlace);
}

/** Whether it stands in the same containers between the same neighbours, 0 to 1. */
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
  new Set<Role>(['button', 'togglebutton', 'link', 'menuitem']),
  new Set<Role>(['textbox', 'searchbox', 'combobox', 'spinbutton']),
  new Set<Role>(['checkbox', 'switch', 'togglebutton', 'menuitemcheckbox']),
  new Set<Role>(['radio', 'menuitemradio']),
  new Set<Role>(['listitem', 'option', 'row', 'treeitem', 'cell', 'gridcell']),
];

function roleFactor(wanted: Role | undefined, role: Role): number {
  if (wanted === undefined || wanted === role) return 1;
  return FAMILIES.some((family) => family.has(wanted) && family.has(role)) ? KIN_ROLE : OTHER_ROLE;
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

/** Words that turn a name into its opposite: a button that is now called so does the reverse of what was asked for. */
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
