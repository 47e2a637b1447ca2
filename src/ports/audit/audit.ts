import type { AuditCheck, AuditEntry, AuditRecord } from '../../model/audit/entry.ts';

/** An entry that is in the log. */
export interface RecordedEntry {
  readonly sequence: number;
  /** Resolves when it is on the disk. @throws AuditFailure */
  readonly synced: Promise<void>;
}

/** The record of what was done, which nobody changes. */
export interface AuditPort {
  /** @throws AuditFailure if it cannot be written */
  record(record: AuditRecord): Promise<RecordedEntry>;
  /** Entries in their order; those that are broken are left out. Reads at most what is there now. @throws Error of the file system */
  entries(from?: AuditPosition): AsyncIterable<PlacedEntry>;
  /** Compares every entry with its hash, its predecessor and the head. @throws Error of the file system */
  check(expected?: { readonly sequence: number; readonly hash: string }): Promise<AuditCheck>;
  /** The files, as they are, oldest first. @throws Error of the file system */
  files(): Promise<readonly AuditFile[]>;
  /** Where it is. */
  readonly folder: string;
}

/** A place in the log, for those who follow it. */
export interface AuditPosition {
  readonly file: string;
  readonly offset: number;
}

export interface PlacedEntry {
  readonly entry: AuditEntry;
  /** Exactly as it is written, without its newline. */
  readonly line: string;
  /** Behind it. */
  readonly end: AuditPosition;
}

export interface AuditFile {
  readonly name: string;
  readonly bytes: number;
}

/** The log cannot be written. */
export class AuditFailure extends Error {
  override readonly name = 'AuditFailure';
  /** Such as `ENOSPC`. */
  readonly code: string;

  constructor(folder: string, code: string, cause: unknown) {
    super(`The audit log in ${folder} cannot be written (${code}).`, { cause });
    this.code = code;
  }
}
