import { DeskterityError } from '../../model/effects/errors.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';
import type { Session } from '../refs/session.ts';
import { SCREEN, windowTarget, withName, type ResolvedTarget } from '../refs/target.ts';

/** What is at a point of the screen. */
export interface PointTarget {
  readonly target: ResolvedTarget;
  readonly window: DesktopWindow | undefined;
  /** The element there, if its application reports one. */
  readonly element: NodeDetails | undefined;
  /** In words, for the receipt: ` on button "OK"`. */
  readonly words: string;
}

/** The window at a point, or the bare screen, with the element there in words. */
export async function pointTarget(
  parts: { readonly desktop: DesktopPort; readonly session: Session },
  point: Point,
  options: CallOptions,
): Promise<PointTarget> {
  const { desktop } = parts;
  const [{ windowId, pid, isPopup }, windows] = await Promise.all([
    desktop.contentAt(point, options),
    desktop.listWindows(options),
  ]);
  const window =
    windows.find(({ id, otherId }) => windowId !== undefined && (id === windowId || otherId === windowId)) ??
    // A menu or list belongs to the frontmost window of its application.
    (isPopup && pid !== undefined ? windows.findLast((candidate) => candidate.pid === pid) : undefined);
  if (!window) return { target: SCREEN, window, element: undefined, words: ' on the bare screen' };
  const target = await windowTarget(parts, window, options);
  const element = await elementAt(desktop, { point, window }, options);
  return { target, window, element, words: element ? ` on ${withName(element)}` : '' };
}

async function elementAt(
  desktop: DesktopPort,
  { point, window }: { readonly point: Point; readonly window: DesktopWindow },
  options: CallOptions,
): Promise<NodeDetails | undefined> {
  if (!window.root) return undefined;
  const { lineage } = await desktop.contentAt(point, { ...options, app: window.root.app });
  return lineage[0] && desktop.describe(lineage[0], options).catch(() => undefined);
}

/**
 * For use before anything is moved or pressed: the pointer would stop at the edge.
 * @throws DeskterityError INVALID_ARGUMENT naming where the screen is
 */
export async function requireOnScreen(
  desktop: DesktopPort,
  points: readonly Point[],
  options: CallOptions,
): Promise<void> {
  const { width, height, monitors } = (await desktop.status(options)).screen;
  const areas = monitors ?? [{ x: 0, y: 0, width, height }];
  const beyond = points.find((point) => !areas.some((area) => isIn(area, point)));
  if (beyond === undefined) return;
  const place = `${beyond.x},${beyond.y}`;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    monitors === undefined
      ? `${place} is outside the screen, which is ${width}x${height} pixels.`
      : `${place} is on no monitor.`,
    {
      suggestion: `Choose a point ${areas.map(rangeOf).join(', or ')}; use references for elements.`,
      delivered: false,
    },
  );
}

function isIn(area: Bounds, point: Point): boolean {
  return intersect(area, { ...point, width: 1, height: 1 }) !== undefined;
}

function rangeOf({ x, y, width, height }: Bounds): string {
  return `from ${x},${y} to ${x + width - 1},${y + height - 1}`;
}
