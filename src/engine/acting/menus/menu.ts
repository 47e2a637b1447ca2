import { mentionCommand } from '../../../model/text/mention.ts';
import type { Receipt } from '../../../model/effects/effect.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { clip, quoteClipped } from '../../../model/text/untrusted-text.ts';
import type { NodeHandle, TreeNode } from '../../../model/tree/node.ts';
import type { Judgement, Observation } from '../../evidence/evidence.ts';
import { judgeClick, judgeTicked } from '../../judging/judge-click.ts';
import { besidesClosing } from '../../evidence/menu-closing.ts';
import { windowKey } from '../../refs/window-identity.ts';
import type { MenuRequest } from '../../requests/acting.ts';
import { plain } from '../../tree/option-search.ts';
import { reportsExpansion } from '../../tree/element-states.ts';
import { TreeIndex } from '../../tree/tree-index.ts';
import type { ActingParts } from '../act.ts';
import { delivering } from '../delivery.ts';
import { requireNoDialog } from './menu-blocked.ts';
import { itemsNow, openMenu, upToDate } from './menu-opening.ts';
import { lookAtAll, lookAtMenus, type Place } from './menu-reading.ts';
import { entriesIn, menusOf, readPath, unescaped, type MenuEntry, type PathReading } from './menu-search.ts';

/** For closing menus after a failure, even past the deadline. */
const CLOSING_MS = 500;
const ENTRIES_LISTED = 40;

/** Activates a menu item and reports the effect. The deadline of the request covers all steps. */
export async function invokeMenu(parts: ActingParts, request: MenuRequest): Promise<Receipt> {
  const { desktop, session, actor } = parts;
  const opened: NodeHandle[] = [];
  let searched: Place | undefined;
  try {
    const find = (place: Place): ReturnType<typeof findItem> => {
      searched = place;
      return findItem(parts, request, { place, opened });
    };
    const { place, menu, entry } = await delivering(false, async () => {
      try {
        return await find(await lookAtMenus(parts, request));
      } catch (error) {
        // It may be in a menu bar that is not on screen.
        if (opened.length > 0 || !(error instanceof DeskterityError) || error.code !== 'ELEMENT_NOT_FOUND')
          throw error;
        return await find(await lookAtAll(parts, request));
      }
    });
    const index = new TreeIndex(place.root);
    const refOf = (node: TreeNode): Promise<string> =>
      session.edit((table) => table.refForElement(index.describe(node, windowKey(place.window))));
    if (entry.node.states.includes('disabled'))
      throw isDisabled(entry, await refOf(menu.opener), opened.length > 0);
    const ref = await refOf(entry.node);
    const { path: _path, app: _app, window: _window, ...call } = request;
    return await actor.onElement(
      { ...call, ref },
      { kind: 'click', run: (node, options) => desktop.press(node, options()), judge: judgeItem },
    );
  } catch (error) {
    // A menu that was opened but not used is in the user's way.
    const isLeftOpen = error instanceof DeskterityError && error.delivered !== true;
    for (const menu of isLeftOpen ? opened.toReversed() : [])
      await desktop.perform(menu, 'collapse', { deadlineMs: CLOSING_MS }).catch(() => undefined);
    if (searched !== undefined && isLeftOpen) requireNoDialog(error, searched);
    throw error;
  }
}

async function findItem(
  parts: ActingParts,
  request: MenuRequest,
  { place: first, opened }: { readonly place: Place; readonly opened: NodeHandle[] },
): Promise<{ place: Place; menu: MenuEntry; entry: MenuEntry }> {
  let place = first;
  let entries = menusOf(place.root);
  let menu: MenuEntry | undefined;
  let left = request.path;
  const passed: string[] = [];
  const above: MenuEntry[] = [];
  for (let isPart = false; left.length > 0;) {
    const depth = passed.length;
    const reading = chooseReading(entries, { path: left, isPart, passed, place });
    const entry = onlyEntry(entries, { name: reading.name, found: reading.found, passed, place });
    isPart = reading.rest.length === left.length;
    left = reading.rest;
    passed.push(reading.name);
    menu ??= entry;
    const isLast = left.length === 0;
    entries = entriesIn(entry.node);
    if (isLast) {
      if (entries.length > 0 || isMenuOnly(entry, depth)) throw isSubmenu(entry, entries);
      const fresh = await upToDate(parts, request, { above, entry, place, opened });
      return { ...fresh, menu };
    }
    above.push(entry);
    if (entries.length > 0) continue;
    if (!mayOpen(entry, depth)) throw hasNoItems(entry);
    const hasItems = ({ root }: Place): boolean => itemsNow(root, entry).length > 0;
    place = await openMenu(parts, request, { entry, place, opened, isShown: hasItems });
    entries = itemsNow(place.root, entry);
    if (entries.length === 0) throw hasNoItems(entry);
  }
  throw new DeskterityError('INVALID_ARGUMENT', 'The menu path is empty.', {
    suggestion: 'Give a path such as "File > Save".',
    delivered: false,
  });
}

/** Where in which window a name is looked for. */
interface Level {
  readonly passed: readonly string[];
  readonly place: Place;
}

