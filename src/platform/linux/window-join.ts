import type { TopLevel } from './atspi/top-levels.ts';
import type { X11Window } from './x11/window.ts';

/** One window as both sides know it; either side may be missing. */
export interface JoinedWindow {
  readonly x11: X11Window | undefined;
  readonly topLevel: TopLevel | undefined;
}

/** Frames and shadows make the accessible box larger than the client area by up to this much. */
const FRAME_TOLERANCE_PX = 140;

/**
 * Pairs X11 windows with accessible ones. There is no shared id: the process must agree, then title and size decide, best pair first, so
 * that two windows with the same title do not swap.
 */
export function joinWindows(
  x11Windows: readonly X11Window[],
  topLevels: readonly TopLevel[],
): JoinedWindow[] {
  const pairs: { x11: X11Window; topLevel: TopLevel; score: number }[] = [];
  for (const x11 of x11Windows) {
    for (const topLevel of topLevels) {
      const score = affinity(x11, topLevel);
      if (score > 0) pairs.push({ x11, topLevel, score });
    }
  }
  pairs.sort((a, b) => b.score - a.score);
  const partnerOf = new Map<X11Window, TopLevel>();
  const taken = new Set<TopLevel>();
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

function affinity(x11: X11Window, topLevel: TopLevel): number {
  const sameProcess = x11.pid !== undefined && x11.pid === topLevel.application.pid;
  const sameTitle = x11.title !== '' && x11.title === topLevel.title;
  if (!sameProcess && !(x11.pid === undefined && sameTitle)) return 0;
  const titleScore = sameTitle ? 8 : topLevel.title === '' || x11.title.startsWith(topLevel.title) ? 2 : 0;
  return 1 + titleScore + sizeScore(x11, topLevel);
}

/** Up to 4: nearness of size, then of position, allowing for a whole-number HiDPI scale. */
function sizeScore(x11: X11Window, topLevel: TopLevel): number {
  const { extents } = topLevel;
  if (!extents || extents.width <= 0) return 0;
  const scale = Math.max(1, Math.round(x11.bounds.width / extents.width));
  const width = Math.abs(x11.bounds.width - extents.width * scale);
  const height = Math.abs(x11.bounds.height - extents.height * scale);
  if (width > FRAME_TOLERANCE_PX * scale || height > FRAME_TOLERANCE_PX * scale) return 0;
  const near = Math.abs(x11.bounds.x - extents.x * scale) + Math.abs(x11.bounds.y - extents.y * scale);
  return 2 + Math.max(0, 1 - (width + height) / 100) + Math.max(0, 1 - near / 200);
}
