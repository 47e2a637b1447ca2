import { hasState, STATE } from '../atspi/tree/states.ts';
import type { TopLevel } from '../atspi/bus/top-levels.ts';
import type { X11Window } from '../display/x11/windows/window.ts';

/** What joining looks at. */
type DisplaySide = Pick<X11Window, 'title' | 'pid' | 'bounds' | 'active'>;
type TreeSide = Pick<TopLevel, 'title' | 'extents' | 'states'> & {
  readonly application: Pick<TopLevel['application'], 'pid'>;
};

interface Joined<X, T> {
  readonly x11: X | undefined;
  readonly topLevel: T | undefined;
}

/** One window as both sides know it; either side may be missing. */
export type JoinedWindow = Joined<X11Window, TopLevel>;

/** Frames and shadows make the accessible box larger than the client area by up to this much. */
const FRAME_TOLERANCE_PX = 140;

/**
 * Pairs X11 windows with accessible ones. There is no shared id: the process must agree, then title and size decide, best pair first, so
 * that two windows with the same title do not swap.
 */
export function joinWindows<X extends DisplaySide, T extends TreeSide>(
  x11Windows: readonly X[],
  topLevels: readonly T[],
): Joined<X, T>[] {
  const pairs = x11Windows
    .flatMap((x11) => topLevels.map((topLevel) => ({ x11, topLevel, score: affinity(x11, topLevel) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const partnerOf = new Map<X, T>();
  const taken = new Set<T>();
  for (const { x11, topLevel } of pairs) {
    if (partnerOf.has(x11) || taken.has(topLevel)) continue;
    partnerOf.set(x11, topLevel);
    taken.add(topLevel);
  }
  return [
    ...x11Windows.map((x11) => ({ x11, topLevel: partnerOf.get(x11) })),
    ...topLevels.filter((topLevel) => !taken.has(topLevel)).map((topLevel) => ({ x11: undefined, topLevel })),
  ];
}

function affinity(x11: DisplaySide, topLevel: TreeSide): number {
  const sameProcess = x11.pid !== undefined && x11.pid === topLevel.application.pid;
  const sameTitle = x11.title !== '' && x11.title === topLevel.title;
  if (!sameProcess && !(x11.pid === undefined && sameTitle)) return 0;
  const titleScore = sameTitle ? 8 : topLevel.title === '' || x11.title.startsWith(topLevel.title) ? 2 : 0;
  const size = sizeScore(x11, topLevel);
  // Two windows of one process that differ in title and size are two windows.
  if (titleScore === 0 && size === 0 && x11.title !== '') return 0;
  // GTK 4 says of no window where it is: of two that are alike in all else, the active one is the active one.
  const activity = x11.active === hasState(topLevel.states, STATE.ACTIVE) ? 0.25 : 0;
  return 1 + titleScore + size + activity;
}

/** Up to 4: nearness of size, then of position, allowing for a whole-number HiDPI scale. */
function sizeScore(x11: DisplaySide, topLevel: TreeSide): number {
  const { extents } = topLevel;
  if (!extents || extents.width <= 0) return 0;
  const scale = Math.max(1, Math.round(x11.bounds.width / extents.width));
  const width = Math.abs(x11.bounds.width - extents.width * scale);
  const height = Math.abs(x11.bounds.height - extents.height * scale);
  if (width > FRAME_TOLERANCE_PX * scale || height > FRAME_TOLERANCE_PX * scale) return 0;
  const near = Math.abs(x11.bounds.x - extents.x * scale) + Math.abs(x11.bounds.y - extents.y * scale);
  return 2 + Math.max(0, 1 - (width + height) / 100) + Math.max(0, 1 - near / 200);
}
