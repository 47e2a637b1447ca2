import { intersect, isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { pathTo } from '../tree/path-to.ts';
import type { Reading } from './window-diff.ts';

/** A shadow or border that belongs to the window may be around the bar. */
const EDGE_PX = 32;
/** Minimize, maximize, close, and perhaps a menu. */
const MOST_BUTTONS = 4;
/** A window is closed, too, where it is minimized. */
const FEWEST_BUTTONS = 2;
/** They show signs, not texts. */
const WIDEST_SHAPE = 1.5;

/** A window before and after an act. */
interface Minimizing {
  readonly was: DesktopWindow | undefined;
  readonly is: DesktopWindow | undefined;
  readonly tree: Reading | undefined;
  readonly targetKey: string;
  /** What the act may have caused. */
  readonly events: readonly DesktopEvent[];
}

/**
 * Whether the press of a window button, in a title bar that the application draws itself, minimized the window: the window reported that it was no
 * longer active while the handler of the press ran. Whatever else is pressed, somebody else may have minimized it at that moment.
 */
export function minimizedByTitleBar({ was, is, tree, targetKey, events }: Minimizing): boolean {
  if (was === undefined || is === undefined || was.minimized || !is.minimized) return false;
  if (tree === undefined || !isWindowButton(tree.root, targetKey)) return false;
  const root = handleKey(tree.root.handle);
  const isOfRoot = ({ node }: DesktopEvent): boolean => handleKey(node) === root;
  return (
    events.some((event) => isOfState(event, 'active=0') && isOfRoot(event)) ||
    // Of Gecko's windows, an object outside the tree reports the states; the window itself only that it became active, or no longer is.
    (events.some((event) => isOfState(event, 'iconified=1')) &&
      events.some((event) => event.kind === 'window-changed' && isOfRoot(event)))
  );
}

function isOfState({ kind, detail }: DesktopEvent, state: string): boolean {
  return kind === 'state-changed' && detail === state;
}

/**
 * One of a few buttons at the top of the window, with nothing else between it and the nearer end of that. Chromium has them directly beside the whole
 * content of the window, and a window in two parts has a bar over each.
 */
function isWindowButton(root: TreeNode, key: string): boolean {
  const [group, target] = pathTo(root, key).slice(-2);
  const [window, place] = [root.bounds, target?.bounds];
  if (group === undefined || target?.role !== 'button' || window === undefined || place === undefined)
    return false;
  const isButton = ({ role }: TreeNode): boolean => role === 'button';
  const row = group.children.filter(isButton).flatMap(({ bounds }) => bounds ?? []);
  return (
    place.y - window.y <= EDGE_PX &&
    row.length >= FEWEST_BUTTONS &&
    row.length <= MOST_BUTTONS &&
    row.every(({ y, width, height }) => y === place.y && width <= height * WIDEST_SHAPE) &&
    group.children.every(
      (other) =>
        isButton(other) ||
        // GTK 3 sets them apart from the buttons of the application by a line.
        other.role === 'separator' ||
        isBehind(other, place) ||
        isBarBeside(other, row, window),
    ) &&
    isAtEnd(row, window)
  );
}

/** Whether it is a whole bar, with the window buttons between it and the end of the window, as in Thunderbird. */
function isBarBeside({ bounds, children }: TreeNode, row: readonly Bounds[], window: Bounds): boolean {
  if (bounds === undefined || children.length === 0) return false;
  const { left, right } = ends(row);
  const isLeftOf = bounds.x + bounds.width <= left;
  return left - window.x > EDGE_PX ? isLeftOf : bounds.x >= right;
}

/** Whether it holds this place, as the content of a window that is drawn up to its top does. */
function isBehind({ bounds, children }: TreeNode, place: Bounds): boolean {
  return (
    children.length > 0 && bounds !== undefined && isSameBounds(intersect(bounds, place) ?? bounds, place)
  );
}

function isAtEnd(row: readonly Bounds[], window: Bounds): boolean {
  const { left, right } = ends(row);
  return Math.abs(left - window.x) <= EDGE_PX || Math.abs(right - window.x - window.width) <= EDGE_PX;
}

function ends(row: readonly Bounds[]): { readonly left: number; readonly right: number } {
  return {
    left: Math.min(...row.map(({ x }) => x)),
    right: Math.max(...row.map(({ x, width }) => x + width)),
  };
}
