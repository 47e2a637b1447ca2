import { z } from 'zod';
import { keptTexts, Reversal } from './reversal.ts';

export const MOST_ACTS = 100;
/** Of all texts that are kept, in characters. */
const MOST_KEPT = 1_048_576;

/** One act of a session. */
export const RecordedAct = z.object({
  id: z.int().positive(),
  /** Name of the command. */
  command: z.string(),
  /** What it acted on, in words. */
  about: z.string(),
  at: z.string(),
  /** The call of a client that it was part of. */
  call: z.string(),
  reversal: Reversal.optional(),
  /** Why it cannot be undone. */
  irreversible: z.string().optional(),
});
export type RecordedAct = z.output<typeof RecordedAct>;

const UndoDocument = z.object({
  version: z.literal(1),
  /** Acts since the session began. */
  actions: z.int().nonnegative(),
  /** The oldest first. */
  acts: z.array(RecordedAct).max(MOST_ACTS),
});
export type UndoDocument = z.output<typeof UndoDocument>;

/** A stored stack; an empty one if there is none or it cannot be read. */
export function readUndoDocument(data: unknown): UndoDocument {
  return UndoDocument.safeParse(data).data ?? { version: 1, actions: 0, acts: [] };
}

/** With one more act. The oldest are dropped, so that a session never keeps more than a bounded amount. */
export function withAct(document: UndoDocument, act: Omit<RecordedAct, 'id'>): UndoDocument {
  const id = document.actions + 1;
  const acts = [...document.acts, { ...act, id }].slice(-MOST_ACTS);
  let kept = acts.reduce((sum, one) => sum + sizeOf(one), 0);
  let first = 0;
  for (; kept > MOST_KEPT && first < acts.length - 1; first += 1) {
    const oldest = acts[first];
    if (oldest !== undefined) kept -= sizeOf(oldest);
  }
  return { version: 1, actions: id, acts: acts.slice(first) };
}

/** Without some acts; how many there were stays known. */
export function withoutActs(document: UndoDocument, ids: ReadonlySet<number>): UndoDocument {
  return { ...document, acts: document.acts.filter(({ id }) => !ids.has(id)) };
}

function sizeOf({ reversal }: RecordedAct): number {
  return reversal === undefined ? 0 : keptTexts(reversal).reduce((sum, text) => sum + text.length, 0);
}
