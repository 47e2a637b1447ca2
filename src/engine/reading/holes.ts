import { isPlain } from '../../image/plain.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { isInteractive, roleSet } from '../../model/tree/role.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { isInView } from '../tree/element-states.ts';

/** A place where something is drawn of which nothing in the tree tells, such as a canvas or an icon view. */
export interface Hole {
  readonly node: TreeNode;
  readonly reason: string;
}

/** Smaller in one direction, it is a decoration. */
const LARGE_PX = 100;
/** The frame around an empty list is no content. */
const FRAME_PX = 4;
/** Some toolkits have boxes around their scroll bars. */
const THICKEST_BAR_PX = 24;
const PICTURE_MS = 500;
/** The share of a place from which on what lies over it describes it: pages behind the one that is shown have a place, too. */
const DESCRIBED = 0.25;

/** They are what they say: a part of a scale, or text that is read otherwise. */
const TELLING = roleSet(
  'figure',
  'math',
  'meter',
  'progressbar',
  'scrollbar',
  'separator',
  'slider',
  'terminal',
  'video',
);

/**
 * Finds the large places of a window in which something is drawn that no element of the tree describes. A picture is taken only if the tree leaves
 * such a place.
 */
export async function holesIn(
  desktop: DesktopPort,
  { window, root }: { readonly window: DesktopWindow | undefined; readonly root: TreeNode },
  options: CallOptions,
): Promise<readonly Hole[]> {
  if (window === undefined || window.minimized || window.isTreeOnly === true) return [];
  if (!desktop.capabilities.capture || desktop.screen !== undefined) return [];
  const places = placesIn(root);
  if (places.length === 0) return [];
  const image = await desktop
    .capture(
      { kind: 'window', windowId: window.id, asShown: true },
      { ...options, deadlineMs: Math.min(options.deadlineMs, PICTURE_MS) },
    )
    .catch(() => undefined);
  if (image === undefined) return [];
  return places
    .filter(({ box }) => !isPlain(image, box, image.covered))
    .map(({ node, box: { x, y, width, height } }) => ({
      node,
      reason: `something is drawn at ${x},${y} (${width} × ${height} pixels) that the application does not describe: look at it with ${mentionCommand('screenshot')}`,
    }));
}

interface Place {
  readonly node: TreeNode;
  /** What is to be seen of it, without its frame. */
  readonly box: Bounds;
  readonly above: readonly TreeNode[];
}

/** Of trees that may be returned again. */
const knownPlaces = new WeakMap<TreeNode, readonly Place[]>();

function placesIn(root: TreeNode): readonly Place[] {
  const known = knownPlaces.get(root) ?? silentPlaces(root);
  knownPlaces.set(root, known);
  return known;
}

/** The large visible elements that say nothing, and where nothing else says anything. */
function silentPlaces(root: TreeNode): readonly Place[] {
  const places: Place[] = [];
  const told: { readonly node: TreeNode; readonly box: Bounds }[] = [];
  const visit = (node: TreeNode, clip: Bounds | undefined, above: readonly TreeNode[]): void => {
    const around = [...above, node];
    if (!isInView(node) && node !== root) {
      // Some toolkits give a place only to what is inside.
      for (const child of node.children) visit(child, clip, around);
      return;
    }
    const box = clip && node.bounds ? intersect(clip, node.bounds) : node.bounds;
    if (box === undefined) {
      // Windows of Java have no place of their own.
      if (node === root) for (const child of node.children) visit(child, clip, around);
      return;
    }
    // Pictures in the text of a page are usually there for the eye; elsewhere they are charts, canvases and games.
    const isPicture = node.role === 'image' && above.some(({ role }) => role === 'document');
    if (node !== root && (isTelling(node) || isPicture)) told.push({ node, box });
    else if (node !== root && isEmpty(node)) {
      const inner = within(box);
      if (inner !== undefined && node.elided === undefined) places.push({ node, box: inner, above });
    }
    // The text of a page is told by the page. What a tab or a row holds is beside it.
    const inner = isInteractive(node.role) ? clip : box;
    if (node === root || (node.value ?? '') === '')
      for (const child of node.children) visit(child, inner, around);
  };
  visit(root, undefined, []);
  // The name of a page or group does not describe what is in it.
  return places.filter(({ box, above }) => {
    const parts = told.map((other) => (above.includes(other.node) ? undefined : intersect(other.box, box)));
    const described = parts.reduce(
      (sum, part) => sum + (part === undefined ? 0 : part.width * part.height),
      0,
    );
    return described < DESCRIBED * box.width * box.height;
  });
}

function isTelling({ role, name, value, description, elided }: TreeNode): boolean {
  if (isInteractive(role) || TELLING.has(role) || elided !== undefined) return true;
  return name !== '' || (value ?? '') !== '' || (description ?? '') !== '';
}

/** It has no content but scroll bars, what is around these, and what has neither a place nor a name. */
function isEmpty({ children }: TreeNode): boolean {
  return children.every(
    (child) =>
      child.role === 'scrollbar' ||
      ((child.bounds === undefined || isThin(child.bounds)) && !isTelling(child) && isEmpty(child)),
  );
}

function isThin({ width, height }: Bounds): boolean {
  return Math.min(width, height) <= THICKEST_BAR_PX;
}

function within({ x, y, width, height }: Bounds): Bounds | undefined {
  if (width < LARGE_PX || height < LARGE_PX) return undefined;
  return {
    x: x + FRAME_PX,
    y: y + FRAME_PX,
    width: width - 2 * FRAME_PX,
    height: height - 2 * FRAME_PX,
  };
}
