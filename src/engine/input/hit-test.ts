import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import { intersect, isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import { CLIPPING, UNCLIPPED } from '../../model/tree/distill/drop-invisible.ts';
import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails, PointContent, PointOptions } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';
import { withName } from '../refs/target.ts';
import { headerOver, isBehindHeader } from './under-header.ts';

/** At most this many ancestors of an element are read. */
const MOST_ANCESTORS = 64;

/** A point where a click would have reached an element a moment ago. */
export interface Spot {
  readonly node: NodeDetails;
  readonly window: DesktopWindow;
  readonly point: Point;
  /** What is aimed at, if it has no place of its own yet: a part of the cell {@link node}. */
  readonly part?: NodeDetails | undefined;
}

/** What a click at a point would reach, as far as that is known. */
export type Hit =
  | { readonly kind: 'target' }
  /**
   * The right window is there, but its application does not report which element is. `under`: a container of the element, which something without an
   * element covers. `boxes`: those around the element that show nothing beyond their edges, if the point is beyond one of them.
   */
  | { readonly kind: 'unknown'; readonly under?: NodeHandle; readonly boxes?: readonly Bounds[] }
  /** An open menu or list of the application takes the click, wherever it goes. */
  | { readonly kind: 'menu' }
  | { readonly kind: 'window'; readonly window: DesktopWindow | undefined }
  | { readonly kind: 'element'; readonly handle: NodeHandle };

/**
 * Where to point at an element: its middle, or, if that is outside the screen or its window, the middle of what shows of it; `undefined` if
 * nothing does.
 */
export function pointIn(bounds: Bounds, ...frames: readonly (Bounds | undefined)[]): Point | undefined {
  const visible = frames.reduce<Bounds | undefined>(
    (part, frame) => (part === undefined || frame === undefined ? part : intersect(part, frame)),
    bounds,
  );
  if (visible === undefined || visible.width === 0 || visible.height === 0) return undefined;
  const middle = middleOf(bounds);
  return intersect(visible, { ...middle, width: 1, height: 1 }) === undefined ? middleOf(visible) : middle;
}

function middleOf({ x, y, width, height }: Bounds): Point {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}

/**
 * Three sources: the display reports the window at the point, the application the element, the tree whether that belongs to the target.
 * @throws DeskterityError APP_UNRESPONSIVE if the application answers too late to tell
 */
export async function hitTest(
  desktop: DesktopPort,
  { node, window, point }: Spot,
  options: Omit<PointOptions, 'app'>,
): Promise<Hit> {
  // The headers stay where they are; between the last look at the point and the click, nothing else is read.
  const header = await headerOver(desktop, node, point, options);
  const content = await desktop.contentAt(point, { ...options, app: node.handle.app });
  const key = handleKey(node.handle);
  const isHit = content.lineage.some((handle) => handleKey(handle) === key);
  if (!(isHit && isDrawnInside(content, window)) && isForeign(content, window)) {
    const windows = await desktop.listWindows(options);
    return { kind: 'window', window: windows.find(({ id }) => id === content.windowId) };
  }
  if (content.isBehindMenu === true) return { kind: 'menu' };
  if (isHit) {
    if (header === 'unknown') return { kind: 'unknown' };
    return header === undefined ? { kind: 'target' } : { kind: 'element', handle: header };
  }
  const [innermost] = content.lineage;
  // A popup over the window covers everything in it.
  if (innermost === undefined)
    return content.isPopup ? { kind: 'window', window: undefined } : { kind: 'unknown' };
  if (await isSameElement(desktop, { node, handle: innermost }, options)) return { kind: 'target' };
  if (await isBehindHeader(desktop, node, innermost, options)) return { kind: 'unknown' };
  const ancestors = await ancestorsOf(desktop, node, options);
  if (!ancestors.has(handleKey(innermost)) || isBeyondContainer(ancestors, innermost, point))
    return { kind: 'element', handle: innermost };
  const isInPage = [...ancestors.values()].some(({ role }) => role === 'document');
  // The boxes of a page overflow.
  if (isInPage)
    return content.isWhatIsDrawn === true ? { kind: 'unknown', under: innermost } : { kind: 'unknown' };
  const boxes = boxesBelow(ancestors, innermost);
  return boxes.every((box) => contains(box, point)) ? { kind: 'unknown' } : { kind: 'unknown', boxes };
}

function contains(box: Bounds, point: Point): boolean {
  return pointIn({ ...point, width: 1, height: 1 }, box) !== undefined;
}

/** The boxes between an element and what contains the point: the visible part of a scrolled area of Qt has no other role than any box. */
function boxesBelow(ancestors: ReadonlyMap<string, Ancestor>, innermost: NodeHandle): readonly Bounds[] {
  const boxes: Bounds[] = [];
  const key = handleKey(innermost);
  for (const [each, { bounds, role }] of ancestors) {
    if (each === key || role === undefined || UNCLIPPED.has(role)) break;
    if (CLIPPING.has(role) && bounds !== undefined && bounds.width > 0 && bounds.height > 0)
      boxes.push(bounds);
  }
  return boxes;
}

