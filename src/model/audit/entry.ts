/** What an entry is about: what is about to be done, how it ended, what was refused, and what happened to the log itself. */
export const AUDIT_KINDS = ['intent', 'outcome', 'denied', 'recovered', 'removed'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Facts by name, as they are written. Never typed text, clipboard, secrets or what an application shows beyond the name of the target. */
export type AuditFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** What somebody asks to be written. */
export interface AuditRecord {
  readonly kind: AuditKind;
  readonly facts: AuditFacts;
}

/** An entry as it was written. */
export interface AuditEntry {
  /** Counts from 1 over all files. */
  readonly sequence: number;
  /** The hash of the entry before; zeros for the first one. */
  readonly previous: string;
  readonly at: string;
  readonly kind: AuditKind;
  readonly facts: AuditFacts;
  readonly hash: string;
}

/** The last entry, as the head file has it. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

/** What comes before the first entry. */
export const NO_ENTRY: AuditHead = { sequence: 0, hash: '0'.repeat(64) };

/** A place in the log where it is not as it was written. */
export interface AuditProblem {
  /** Name of the file. */
  readonly file: string;
  /** Counts from 1; absent if the problem is not in a line. */
  readonly line?: number | undefined;
  /** The entry, if it can be told. */
  readonly sequence?: number | undefined;
  /** A sentence. */
  readonly problem: string;
}

/** What a check of the whole log found. */
export interface AuditCheck {
  readonly entries: number;
  readonly files: number;
  readonly first: AuditHead | undefined;
  readonly head: AuditHead;
  /** In the order of the log; at most {@link MOST_PROBLEMS}. */
  readonly problems: readonly AuditProblem[];
  /** What is unusual but explained by the log itself: an interrupted write, files removed by age. Sentences. */
  readonly notes: readonly string[];
}

export const MOST_PROBLEMS = 20;
