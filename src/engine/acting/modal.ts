import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';

/**
 * The modal dialog that a user must answer before a window accepts input; the topmost one if there are several.
 *
 * In GTK and Qt, a dialog blocks the window it is transient for and that window's other transients, such as palettes. A dialog whose parent does
 * not exist blocks its whole application (Qt names a window that is never shown). Whether other main windows are blocked too is not visible
 * from outside: GTK blocks a window group (Mousepad gives each window its own), Qt blocks all if the dialog was run by `exec`.
 */
export function modalDialogOver(
  window: DesktopWindow,
  windows: readonly DesktopWindow[],
): DesktopWindow | undefined {
  // A window that is not shown is not blocked; a minimized dialog blocks only minimized windows.
  if (window.stacking === undefined) return undefined;
  const dialogs = windows.filter(
    ({ modal, pid, minimized }) =>
      modal === true && pid !== 0 && pid === window.pid && (!minimized || window.minimized),
  );
  if (dialogs.length === 0) return undefined;
  const byId = new Map(windows.map((each) => [each.id, each]));
  const lineage = lineageOf(window, byId);
  for (const dialog of dialogs.toSorted((a, b) => (b.stacking ?? 0) - (a.stacking ?? 0))) {
    // The window is this dialog or was opened from it: dialogs below do not matter.
    if (lineage.has(dialog.id)) return undefined;
    const theirs = lineageOf(dialog, byId);
    if (theirs.size === 1 || [...theirs].some((id) => lineage.has(id))) return dialog;
  }
  return undefined;
}

/** The ids of a window and of the windows it is transient for, directly or indirectly. */
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
 * Checks that no modal dialog blocks the window: accessibility actions would bypass a dialog that users cannot.
 * @throws DeskterityError NOT_ACTIONABLE naming the dialog, also while one is opening, which may be modal
 */
export function requireNoModal(window: DesktopWindow, windows: readonly DesktopWindow[]): void {
  const opening = windows.find(
    ({ id, pid, isOpening }) => isOpening === true && pid === window.pid && id !== window.id,
  );
  if (opening !== undefined && window.stacking !== undefined) throw isOpeningOver(window, opening);
  const dialog = modalDialogOver(window, windows);
  if (dialog === undefined) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `The window ${quoteClipped(window.title)} was not acted on: the modal dialog ${quoteClipped(dialog.title)} blocks it.`,
    {
      suggestion: `Answer the dialog first: ${mentionCommand('snapshot', { window: dialog.id })} shows its question.`,
      platformDetail: 'not-blocked-by-modal',
      delivered: false,
      retryable: true,
    },
  );
}

function isOpeningOver(window: DesktopWindow, dialog: DesktopWindow): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `The window ${quoteClipped(window.title)} was not acted on: the dialog ${quoteClipped(dialog.title)} is opening and may block it.`,
    {
      suggestion: `Look at it with ${mentionCommand('snapshot')}, then repeat this command if it does not block.`,
      platformDetail: 'not-blocked-by-modal',
      delivered: false,
      retryable: true,
    },
  );
}
