import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Application, Channel } from '../bus/application.ts';
import { forEachNode, type RawNode } from './raw-node.ts';
import type { Extents } from './object-facts.ts';
import { NATIVE } from './roles.ts';

const ITEMS: ReadonlySet<number> = new Set([
  NATIVE.MENU,
  NATIVE.MENU_ITEM,
  NATIVE.CHECK_MENU_ITEM,
  NATIVE.RADIO_MENU_ITEM,
]);

/**
 * Puts the items of open Swing menus and the pages of tabs where they are drawn. Java's bridge adds their place in the pop-up to that of the menu that
 * opened it, and that of a page in its tabbed pane to that of its tab (java-atk-wrapper, `AtkComponent.getParentOrigin`).
 */
export function placeSwingParts({ traits }: Pick<Application, 'traits'>, root: RawNode): void {
  if (traits.kind !== 'java') return;
  forEachNode(root, (node) => {
    placePages(node);
    placeItems(node);
  });
}

function placePages({ nativeRole, extents: pane, children }: RawNode): void {
  if (nativeRole !== NATIVE.PAGE_TAB_LIST || pane === undefined) return;
  for (const { nativeRole: role, extents: tab, children: pages } of children) {
    if (role !== NATIVE.PAGE_TAB || tab === undefined) continue;
    for (const page of pages) page.extents = page.extents && pagePlace(page.extents, tab, pane);
  }
}

/** A page fills its pane, but for the tabs: with the distance of its tab added, it exceeds that. */
function pagePlace(page: Extents, tab: Extents, pane: Extents): Extents {
  const place = moved(page, pane.x - tab.x, pane.y - tab.y);
  return !isInside(page, pane) && isInside(place, pane) ? place : page;
}

/** All items fill the pop-up, but for its border. */
function placeItems({ nativeRole, extents: popup, children }: RawNode): void {
  const boxes = children.flatMap(({ extents, dropped }) => (extents && !dropped ? [extents] : []));
  if (nativeRole !== NATIVE.POPUP_MENU || popup === undefined || boxes.length === 0) return;
  const union = unionOf(boxes);
  if (isInside(union, popup)) return;
  const dx = Math.round(popup.x + (popup.width - union.width) / 2 - union.x);
  const dy = Math.round(popup.y + (popup.height - union.height) / 2 - union.y);
  for (const child of children) child.extents = child.extents && moved(child.extents, dx, dy);
}

/**
 * Where an item of a Swing menu or the page of a tab is drawn. An item is below its menu in a menu bar, beside it in another menu.
 * Whether it contains a point, Java tells truly. `undefined` if it is not there, as where the menu opened to another side.
 */
export async function placeOfSwingPart(
  channel: Channel,
  part: { readonly path: string; readonly nativeRole: number; readonly extents: Extents },
  options: CallOptions,
): Promise<Extents | undefined> {
  const { connection, templates } = channel;
  const { path, nativeRole, extents } = part;
  const isItem = ITEMS.has(nativeRole);
  const opener = await connection.invoke(templates.parent, path, options).catch(unless(isItem));
  if (opener === undefined) return extents;
  const around = await connection.invoke(templates.role, opener.path, options).catch(unless(isItem));
  if (around === NATIVE.PAGE_TAB) {
    const pane = await connection.invoke(templates.parent, opener.path, options);
    const [tab, whole] = await Promise.all([
      connection.invoke(templates.screenExtents, opener.path, options),
      connection.invoke(templates.screenExtents, pane.path, options),
    ]);
    return pagePlace(extents, tab, whole);
  }
  if (!isItem || around !== NATIVE.MENU) return extents;
  const { width, height } = await connection.invoke(templates.screenExtents, opener.path, options);
  for (const [dx, dy] of [
    [0, height],
    [width, 0],
  ] as const) {
    const place = moved(extents, dx, dy);
    if (await connection.invoke(templates.contains(...middleOf(place)), path, options)) return place;
  }
  return undefined;
}

/** A window may have no parent that can be read. */
function unless(matters: boolean): (error: unknown) => undefined {
  return (error) => {
    if (matters) throw error;
    return undefined;
  };
}

function middleOf({ x, y, width, height }: Extents): [x: number, y: number] {
  return [x + Math.floor(width / 2), y + Math.floor(height / 2)];
}

function moved({ x, y, ...size }: Extents, dx: number, dy: number): Extents {
  return { x: x + dx, y: y + dy, ...size };
}

function unionOf(boxes: readonly Extents[]): Extents {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

function isInside(inner: Extents, outer: Extents): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
