import { intersect, type Bounds } from '../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { Application } from '../atspi/bus/application.ts';
import { NULL_PATH, ROOT_PATH } from '../atspi/tree/names.ts';
import { NATIVE } from '../atspi/tree/roles.ts';
import type { Extents } from '../atspi/tree/object-facts.ts';
import type { PartRule, PixelFrame, Placeable, ToBounds } from '../atspi/tree/read-plan.ts';
import type { DisplayWindows } from '../display/display.ts';

/** Deeper than any real interface; an endless tree must not block us. */
const MAX_PARENTS = 100;
/** A popover's arrow, margin and shadow. */
const MAX_MARGIN_PX = 64;
/** Ancestors of LibreOffice's drawing area: a window and two boxes, in full screen one more. */
const MAX_DEPTH_OF_ROOT_PANE = 4;
const MAX_SEARCHED = 60;

interface Surroundings {
  /** Of the application's windows. */
  readonly roots: readonly string[];
  readonly options: CallOptions;
}

/** An element found on the way up. */
interface Ancestor extends Placeable {
  readonly path: string;
}

/**
 * Corrects parts of a window whose elements report wrong positions: GTK 4 popovers, which are separate windows but have
 * coordinates relative to the widget that opened them, and LibreOffice's own drawing, which it places at the window's
 * origin whether or not there is a menu bar.
 * @returns the frame that is valid for `path`, and what changes below it
 */
export async function frameWithParts(
  frame: PixelFrame,
  application: Application,
  path: string,
  { windows, roots, options }: Surroundings & { readonly windows: DisplayWindows },
): Promise<PixelFrame> {
  const { kind } = application.traits;
  if (kind !== 'libreoffice' && kind !== 'gtk4') return frame;
  const partRule =
    kind === 'gtk4'
      ? inPopovers(await popupsOf(application, windows, options))
      : drawnByLibreOffice(await frame.toBounds);
  if (path === frame.rootPath || partRule === undefined) return { ...frame, partRule };
  if (kind === 'libreoffice' && (await isOfGtk(application, path, options))) return { ...frame, partRule };
  const [lineage, base] = await Promise.all([
    lineageOf(application, path, frame.windowCoordinates, { roots, options }),
    frame.toBounds,
  ]);
  const toBounds = lineage.reduce((outer, element, index) => {
    const around = lineage[index - 1];
    return around ? partRule(element, around, outer) : outer;
  }, base);
  return { ...frame, toBounds: Promise.resolve(toBounds), partRule };
}

/** Cells in the rows of a GTK table, one in another at most. */
const MOST_CELLS = 3;

/** Elements that LibreOffice draws itself do not have this attribute; nor do the cells of GTK tables, which are no widgets, but the table around them does. */
async function isOfGtk(application: Application, path: string, options: CallOptions): Promise<boolean> {
  const { connection, templates } = await application.readingChannel(options);
  let current = path;
  for (let cells = 0; cells <= MOST_CELLS; cells++) {
    const [attributes, role, parent] = await Promise.all([
      connection.invoke(templates.attributes, current, options).catch(() => undefined),
      connection.invoke(templates.role, current, options).catch(() => 0),
      connection.invoke(templates.parent, current, options).catch(() => undefined),
    ]);
    if (attributes?.get('toolkit') === 'gtk') return true;
    if (role !== NATIVE.TABLE_CELL || parent === undefined || parent.path === NULL_PATH) return false;
    current = parent.path;
  }
  return false;
}

async function popupsOf(
  { pid }: Application,
  windows: DisplayWindows,
  options: CallOptions,
): Promise<readonly Bounds[]> {
  const popups = await windows.popups(options).catch(() => []);
  return popups.filter((popup) => popup.pid === pid).map(({ bounds }) => bounds);
}

/**
 * What is correct again inside LibreOffice's own drawing: GTK widgets, which fill the pixels of their parent, and pop-ups, which are windows of
 * their own even where the tree has them below the button that opened them.
 */
export function drawnByLibreOffice(base: ToBounds): PartRule {
  return (element, around, current) => {
    if (!element.extents || !around.extents) return current;
    if (current === base) {
      const x = around.extents.x - element.extents.x;
      const y = around.extents.y - element.extents.y;
      if (element.nativeRole !== NATIVE.ROOT_PANE || (x === 0 && y === 0)) return current;
      return (extents) => base({ ...extents, x: extents.x + x, y: extents.y + y });
    }
    if (element.nativeRole === NATIVE.FRAME) return base;
    if (element.nativeRole !== NATIVE.PANEL) return current;
    if (isPopupOf(element.extents, around.extents)) return base;
    const box = base(element.extents);
    const outer = current(around.extents);
    return box && outer && isAlike(box, outer, 2) ? base : current;
  };
}

