import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import { firstMatching, optionLabel, plain } from '../tree/option-search.ts';

const ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio');

/** A menu item, or an element that opens a menu. */
export interface MenuEntry {
  readonly node: TreeNode;
  readonly label: string;
  /** The element whose action opens it. */
  readonly opener: TreeNode;
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
    const opener = node.role === 'button' ? node.children.find(({ role }) => role === 'button') : undefined;
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

/** A name without mnemonic marks (`_Save`, `&Save`, `保存(_S)`), accelerator (after a tab) and trailing dots. */
export function bare(name: string): string {
  const [text = ''] = name.split('\t');
  return plain(text)
    .replace(/\([_&]\p{L}\)/u, '')
    .replaceAll(/([_&])(\1)?/g, (_mark, mark: string, twice?: string) => (twice === undefined ? '' : mark))
    .replace(/\s*(?:…|\.{3})$/, '')
    .trim();
}