/** They show a part of their items, and none beyond their edges; menus and combo boxes open beyond theirs. */
const SCROLLED = roleSet('grid', 'list', 'listbox', 'table', 'tree', 'treegrid');

/**
 * Whether the point is outside of what contains the element, such as its list, and within what contains that: a row that is scrolled out of its list
 * by more than half still has its middle there.
 */
function isBeyondContainer(
  ancestors: ReadonlyMap<string, Ancestor>,
  innermost: NodeHandle,
  point: Point,
): boolean {
  const key = handleKey(innermost);
  for (const [each, { bounds, role }] of ancestors) {
    if (each === key) return false;
    if (bounds && role && SCROLLED.has(role) && !contains(bounds, point)) return true;
  }
  return false;
}

/** Popups of the same application belong to its window; a popup without a process id may be anyone's. */
function isForeign({ windowId, isPopup, pid }: PointContent, window: DesktopWindow): boolean {
  if (isPopup) return pid === undefined || pid !== window.pid;
  return windowId !== window.id && windowId !== window.otherId;
}

/** Chromium draws its bubbles and dialogs inside its window: they have windows of their own in the tree only. */
function isDrawnInside({ isPopup, pid }: PointContent, window: DesktopWindow): boolean {
  return window.isTreeOnly === true && !isPopup && pid !== undefined && pid === window.pid;
}

/** Qt sometimes recreates the objects of its rows: equal role, name and bounds mean the same element. */
async function isSameElement(
  desktop: DesktopPort,
  { node, handle }: { readonly node: NodeDetails; readonly handle: NodeHandle },
  options: CallOptions,
): Promise<boolean> {
  const other = await desktop.describe(handle, options).catch(unlessLate);
  if (other?.role !== node.role || other.name !== node.name || node.bounds === undefined) return false;
  return isSameBounds(node.bounds, other.bounds);
}

/** Without a role where it cannot be read. */
type Ancestor = Pick<NodeDetails, 'parent' | 'bounds'> & Partial<Pick<NodeDetails, 'role'>>;

/**
 * What contains an element, innermost first.
 * @throws DeskterityError APP_UNRESPONSIVE, as what was not read in time must not seem to be elsewhere
 */
export async function ancestorsOf(
  desktop: DesktopPort,
  node: NodeDetails,
  options: CallOptions,
): Promise<ReadonlyMap<string, Ancestor>> {
  const ancestors = new Map<string, Ancestor>();
  let { parent } = node;
  while (parent !== undefined && ancestors.size < MOST_ANCESTORS && !ancestors.has(handleKey(parent))) {
    const ancestor: Ancestor = (await desktop.describe(parent, options).catch(unlessLate)) ?? {
      parent: undefined,
      bounds: undefined,
    };
    ancestors.set(handleKey(parent), ancestor);
    ({ parent } = ancestor);
  }
  return ancestors;
}

/** For what cannot be read; an answer that is only late says nothing. */
function unlessLate(error: unknown): undefined {
  if (error instanceof DeskterityError && error.code === 'APP_UNRESPONSIVE') throw error;
  return undefined;
}

/** The error that names what covers an element. */
export async function coveredError(
  desktop: DesktopPort,
  { ref, hit }: { readonly ref: string; readonly hit: Hit },
  options: CallOptions,
): Promise<DeskterityError> {
  if (hit.kind === 'menu')
    return new DeskterityError(
      'NOT_ACTIONABLE',
      `${ref} was not acted on: a menu of its application is open, which takes the next click.`,
      {
        suggestion: `Choose one of its items, or close it with ${mentionCommand('press', { keys: 'Escape' })}.`,
        delivered: false,
        retryable: true,
      },
    );
  const what = await nameOf(desktop, hit, options);
  const beyond =
    hit.kind === 'window'
      ? `, or act through accessibility, which also reaches elements under other windows: ${mentionParameter('mode', 'background')}`
      : '';
  return new DeskterityError('NOT_ACTIONABLE', `${ref} was not acted on: it is covered by ${what}.`, {
    suggestion: `Close or answer what covers it${beyond}.`,
    delivered: false,
    retryable: true,
  });
}

async function nameOf(desktop: DesktopPort, hit: Hit, options: CallOptions): Promise<string> {
  if (hit.kind === 'window')
    return hit.window === undefined
      ? 'something that is not a window'
      : `the window ${quoteClipped(hit.window.title)}`;
  if (hit.kind !== 'element') return 'something';
  const node = await desktop.describe(hit.handle, options).catch(() => undefined);
  if (node === undefined) return 'another element';
  return `a ${withName(node)}`;
}
