import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopJournal } from './desktop-journal.ts';

/** Calls `listener` when something is noted, and when the desktop is lost. @throws DeskterityError if its events cannot be received */
export async function watchJournal(
  journal: DesktopJournal,
  listener: (event: DesktopEvent) => void,
): Promise<() => void> {
  await journal.begin();
  return journal.onNoted((kind) => {
    listener({ kind, node: { app: '', path: '' }, detail: '', atMs: journal.nowMs });
  });
}
