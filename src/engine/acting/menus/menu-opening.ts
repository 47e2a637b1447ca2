import { DeskterityError } from '../../../model/effects/errors.ts';
import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import { windowKey } from '../../refs/window-identity.ts';
import type { MenuRequest } from '../../requests/acting.ts';
import { isInView } from '../../tree/element-states.ts';
import { pathTo } from '../../tree/path-to.ts';
import { TreeIndex } from '../../tree/tree-index.ts';
import type { ActingParts } from '../act.ts';
import type { Place } from './menu-reading.ts';
import { entriesIn, type MenuEntry } from './menu-search.ts';
import { requireNoModal } from '../modal.ts';
import { takeTurn } from '../begin/turn.ts';
import { untilReady } from '../begin/until-ready.ts';

/** How long a menu may take to show its items, beyond its toolkit's activation delay. */
const OPENING_MS = 1500;
const STEP_MS = 50;

/** The items that a menu has in this reading. */
export function itemsNow(root: TreeNode, menu: MenuEntry): MenuEntry[] {
  const now = new TreeIndex(root).at(menu.node.handle);
  return now === undefined ? [] : entriesIn(now);
}

/** Opens a menu and waits until it shows what is wanted, at most as long as menus take for that. */
export async function openMenu(
  parts: ActingParts,
  request: MenuRequest,
  {
    entry,
    place,
    opened,
    isShown,
  }: {
    readonly entry: MenuEntry;
    readonly place: Place;
    readonly opened: NodeHandle[];
    readonly isShown: (place: Place) => boolean;
  },
): Promise<Place> {
  const { desktop, clock } = parts;
  await untilUnblocked(parts, request, place);
  const { deadlineMs, signal } = request;
  const { handle } = entry.opener;
  const turn = await takeTurn(desktop, { app: handle.app, window: windowKey(place.window) }, request);
  try {
    await desktop.perform(handle, 'expand', { deadlineMs, signal });
    opened.push(handle);
    const end = clock.now() + (await desktop.activationDelayMs(entry.node.handle, request)) + OPENING_MS;
    for (;;) {
      const now = await place.again();
      if (isShown(now) || clock.now() >= end) return now;
      await clock.sleep(STEP_MS, signal);
    }
  } finally {
    turn.end();
  }
}

/**
 * An item as it is once its menus have been opened, where that matters. If it is checked: some applications tick the items of a menu only when it opens,
 * and what the item does depends on its tick. If it is disabled, and its application enables items only then. If another menu of its bar is open: that closes when this one opens, but would stay open over
 * what the item brings about. Stays as it is where its menus cannot be opened.
 */
export async function upToDate(
  parts: ActingParts,
  request: MenuRequest,
  item: {
    /** The menus it is in, the outermost first. */
    readonly above: readonly MenuEntry[];
    readonly entry: MenuEntry;
    readonly place: Place;
    readonly opened: NodeHandle[];
  },
): Promise<{ readonly place: Place; readonly entry: MenuEntry }> {
  const { above, entry, opened } = item;
  let { place } = item;
  if (!isAnotherOpen(place.root, above[0]) && !(await mayBeOutdated(parts, request, entry)))
    return { place, entry };
  try {
    for (const [depth, menu] of above.entries()) {
      const { handle } = (above[depth + 1] ?? entry).node;
      const isShown = ({ root }: Place): boolean => {
        const node = new TreeIndex(root).at(handle);
        // LibreOffice shows an item a moment before it enables it.
        return node !== undefined && isInView(node) && !isDisabledItem(node, entry);
      };
      if (!isShown(place)) place = await openMenu(parts, request, { entry: menu, place, opened, isShown });
    }
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'ACTION_NOT_SUPPORTED') throw error;
  }
  const node = new TreeIndex(place.root).at(entry.node.handle);
  if (node === undefined) return { place, entry };
  // Lists of windows and files use their items again, for others.
  if (node.name !== entry.node.name) throw becameAnother(entry, node);
  return { place, entry: { ...entry, node } };
}

function becameAnother({ label }: MenuEntry, { name }: TreeNode): DeskterityError {
  return new DeskterityError(
    'STALE_REF',
    `The menu item ${quoteClipped(label)} became ${quoteClipped(name)} when its menu was opened.`,
    { suggestion: 'Repeat the command.', delivered: false },
  );
}

/** Ticks: seen in Qt, whose check items have the role of plain ones. */
async function mayBeOutdated(
  { desktop }: ActingParts,
  request: MenuRequest,
  { node }: MenuEntry,
): Promise<boolean> {
  if (isInView(node)) return false;
  if (node.role === 'menuitem' && node.states.includes('checked')) return true;
  return node.states.includes('disabled') && desktop.menusAwaitOpening(node.handle, request);
}

function isDisabledItem(node: TreeNode, entry: MenuEntry): boolean {
  return handleKey(node.handle) === handleKey(entry.node.handle) && node.states.includes('disabled');
}

/** Whether a menu of the same bar is open, and not this one. */
function isAnotherOpen(root: TreeNode, menu: MenuEntry | undefined): boolean {
  if (menu === undefined) return false;
  const key = handleKey(menu.node.handle);
  const barAround = (node: TreeNode): TreeNode | undefined =>
    node.role === 'menubar' && pathTo(node, key).length > 0
      ? node
      : node.children.map(barAround).find((found) => found !== undefined);
  const bar = barAround(root);
  if (bar === undefined) return false;
  const others = entriesIn(bar).filter(({ node }) => handleKey(node.handle) !== key);
  return others.some(({ node }) => isInView(node) && entriesIn(node).some((item) => isInView(item.node)));
}

/** Opening a menu is an act, too: no modal dialog may block its window. */
async function untilUnblocked(
  { desktop, clock }: ActingParts,
  request: MenuRequest,
  { window, siblings }: Place,
): Promise<void> {
  if (!siblings.some(({ modal, isOpening }) => modal === true || isOpening === true)) return;
  const options = (share = 1): CallOptions => ({
    deadlineMs: request.deadlineMs * share,
    signal: request.signal,
  });
  await untilReady(clock, options, async () => requireNoModal(window, await desktop.listWindows(options())));
}
