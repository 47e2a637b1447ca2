import { intersect, isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { readWindowTree } from '../tree/read-window.ts';

/** A picture waits no longer than this for the trees of its windows, and no longer than this share of its time. */
const READING_MS = 2000;
const READING_SHARE = 0.2;
/** Fields are drawn with a frame around them, and some toolkits report their place without it. */
const MARGIN = 2;

/** Where password fields are on the screen. */
export interface PasswordPlaces {
  readonly boxes: readonly Bounds[];
  /** Windows that may show more of them: they could not be read, or not in time. */
  readonly unread: readonly DesktopWindow[];
}

/** Looks for password fields in these windows. A window that is lower than another one is not drawn where that is. Never rejects, unless cancelled. */
export async function passwordPlaces(
  desktop: DesktopPort,
  windows: readonly DesktopWindow[],
  { deadlineMs, signal }: CallOptions,
): Promise<PasswordPlaces> {
  const options = { deadlineMs: Math.max(1, Math.min(READING_MS, deadlineMs * READING_SHARE)), signal };
  const found = await Promise.all(
    windows.map(async (window) => {
      const own = await placesIn(desktop, window, options);
      const above = windows.filter((other) => (other.stacking ?? -1) > (window.stacking ?? Infinity));
      return {
        window,
        isRead: own.isRead,
        boxes: own.boxes.filter((box) => !above.some(({ bounds }) => bounds && isWithin(box, bounds))),
      };
    }),
  );
  signal?.throwIfAborted();
  return {
    boxes: found.flatMap(({ boxes }) => boxes),
    unread: found.flatMap(({ window, isRead }) => (isRead ? [] : [window])),
  };
}

/** Whether two looks found the same fields in the same places. */
export function isSamePlaces(one: PasswordPlaces, other: PasswordPlaces): boolean {
  return (
    one.boxes.length === other.boxes.length &&
    one.boxes.every((box) => other.boxes.some((same) => isSameBounds(box, same)))
  );
}

async function placesIn(
  desktop: DesktopPort,
  window: DesktopWindow,
  options: CallOptions,
): Promise<{ readonly isRead: boolean; readonly boxes: readonly Bounds[] }> {
  if (window.root === undefined) return { isRead: false, boxes: [] };
  try {
    const { root, complete } = await readWindowTree(desktop, window, {
      ...options,
      wholeTree: false,
      mirrored: true,
    });
    const { boxes, isPlaced } = boxesIn(root);
    return { isRead: complete && isPlaced, boxes };
  } catch {
    return { isRead: false, boxes: [] };
  }
}

function boxesIn(root: TreeNode): { readonly boxes: readonly Bounds[]; readonly isPlaced: boolean } {
  const boxes: Bounds[] = [];
  let isPlaced = true;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    open.push(...node.children);
    const { states, bounds } = node;
    if (!states.includes('protected') || states.includes('hidden') || states.includes('offscreen')) continue;
    if (bounds === undefined) isPlaced = false;
    else boxes.push(withMargin(bounds));
  }
  return { boxes, isPlaced };
}

function withMargin({ x, y, width, height }: Bounds): Bounds {
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

function isWithin(box: Bounds, around: Bounds): boolean {
  const shared = intersect(box, around);
  return shared !== undefined && isSameBounds(shared, box);
}
