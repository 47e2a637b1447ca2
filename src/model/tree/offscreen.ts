import { mentionCommand } from '../text/mention.ts';
import type { OffScreen, OutputNode } from './node.ts';
import type { Role } from './role.ts';
import { SCROLL_DIRECTIONS } from './scroll.ts';

/** A container with more than what is on screen. */
export interface OffScreenPlace {
  readonly ref: string;
  readonly role: Role;
  readonly offscreen: OffScreen;
}

/** The most containers named as scrolled; all of them say so in the tree. */
const MOST_PLACES = 3;

/** Before references are given: as many places as there may be, in their longest form. */
export function widestPlaces(root: OutputNode): readonly OffScreenPlace[] {
  const count = (node: OutputNode): number =>
    (node.children ?? []).reduce((sum, child) => sum + count(child), node.offscreen === undefined ? 0 : 1);
  return Array.from({ length: Math.min(MOST_PLACES, count(root)) }, () => ({
    ref: '@e99999',
    role: 'columnheader',
    offscreen: { up: 99_999, down: 99_999 },
  }));
}

/** The containers that are scrolled, those with most out of sight first. */
export function offscreenPlaces(root: OutputNode): readonly OffScreenPlace[] {
  const places: OffScreenPlace[] = [];
  const visit = ({ ref, role, offscreen, children = [] }: OutputNode): void => {
    if (offscreen !== undefined && ref !== undefined) places.push({ ref, role, offscreen });
    for (const child of children) visit(child);
  };
  visit(root);
  return places.toSorted((a, b) => countOf(b.offscreen) - countOf(a.offscreen)).slice(0, MOST_PLACES);
}

function countOf({ up = 0, down = 0, left = 0, right = 0 }: OffScreen): number {
  return up + down + left + right;
}

/** What lies off screen, and the calls that show it. */
export function offscreenAnswer(offscreen: readonly OffScreenPlace[] = []) {
  const [most] = offscreen;
  if (most === undefined) return {};
  const { ref } = most;
  const direction = SCROLL_DIRECTIONS.findLast((way) => most.offscreen[way] !== undefined) ?? 'down';
  const ways = [
    mentionCommand('scroll', { direction, ref }),
    mentionCommand('snapshot', { root: ref, whole_tree: true }),
    mentionCommand('find', { query: 'TEXT', whole_tree: true }),
  ];
  return {
    off_screen: offscreen.map(({ ref: place, role, offscreen: counts }) => ({ ref: place, role, ...counts })),
    off_screen_reached_by: ways,
  };
}
