import { DeskterityError, type ErrorCode } from '../../../model/effects/errors.ts';
import { mentionCommand } from '../../../model/text/mention.ts';
import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import { roleSet } from '../../../model/tree/role.ts';
import type { TreeNode } from '../../../model/tree/node.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import { menusOf } from './menu-search.ts';
import { requireNoModal } from '../modal.ts';

/** The window in which a menu was looked for. */
interface Searched {
  readonly window: DesktopWindow;
  /** All windows of its application. */
  readonly siblings: readonly DesktopWindow[];
  readonly root: TreeNode;
}

const DIALOGS = roleSet('dialog', 'alertdialog', 'alert');
/** What a dialog over the window may cause: it has no menus itself, and toolkits disable those behind it. */
const MAY_BE_BLOCKED: ReadonlySet<ErrorCode> = new Set(['ELEMENT_NOT_FOUND', 'NOT_ACTIONABLE']);

/**
 * Checks whether a dialog explains why a menu item could not be used.
 * @throws DeskterityError NOT_ACTIONABLE naming the dialog
 */
export function requireNoDialog(error: unknown, { window, siblings, root }: Searched): void {
  if (!(error instanceof DeskterityError) || !MAY_BE_BLOCKED.has(error.code)) return;
  requireNoModal(window, siblings);
  const isDialog = window.modal === true || DIALOGS.has(root.role);
  const behind = siblings.find(({ id }) => id !== window.id);
  if (!isDialog || behind === undefined || menusOf(root).length > 0) return;
  const kind = root.role === 'window' ? 'dialog' : root.role;
  const text = firstText(root);
  const says = text === undefined || text === window.title ? '' : `, which says ${quoteClipped(text)},`;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `The ${kind} ${quoteClipped(window.title)}${says} is in front and has no menus.`,
    {
      suggestion: `Answer it first: ${mentionCommand('snapshot', { window: window.id })} shows its question. If it may stay open, name the window behind it: ${mentionCommand('menu', { path: 'PATH', window: behind.id })}.`,
      delivered: false,
      retryable: true,
    },
  );
}

/** The first words of a dialog: its title is often empty. */
function firstText(node: TreeNode): string | undefined {
  if (node.role === 'text' && node.name.trim() !== '') return node.name;
  for (const child of node.children) {
    const text = firstText(child);
    if (text !== undefined) return text;
  }
  return undefined;
}
