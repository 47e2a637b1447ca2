import type { OutputNode } from '../tree/node.ts';
import { roleSet } from '../tree/role.ts';
import { hasPattern } from './detect-patterns.ts';
import type { AppState, Finding } from './pattern.ts';
import { has, isDialog, Screen, textOf } from './screen.ts';
import { isAboutFailure } from './words/subjects.ts';

/** Counts of none, as in "0 errors", are no failure. */
const NONE = /(?:^|\D)0\D/u;

/**
 * What a window is up to. If several things hold, what keeps the user from going on most: no answer at all, an error, a sign-in, work in progress, a dialog.
 */
export function appStateOf(root: OutputNode, findings: readonly Finding[], isBusy: boolean): AppState {
  if (isBusy) return 'busy';
  const screen = new Screen(root);
  if (hasPattern(findings, 'error_alert') || hasFailedStatus(screen)) return 'error';
  if (hasPattern(findings, 'login_form')) return 'auth_required';
  if (hasPattern(findings, 'progress_indicator')) return 'loading';
  return isModal(screen, findings) ? 'modal_dialog' : 'idle';
}

/** A status bar says so in a line of its own. */
function hasFailedStatus(screen: Screen): boolean {
  return screen
    .of('status')
    .filter((node) => node !== screen.root && (node.children ?? []).length === 0)
    .some((node) => isAboutFailure(textOf(node)) && !NONE.test(textOf(node)));
}

const DIALOGS = roleSet('alertdialog', 'dialog');

/** Chromium does not say that the question of a page is modal: while that is shown, nothing else of its window is. */
function isAllBehindDialog(screen: Screen): boolean {
  const dialogs = screen.of('alertdialog', 'dialog');
  if (screen.root.role !== 'window' || dialogs.length === 0) return false;
  const content = screen.of('button', 'document', 'link', 'list', 'menuitem', 'tab', 'table', 'textbox');
  return content.length > 0 && content.every((node) => screen.isInside(node, DIALOGS));
}

function isModal(screen: Screen, findings: readonly Finding[]): boolean {
  if (screen.nodes.some((node) => has(node, 'modal'))) return true;
  const asks = findings.some(
    ({ pattern }) => pattern.startsWith('file_') || pattern === 'confirmation_dialog',
  );
  return (
    asks ||
    isAllBehindDialog(screen) ||
    screen.root.role === 'alertdialog' ||
    (isDialog(screen.root) && screen.root.role === 'alert')
  );
}
