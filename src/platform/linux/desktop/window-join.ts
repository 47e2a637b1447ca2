import { hasState, STATE } from '../atspi/tree/states.ts';
import type { TopLevel } from '../atspi/bus/top-levels.ts';
import type { DisplayWindow } from '../display/display.ts';

/** What joining compares. */
type DisplaySide = Pick<DisplayWindow, 'title' | 'pid' | 'bounds' | 'active'>;
type TreeSide = Pick<TopLevel, 'title' | 'extents' | 'states'> & {
  readonly application: Pick<TopLevel['application'], 'pid'>;
};

interface Joined<D, T> {
  readonly shown: D | undefined;
  readonly topLevel: T | undefined;
}

/** One window on the display and on the accessibility bus; either side may be missing. */
export type JoinedWindow = Joined<DisplayWindow, TopLevel>;

/** Frames and shadows make the accessible box larger than the client area by up to this much. */
const FRAME_TOLERANCE_PX = 140;

/**
 * Pairs windows of the display with accessible ones. There is no shared id: the process must match, then title and size
 * decide, best pair first, so that two windows with the same title are not swapped.
 */
export function joinWindows<D extends DisplaySide, T extends TreeSide>(
  displayed: readonly D[],
  topLevels: readonly T[],
): Joined<D, T>[] {
  const pairs = displayed
    .flatMap((shown) => topLevels.map((topLevel) => ({ shown, topLevel, score: affinity(shown, topLevel) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const partnerOf = new Map<D, T>();
  const taken = new Set<T>();
  for (const { shown, topLevel } of pairs) {
    if (partnerOf.has(shown) || taken.has(topLevel)) continue;
    partnerOf.set(shown, topLevel);
    taken.add(topLevel);
  }
  return [
    ...displayed.map((shown) => ({ shown, topLevel: partnerOf.get(shown) })),
    ...topLevels
      .filter((topLevel) => !taken.has(topLevel))
      .map((topLevel) => ({ shown: undefined, topLevel })),
  ];
}

function affinity(shown: DisplaySide, topLevel: TreeSide): number {
  const sameProcess = shown.pid !== undefined && shown.pid === topLevel.application.pid;
  const sameTitle = shown.title !== '' && shown.title === topLevel.title;
  if (!sameProcess && !(shown.pid === undefined && sameTitle)) return 0;
  const titleScore = sameTitle ? 8 : titleAffinity(shown.title, topLevel.title);
  const size = sizeScore(shown, topLevel);
  // A difference in both title and size means different windows of one process.
  if (titleScore === 0 && size === 0 && shown.title !== '') return 0;
  // GTK 4 reports no window positions: between otherwise identical windows, the active state decides.
  const activity = shown.active === hasState(topLevel.states, STATE.ACTIVE) ? 0.25 : 0;
  return 1 + titleScore + size + activity;
}

function titleAffinity(shown: string, told: string): number {
  if (shown !== '' && isWithInsertion(shown, told)) return 6;
  return told === '' || shown.startsWith(told) ? 2 : 0;
}

/** Chromium tells screen readers more than it writes on the window: "Page - Network error - Chromium" is "Page - Chromium". */
function isWithInsertion(shown: string, told: string): boolean {
  if (told.length <= shown.length) return false;
  let begin = 0;
  while (begin < shown.length && shown[begin] === told[begin]) begin++;
  return told.endsWith(shown.slice(begin));
}

/** Up to 4: closeness of size, then of position, allowing for an integer HiDPI scale. */
function sizeScore(shown: DisplaySide, topLevel: TreeSide): number {
  const { extents } = topLevel;
  if (!extents || extents.width <= 0) return 0;
  const scale = Math.max(1, Math.round(shown.bounds.width / extents.width));
  const width = Math.abs(shown.bounds.width - extents.width * scale);
  const height = Math.abs(shown.bounds.height - extents.height * scale);
  if (width > FRAME_TOLERANCE_PX * scale || height > FRAME_TOLERANCE_PX * scale) return 0;
  const near = Math.abs(shown.bounds.x - extents.x * scale) + Math.abs(shown.bounds.y - extents.y * scale);
  return 2 + Math.max(0, 1 - (width + height) / 100) + Math.max(0, 1 - near / 200);
}
