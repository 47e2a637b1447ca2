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
 * Puts the items of open Swing menus where they are drawn. Java's bridge adds their place in the pop-up to that of the menu that opened it, so they
 * seem to lie over the menu instead (java-atk-wrapper, `AtkComponent.getParentOrigin`). All of them fill the pop-up, but for its border.
 */
export function placeSwingItems({ traits }: Pick<Application, 'traits'>, root: RawNode): void {
  if (traits.kind !== 'java') return;
  forEachNode(root, ({ nativeRole, extents: popup, children }) => {
    const boxes = children.flatMap(({ extents, dropped }) => (extents && !dropped ? [extents] : []));
    if (nativeRole !== NATIVE.POPUP_MENU || popup === undefined || boxes.length === 0) return;
    const union = unionOf(boxes);
    if (isInside(union, popup)) return;
    const dx = Math.round(popup.x + (popup.width - union.width) / 2 - union.x);
    const dy = Math.round(popup.y + (popup.height - union.height) / 2 - union.y);
    for (const child of children) child.extents = child.extents && moved(child.extents, dx, dy);
  });
}

/**
 * Where an item of a Swing menu is drawn: below its menu in a menu bar, beside it in another menu. Whether it contains a point, Java tells truly.
 * `undefined` if it is not there, as where the menu opened to another side.
 */
export async function placeOfSwingItem(
  channel: Channel,
  item: { readonly path: string; readonly nativeRole: number; readonly extents: Extents },
  options: CallOptions,
): Promise<Extents | undefined> {
  const { connection, templates } = channel;
  const { path, nativeRole, extents } = item;
  if (!ITEMS.has(nativeRole)) return extents;
  const opener = await connection.invoke(templates.parent, path, options);
  if ((await connection.invoke(templates.role, opener.path, options)) !== NATIVE.MENU) return extents;
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
