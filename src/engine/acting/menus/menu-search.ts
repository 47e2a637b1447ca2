import type { TreeNode } from '../../../model/tree/node.ts';
import { roleSet } from '../../../model/tree/role.ts';
import { firstMatching, optionLabel, plain } from '../../tree/option-search.ts';

const ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio');

/** A menu item, or an element that opens a menu. */
export interface MenuEntry {
  readonly node: TreeNode;
  readonly label: string;
  /** The element whose action opens it. */
  readonly opener: TreeNode;
}

/** Whether it is a menu bar, or a button that contains a menu button, as in GTK 4. */
export function isMenuHolder(node: TreeNode): boolean {
  return node.role === 'menubar' || menuButtonIn(node) !== undefined;
}

function menuButtonIn({ role, children }: TreeNode): TreeNode | undefined {
  return role === 'button' ? children.find((child) => child.role === 'button') : undefined;
}

/** The entries that a path may start with: the menus of menu bars, then buttons that contain a menu button, as in GTK 4. */
export function menusOf(window: TreeNode): MenuEntry[] {
  const shown: MenuEntry[] = [];
  const hidden: MenuEntry[] = [];
  const buttons: MenuEntry[] = [];
  const visit = (node: TreeNode): void => {
    if (node.role === 'menubar') {
      (node.bounds ? shown : hidden).push(...entriesIn(node));
      return;
    }
    const opener = menuButtonIn(node);
    if (opener) buttons.push({ node, label: plain(optionLabel(node) || (opener.description ?? '')), opener });
    for (const child of node.children) visit(child);
  };
  visit(window);
  // LibreOffice has a second, invisible bar with the same menus.
  const isShown = new Set(shown.map(({ label }) => label));
  return [...shown, ...hidden.filter(({ label }) => !isShown.has(label)), ...buttons];
}

/** The items of one menu, without those of its submenus. */
export function entriesIn(menu: TreeNode): MenuEntry[] {
  return menu.children.flatMap((child) => {
    // A submenu is an item of its parent menu; a menu inside an item is only that item's popup.
    const isItem =
      ITEMS.has(child.role) || (child.role === 'menu' && child.name !== '' && !ITEMS.has(menu.role));
    return isItem
      ? [{ node: child, label: child.name || optionLabel(child), opener: child }]
      : entriesIn(child);
  });
}

/** The entries with this name: exactly, else without mnemonics, accelerators and dots, else ignoring case. */
export function entriesNamed(entries: readonly MenuEntry[], name: string): MenuEntry[] {
  const forms: ((text: string) => string)[] = [plain, bare, (text) => bare(text).toLowerCase()];
  const tests = forms.map((form) => (entry: MenuEntry) => form(entry.label) === form(name));
  return firstMatching(entries, ...tests);
}

/** One way to read the beginning of a path: the entries of that name, and the names that are left. */
export interface PathReading {
  readonly name: string;
  readonly found: readonly MenuEntry[];
  readonly rest: readonly string[];
}

/** Separators besides " > ", which names may contain, too; after a backslash, they are part of a name. */
const SEPARATOR = /(?<!\\)[/>]/g;

/** A name without the backslashes before separators. */
export function unescaped(name: string): string {
  return name.replaceAll(/\\([/>\\])/g, '$1');
}

/**
 * How a path may begin among these entries. The names of a path are what is between " > ". A name that no entry has may be several, with `/` or `>`
 * between them, or a part of one that contains " > ". `\\>` and `\\/` are never separators.
 *
 * @param isPart the first name is what such a split left, so that both readings of it count
 */
export function readPath(
  entries: readonly MenuEntry[],
  path: readonly string[],
  { isPart, opens }: { readonly isPart: boolean; readonly opens: (entry: MenuEntry) => boolean },
): PathReading[] {
  const [first = '', ...rest] = path;
  const reading = (name: string, left: readonly string[]): PathReading[] => {
    const asWritten = entriesNamed(entries, name);
    const plainName = unescaped(name);
    const found = asWritten.length === 0 ? entriesNamed(entries, plainName) : asWritten;
    return found.length === 0 ? [] : [{ name: plainName, found, rest: left }];
  };
  const whole = reading(first, rest);
  if (whole.length > 0 && !isPart) return whole;
  const split = [...first.matchAll(SEPARATOR)].flatMap(({ index }) => {
    const [name, left] = [first.slice(0, index).trim(), first.slice(index + 1).trim()];
    if (name === '' || left === '') return [];
    return reading(name, [left, ...rest]).filter(({ found }) => found.some(opens));
  });
  if (whole.length + split.length > 0) return [...whole, ...split];
  return rest.flatMap((_, index) => reading(path.slice(0, index + 2).join(' > '), rest.slice(index + 1)));
}

/** A name without mnemonic marks (`_Save`, `&Save`, `保存(_S)`), accelerator (after a tab) and trailing dots. */
export function bare(name: string): string {
  const [text = ''] = name.split('\t');
  return plain(text)
    .replace(/\([_&]\p{L}\)/u, '')
    .replaceAll(/([_&])(\1)?/g, (_mark, mark: string, twice?: string) => (twice === undefined ? '' : mark))
    .replace(/\s*(?:…|\.{3})$/, '')
    .trim();
}
