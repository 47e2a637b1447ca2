import { readUndoDocument, withAct, withoutActs } from '../model/undo/undo-stack.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { UndoPort } from '../ports/undo.ts';

/** The document with the acts of a session, next to that with its references. */
export const UNDO_DOCUMENT = 'undo';

/** The acts of a session in its store: another process that continues the session can undo them. */
export function undoStack(store: SessionStore): UndoPort {
  return {
    list: async () => readUndoDocument(await store.load(UNDO_DOCUMENT)).acts,
    push: (act) => store.update(UNDO_DOCUMENT, (data) => withAct(readUndoDocument(data), act)),
    remove: (ids) => store.update(UNDO_DOCUMENT, (data) => withoutActs(readUndoDocument(data), new Set(ids))),
  };
}

/** How many acts there were, and how many of them are still known. */
export async function actsIn(
  store: SessionStore,
): Promise<{ readonly actions: number; readonly undo_depth: number }> {
  const { actions, acts } = readUndoDocument(await store.load(UNDO_DOCUMENT));
  return { actions, undo_depth: acts.length };
}
