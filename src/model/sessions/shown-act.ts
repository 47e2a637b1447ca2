import type { Bounds } from '../tree/bounds.ts';

/** What people who watch a session see of one act. Its texts come from applications. */
export interface ShownAct {
  /** Identifies the act: a later report replaces an earlier one. */
  readonly id: number;
  /** As typed: `set-value`. */
  readonly command: string;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  /** Where on the screen; absent if it has no place, or it is not known yet. */
  readonly place?: Bounds | undefined;
  /** Absent while it is under way. */
  readonly outcome?: string | undefined;
  /** When it was carried out, by the clock of the program; absent while it is under way. */
  readonly span?: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}
