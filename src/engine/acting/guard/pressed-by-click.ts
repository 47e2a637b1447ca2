import { isDestructive } from '../../../model/destructive/destructive-act.ts';
import { intersect } from '../../../model/tree/bounds.ts';
import type { TreeNode } from '../../../model/tree/node.ts';
import { roleSet } from '../../../model/tree/role.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import type { ActKind, PressedNode } from '../attempt.ts';

/** Acts that press their element at its place, or as if they did. A right-click opens a menu. */
const PRESSING: ReadonlySet<ActKind> = new Set<ActKind>([
  'click',
  'double-click',
  'triple-click',
  'mouse',
  'toggle',
  'expand',
  'collapse',
]);
const PRESSED = roleSet('button', 'togglebutton', 'menuitem', 'link');
/** What shows the content of something that is pressed: a click on it goes there. */
const PARTS = roleSet(
  'caption',
  'code',
  'deletion',
  'figure',
  'generic',
  'group',
  'heading',
  'image',
  'insertion',
  'paragraph',
  'text',
);
/** Browsers nest a few elements in a link, such as a picture in a heading. */
const MOST_AROUND = 6;

/** Of what is clicked, at most so many elements inside are looked at. */
const MOST_INSIDE = 2000;

/**
 * What a click on an element presses, if that is another one: the link or button of which it is a part, or one in its middle that loses something.
 */
export async function pressedByClick(
  desktop: DesktopPort,
  { kind, node }: { readonly kind: ActKind; readonly node: PressedNode },
  options: () => CallOptions,
): Promise<PressedNode | undefined> {
  if (!PRESSING.has(kind) || PRESSED.has(node.role)) return undefined;
  return (await around(desktop, node, options)) ?? (await inside(desktop, node, options));
}

async function around(
  desktop: DesktopPort,
  node: PressedNode,
  options: () => CallOptions,
): Promise<PressedNode | undefined> {
  let at: PressedNode | undefined = node;
  for (let left = MOST_AROUND; at?.parent !== undefined && PARTS.has(at.role) && left > 0; left -= 1) {
    at = await desktop.describe(at.parent, options()).catch(() => undefined);
    if (at !== undefined && PRESSED.has(at.role)) return at;
  }
  return undefined;
}

async function inside(
  desktop: DesktopPort,
  { handle, bounds }: PressedNode,
  options: () => CallOptions,
): Promise<PressedNode | undefined> {
  if (bounds === undefined) return undefined;
  const { x, y, width, height } = bounds;
  const middle = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2), width: 1, height: 1 };
  const read = { wholeTree: false, includeActions: false, maxNodes: MOST_INSIDE, mirrored: true };
  const tree = await desktop.readTree({ ...options(), root: handle, ...read }).catch(() => undefined);
  return nodesIn(tree?.root).find(
    (node) =>
      isDestructive(node) && node.bounds !== undefined && intersect(middle, node.bounds) !== undefined,
  );
}

function nodesIn(root: TreeNode | undefined): TreeNode[] {
  return root === undefined ? [] : [root, ...root.children.flatMap(nodesIn)];
}