/** @throws DeskterityError AMBIGUOUS_TARGET if the path can be read in more than one way */
function chooseReading(
  entries: readonly MenuEntry[],
  { path, isPart, ...level }: Level & { readonly path: readonly string[]; readonly isPart: boolean },
): PathReading {
  const opens = (entry: MenuEntry): boolean =>
    entriesIn(entry.node).length > 0 || mayOpen(entry, level.passed.length);
  const readings = readPath(entries, path, { isPart, opens });
  const [only] = readings;
  if (only === undefined) throw hasNoEntry(entries, { ...level, name: unescaped(path[0] ?? '') });
  if (readings.length === 1) return only;
  const names = readings.map(({ name }) => quoteClipped(name));
  throw new DeskterityError(
    'AMBIGUOUS_TARGET',
    `${quoteClipped(path[0] ?? '')} can begin with ${names.join(' or ')}, which ${whereOf(level)} both has.`,
    {
      suggestion:
        'Write " > " between the names, with spaces, and \\> or \\/ for what is part of a name, which leaves only one reading.',
      candidates: readings.flatMap(({ found }) => found.map(toCandidate)),
      delivered: false,
    },
  );
}

function onlyEntry(
  entries: readonly MenuEntry[],
  { name, found, ...level }: Level & { readonly name: string; readonly found: readonly MenuEntry[] },
): MenuEntry {
  const [only] = found;
  if (only === undefined) throw hasNoEntry(entries, { ...level, name });
  if (found.length === 1) return only;
  throw new DeskterityError(
    'AMBIGUOUS_TARGET',
    `${whereOf(level)} has ${found.length} ${whatAt(level)}s called ${quoteClipped(name)}.`,
    {
      suggestion: `Find the one you mean with ${mentionCommand('find', { whole_tree: true })} and press it with ${mentionCommand('click')}.`,
      candidates: found.map(toCandidate),
      delivered: false,
    },
  );
}

function hasNoEntry(
  entries: readonly MenuEntry[],
  { name, ...level }: Level & { readonly name: string },
): DeskterityError {
  const partly = level.place.complete ? '' : ' Only part of it could be read.';
  return new DeskterityError(
    'ELEMENT_NOT_FOUND',
    `${whereOf(level)} has no ${whatAt(level)} called ${quoteClipped(name)} among its ${entries.length}.${partly}`,
    {
      suggestion:
        entries.length === 0
          ? `Look at the window with ${mentionCommand('snapshot')}; its menus may be behind a button.`
          : 'Use one of the candidates.',
      candidates: entries.slice(0, ENTRIES_LISTED).map(toCandidate),
      delivered: false,
    },
  );
}

function whereOf({ passed, place }: Level): string {
  return quoteClipped(passed.length === 0 ? place.window.title : passed.join(' > '));
}

function whatAt({ passed }: Level): string {
  return passed.length === 0 ? 'menu' : 'item';
}

/** Top-level menus, and entries that can expand, may create their items only when they open. */
function mayOpen({ node }: MenuEntry, depth: number): boolean {
  return depth === 0 || node.role === 'menu' || reportsExpansion(node);
}

function isMenuOnly({ node }: MenuEntry, depth: number): boolean {
  // Qt fills some submenus only when they open.
  const hasMenu = node.role === 'menuitem' && node.children.some(({ role }) => role === 'menu');
  return hasMenu || node.role === 'menu' || reportsExpansion(node) || (depth === 0 && node.role === 'button');
}

/** Judges like a click, except for the menu, which closes whatever the item did. */
function judgeItem(seen: Observation): Judgement {
  const outside = besidesClosing(seen);
  const ticked = judgeTicked(outside);
  if (ticked !== undefined) return ticked;
  const judgement = judgeClick(outside);
  const isClosed = seen.after?.states.some((state) => state === 'offscreen' || state === 'hidden') ?? false;
  if (judgement.effect !== 'no_op' || !isClosed) return judgement;
  // The state of an item in a closed menu may be outdated.
  return judgeClick({ ...outside, before: { ...seen.before, role: 'menuitem' } });
}

function isDisabled({ label }: MenuEntry, menuRef: string, wasOpened: boolean): DeskterityError {
  const also = wasOpened ? ', also while its menu is open' : '';
  return new DeskterityError('NOT_ACTIONABLE', `The menu item ${quoteClipped(label)} is disabled${also}.`, {
    suggestion: wasOpened
      ? `Find out what enables it, such as a selection; ${mentionCommand('expand', { ref: menuRef })} shows its menu.`
      : `Some applications update a menu only when it opens: run ${mentionCommand('expand', { ref: menuRef })}, then repeat this command.`,
    delivered: false,
  });
}

function isSubmenu(entry: MenuEntry, entries: readonly MenuEntry[]): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${quoteClipped(entry.label)} is a menu, not a menu item.`, {
    suggestion: `Add one of its items to the path: "… > ${clip(entry.label, 40)} > ITEM".`,
    candidates: entries.slice(0, ENTRIES_LISTED).map(toCandidate),
    delivered: false,
  });
}

function hasNoItems({ label }: MenuEntry): DeskterityError {
  return new DeskterityError('ELEMENT_NOT_FOUND', `${quoteClipped(label)} shows no items.`, {
    suggestion: `Look at the window with ${mentionCommand('snapshot')} or ${mentionCommand('screenshot')}.`,
    delivered: false,
  });
}

function toCandidate({ node, label }: MenuEntry): { role: string; name: string; detail?: string } {
  const role = node.role;
  const name = clip(plain(label.replace(/\t.*$/s, '')), 80);
  return node.states.includes('disabled') ? { role, name, detail: 'disabled' } : { role, name };
}
