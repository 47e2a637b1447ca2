import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Point } from '../../ports/input.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { isInView } from '../tree/element-states.ts';
import { bringToFront, usableWindow, windowByKey } from './front.ts';
import { hitTest, pointIn } from './hit-test.ts';
import { withInputLease, type InputParts } from './input-lease.ts';

const MOST_NOTCHES = 400;
/** How far the wheel turns between two looks for the element. */
const NOTCHES_PER_LOOK = 3;
const LOOK_AFTER_MS = 120;
/** Once the pace is known, most of a long distance is scrolled at once. */
const MOST_AT_ONCE = 60;
/** GTK 4 lists that were just shown report old positions for a while. */
const MOST_FUTILE_LOOKS = 3;
const SAFE_SHARE = 0.7;

/** Turns the wheel until the element is in view or comes no nearer, as a person would before clicking it. */
export async function wheelIntoView(
  parts: InputParts,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<void> {
  await wheelUntilVisible(parts, await wheelPlace(parts, target, options), options);
}

/** Where the wheel is turned, and for which element. */
export interface WheelPlace {
  readonly point: Point;
  readonly target: ResolvedTarget;
}

/** The middle of the nearest part of the window that can be seen around an element. */
export async function wheelPlace(
  parts: InputParts,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<WheelPlace> {
  const container = await scrolledAncestor(parts, target, options());
  return { target, point: await reach(parts, { ...target, node: container }, options) };
}

/** Turns the wheel over a place until the element is in view or comes no nearer. Resolves with the number of notches. */
export async function wheelUntilVisible(
  parts: InputParts,
  { point, target }: WheelPlace,
  options: () => CallOptions,
): Promise<number> {
  const { desktop, clock } = parts;
  const { handle } = target.node;
  const away = async (): Promise<number | undefined> =>
    distance(parts, await desktop.describe(handle, options()), point, options());
  let turned = 0;
  await withInputLease(parts, options(), async (lease) => {
    await lease.moveTo(point, options());
    let before = await away();
    if (before === undefined) throw hasNoPosition(target);
    let notches = NOTCHES_PER_LOOK;
    let futileLooks = 0;
    while (turned < MOST_NOTCHES && futileLooks < MOST_FUTILE_LOOKS) {
      const now = await desktop.describe(handle, options());
      if (await isVisible(parts, target, now, options())) return;
      await lease.wheel({ x: 0, y: Math.sign(before) * notches }, options());
      turned += notches;
      await clock.sleep(LOOK_AFTER_MS, options().signal);
      const next = await away();
      if (next === undefined || Math.abs(next) >= Math.abs(before)) {
        futileLooks++;
        notches = NOTCHES_PER_LOOK;
        // It may have moved past.
        if (next !== undefined && Math.sign(next) !== Math.sign(before)) before = next;
        continue;
      }
      futileLooks = 0;
      const pace = (Math.abs(before) - Math.abs(next)) / notches;
      const needed = Math.floor((Math.abs(next) / pace) * SAFE_SHARE);
      notches = Math.min(MOST_AT_ONCE, Math.max(NOTCHES_PER_LOOK, needed));
      before = next;
    }
  });
  return turned;
}

/** GTK 4 keeps the bounds of rows that were scrolled out of view: only a hit test shows that they are not visible. */
export async function isVisible(
  { desktop }: InputParts,
  { record }: ResolvedTarget,
  node: NodeDetails,
  options: CallOptions,
): Promise<boolean> {
  const window = await windowByKey(desktop, record.window, options);
  const point = isInView(node) && node.bounds ? pointIn(node.bounds, window.bounds) : undefined;
  if (point === undefined) return false;
  const hit = await hitTest(desktop, { node, window, point }, options);
  return hit.kind === 'unknown' ? hit.boxes === undefined : hit.kind !== 'element';
}

/** How far below the pointer an element is, in pixels; `undefined` if unknown. */
async function distance(
  { desktop }: InputParts,
  node: NodeDetails,
  { y }: Point,
  options: CallOptions,
): Promise<number | undefined> {
  const { bounds } = node;
  const middle = bounds ? bounds.y + bounds.height / 2 : await middleBySiblings(desktop, node, options);
  return middle === undefined ? undefined : middle - y;
}

/** The middle of the scrolled element. Brings its window to the front if another one covers it. */
export async function reach(
  parts: InputParts,
  target: ResolvedTarget,
  options: () => CallOptions,
): Promise<Point> {
  const { desktop } = parts;
  let window = await usableWindow(desktop, target.record.window, options());
  if (window.minimized) window = await bringToFront(parts, target.record.window, options);
  const point = pointIn(
    target.node.bounds ?? window.bounds ?? { x: 0, y: 0, width: 0, height: 0 },
    window.bounds,
  );
  if (point === undefined)
    throw new DeskterityError('NOT_ACTIONABLE', `${target.ref} was not acted on: it is not on screen.`, {
      suggestion: `Scroll its container, or the whole window: omit ${mentionParameter('ref')}.`,
      delivered: false,
    });
  const hit = await hitTest(desktop, { node: target.node, window, point }, options());
  if (hit.kind === 'window') await bringToFront(parts, target.record.window, options);
  return point;
}

/** The nearest ancestor of an element that is in view. */
async function scrolledAncestor(
  { desktop }: InputParts,
  { ref, node }: ResolvedTarget,
  options: CallOptions,
): Promise<NodeDetails> {
  let { parent } = node;
  for (let climbed = 0; parent && climbed < 64; climbed++) {
    const above: NodeDetails = await desktop.describe(parent, options);
    if (isInView(above)) return above;
    ({ parent } = above);
  }
  throw new DeskterityError('NOT_ACTIONABLE', `No ancestor of ${ref} is on screen.`, {
    suggestion: 'Open its container first: a tab, a menu, a folder.',
    delivered: false,
  });
}

function hasNoPosition({ ref, node }: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${ref} (${node.role}) was not acted on: its position is unknown while it is out of view.`,
    {
      suggestion: `Scroll its container: ${mentionCommand('scroll', { direction: 'down', ref: 'REF' })}.`,
      delivered: false,
    },
  );
}

/** At most this many elements are read to locate one of them. */
const MOST_READ = 5000;

/** Some toolkits report an index but no bounds for elements out of view: the distance between visible siblings gives the position. */
async function middleBySiblings(
  desktop: DesktopPort,
  { handle, parent, indexInParent, remade }: NodeDetails,
  options: CallOptions,
): Promise<number | undefined> {
  // An element that was created for one reading is not updated when it comes into view.
  if (parent === undefined || indexInParent === undefined || remade === true) return undefined;
  const read = await desktop.readTree({
    ...options,
    root: parent,
    wholeTree: true,
    maxNodes: MOST_READ,
    includeActions: false,
  });
  const shown = read.root.children.filter(
    (node) => isInView(node) && handleKey(node.handle) !== handleKey(handle),
  );
  const [first, last] = await Promise.all(
    [shown[0], shown.at(-1)].map(async (node) => node && desktop.describe(node.handle, options)),
  );
  if (!first?.bounds || !last?.bounds) return undefined;
  if (first.indexInParent === undefined || last.indexInParent === undefined) return undefined;
  const steps = last.indexInParent - first.indexInParent;
  const pitch = steps > 0 ? (last.bounds.y - first.bounds.y) / steps : first.bounds.height;
  return first.bounds.y + first.bounds.height / 2 + (indexInParent - first.indexInParent) * pitch;
}