/** From its button down, the tree leaves out the frame of a pop-up: it is larger than the button, and nowhere in it. */
function isPopupOf(inner: Extents, outer: Extents): boolean {
  const isLarger = inner.width > outer.width && inner.height > outer.height;
  return isLarger && intersect(inner, outer) === undefined;
}

/** A popover is recognised by its size and by being next to its opener; popovers exist only while they are open. */
export function inPopovers(popups: readonly Bounds[]): PartRule | undefined {
  if (popups.length === 0) return undefined;
  return (element, around, current) => {
    const { extents } = element;
    const opener = around.extents;
    const place = opener && current(opener);
    const box = extents && current(extents);
    if (!extents || !opener || !place || !box) return current;
    const scale = box.width / extents.width;
    const inside = { x: (extents.x - opener.x) * scale, y: (extents.y - opener.y) * scale };
    const margin = MAX_MARGIN_PX * scale;
    if (inside.x < 0 || inside.y < 0 || inside.x > margin || inside.y > margin) return current;
    const popup = popups.find(
      (each) =>
        Math.abs(inside.x + box.width - each.width) <= scale &&
        Math.abs(inside.y + box.height - each.height) <= scale &&
        intersect(grown(each, margin), place) !== undefined,
    );
    if (!popup) return current;
    // Coordinates in the popover are relative to the opener's corner, as if the popup began there.
    const x = popup.x - place.x;
    const y = popup.y - place.y;
    return (own) => {
      const pixels = current(own);
      return pixels && { ...pixels, x: pixels.x + x, y: pixels.y + y };
    };
  };
}

function grown({ x, y, width, height }: Bounds, by: number): Bounds {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function isAlike(a: Bounds, b: Bounds, tolerance: number): boolean {
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) <= tolerance);
}

/** An element and its known ancestors, outermost first. */
async function lineageOf(
  application: Application,
  path: string,
  windowCoordinates: boolean,
  { roots, options }: Surroundings,
): Promise<readonly Ancestor[]> {
  const { connection, templates } = await application.readingChannel(options);
  const box = windowCoordinates ? templates.windowExtents : templates.screenExtents;
  const read = async (of: string): Promise<Ancestor> => {
    const [nativeRole, extents] = await Promise.all([
      connection.invoke(templates.role, of, options).catch(() => 0),
      connection.invoke(box, of, options).catch((): Extents | undefined => undefined),
    ]);
    return { path: of, nativeRole, extents };
  };
  const lineage: Ancestor[] = [];
  let current = path;
  while (lineage.length < MAX_PARENTS) {
    const [element, parent] = await Promise.all([
      read(current),
      connection.invoke(templates.parent, current, options).catch(() => undefined),
    ]);
    lineage.unshift(element);
    // The parent of a root pane in LibreOffice is a window that is in no list.
    if (element.nativeRole === NATIVE.ROOT_PANE) {
      const around = await aroundRootPane(application, current, { roots, options });
      if (around !== undefined) lineage.unshift(await read(around));
      break;
    }
    if (!parent || parent.path === NULL_PATH || parent.path === ROOT_PATH) break;
    current = parent.path;
  }
  return lineage;
}

/** The parent of a root pane, found by searching down from the windows. */
async function aroundRootPane(
  application: Application,
  rootPane: string,
  { roots, options }: Surroundings,
): Promise<string | undefined> {
  const { connection, templates } = await application.readingChannel(options);
  let level = roots;
  let searched = 0;
  for (let depth = 0; depth < MAX_DEPTH_OF_ROOT_PANE; depth++) {
    const next: string[] = [];
    for (const path of level) {
      if (searched++ >= MAX_SEARCHED) return undefined;
      const role = await connection.invoke(templates.role, path, options).catch(() => 0);
      if (depth > 0 && role !== NATIVE.PANEL && role !== NATIVE.FILLER) continue;
      const children = (await connection.invoke(templates.children, path, options).catch(() => [])).map(
        (child) => child.path,
      );
      if (children.includes(rootPane)) return path;
      next.push(...children);
    }
    level = next;
  }
  return undefined;
}
