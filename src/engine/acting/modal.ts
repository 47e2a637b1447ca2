import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { DesktopWindow } from '../../ports/desktop.ts';

/**
 * The modal dialog that a user has to answer before a window takes anything; the highest where there are several.
 *
 * As GTK and Qt do it, a dialog blocks the window it is for, and what else is for that, such as palettes. One that is for no window that there
 * is blocks all of its application (Qt names a window that is never shown). Whether other main windows are blocked too cannot be seen
 * from outside: GTK does so within a group of windows (Mousepad puts each into one of its own), Qt where a dialog was run by `exec`.
 */
export function modalDialogOver(
  window: DesktopWindow,
  windows: readonly DesktopWindow[],
): DesktopWindow | undefined {
  // What the display does not show, or what was left behind out of sight, is in nobody's way.
  if (window.stacking === undefined) return undefined;
  const dialogs = windows.filter(
    ({ modal, pid, minimized }) =>
      modal === true && pid !== 0 && pid === window.pid && (!minimized || window.minimized),
  );
  if (dialogs.length === 0) return undefined;
  const byId = new Map(windows.map((each) => [each.id, each]));
  const lineage = lineageOf(window, byId);
  for (const dialog of dialogs.toSorted((a, b) => (b.stacking ?? 0) - (a.stacking ?? 0))) {
    // It is in this dialog, or opened from it: what lies below has no say.
    if (lineage.has(dialog.id)) return undefined;
    const theirs = lineageOf(dialog, byId);
    if (theirs.size === 1 || [...theirs].some((id) => lineage.has(id))) return dialog;
  }
  return undefined;
}

/** A window and what it is for, and so on. */
function lineageOf(window: DesktopWindow, byId: ReadonlyMap<string, DesktopWindow>): ReadonlySet<string> {
  const ids = new Set<string>();
  let current: DesktopWindow | undefined = window;
  while (current !== undefined && !ids.has(current.id)) {
    ids.add(current.id);
    current = current.transientFor === undefined ? undefined : byId.get(current.transientFor);
  }
  return ids;
}

/**
 * What must hold of its window before an element is acted on: accessibility would get past a dialog that keeps users away.
 * @throws DeskterityError NOT_ACTIONABLE naming the dialog
 */
export function requireNoModal(window: DesktopWindow, windows: readonly DesktopWindow[]): void {
  const dialog = modalDialogOver(window, windows);
  if (dialog === undefined) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `The window ${named(window)} was left alone: the modal dialog ${named(dialog)} blocks it.`,
    {
      suggestion: `Answer the dialog first: ${mentionCommand('snapshot', { window: dialog.id })} shows what it asks.`,
      platformDetail: 'not-blocked-by-modal',
      delivered: false,
      retryable: true,
    },
  );
}

function named({ title }: DesktopWindow): string {
  return quote(clip(title, 80));
}
