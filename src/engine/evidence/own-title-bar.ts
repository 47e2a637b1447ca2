import type { Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { pathTo } from '../tree/path-to.ts';
import type { Reading } from './window-diff.ts';

/** A shadow or border that belongs to the window may be around the bar. */
const EDGE_PX = 32;
/** A title bar is that much wider than high. */
const SHAPE = 5;

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
  return events.some(
    ({ kind, detail, node }) => kind === 'state-changed' && detail === 'active=0' && handleKey(node) === root,
  );
}

/** A button beside other buttons only, at the end of a bar along the top of the window. */
function isWindowButton(root: TreeNode, key: string): boolean {
  const path = pathTo(root, key);
  const target = path.at(-1);
  const group = path.at(-2);
  if (target?.role !== 'button' || group === undefined) return false;
  const isOfButtons = group.children.every(({ role }) => role === 'button');
  const window = root.bounds;
  return (
    isOfButtons &&
    window !== undefined &&
    path.slice(1, -1).some(({ bounds }) => bounds !== undefined && isTitleBar(bounds, window)) &&
    group.bounds !== undefined &&
    isAtEnd(group.bounds, window)
  );
}

function isTitleBar(bar: Bounds, window: Bounds): boolean {
  return (
    Math.abs(bar.y - window.y) <= EDGE_PX &&
    Math.abs(bar.x - window.x) <= EDGE_PX &&
    Math.abs(bar.width - window.width) <= 2 * EDGE_PX &&
    bar.height * SHAPE < bar.width
  );
}

function isAtEnd(group: Bounds, window: Bounds): boolean {
  return (
    Math.abs(group.x - window.x) <= EDGE_PX ||
    Math.abs(group.x + group.width - window.x - window.width) <= EDGE_PX
  );
}
