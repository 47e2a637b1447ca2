import type { RecordedAct } from '../model/undo/undo-stack.ts';

/** The acts of one session that can be undone, and those that cannot. */
export interface UndoPort {
  /** The oldest first. */
  list(): Promise<readonly RecordedAct[]>;
  push(act: Omit<RecordedAct, 'id'>): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
