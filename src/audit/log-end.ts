import { NO_ENTRY, type AuditHead, type AuditRecord } from '../model/audit/entry.ts';
import type { AuditFiles } from '../ports/audit/audit-folder.ts';
import { hashOf, LONGEST_LINE, openLine, parseHead } from './sealed-line.ts';

/** Where the next entry goes. */
export interface LogEnd {
  /** The last file; `undefined` if there is none. */
  readonly file: string | undefined;
  /** The last entry that is whole. */
  readonly head: AuditHead;
  /** Whether the last line lacks its end. */
  readonly isTorn: boolean;
  /** What the log itself must tell about its state, before anything else. */
  readonly repairs: readonly AuditRecord[];
}

const NEWLINE = 10;
/** Enough for the last entry and an interrupted one behind it. */
export const TAIL_BYTES = LONGEST_LINE * 2;

/** Finds the end of the log in its files, and what is wrong there: a line that was interrupted, or entries that the head knows and the log lacks. */
export function findEnd(files: AuditFiles): LogEnd {
  const file = files.list().at(-1)?.name;
  const written = parseHead(files.head());
  const found = file === undefined ? EMPTY : lastEntry(files.tail(file, TAIL_BYTES));
  const head = found.head ?? NO_ENTRY;
  const repairs: AuditRecord[] = [];
  if (found.torn.length > 0)
    repairs.push({
      kind: 'recovered',
      facts: { reason: 'torn', torn_bytes: found.torn.length, torn_sha256: hashOf(found.torn) },
    });
  else if (found.head === undefined && found.hasContent)
    repairs.push({ kind: 'recovered', facts: { reason: 'unreadable' } });
  // A process may have ended between an entry and its head; the other way round, entries have gone.
  const isAhead =
    written !== undefined &&
    (written.sequence > head.sequence || (written.sequence === head.sequence && written.hash !== head.hash));
  if (isAhead)
    repairs.push({
      kind: 'recovered',
      facts: { reason: 'cut', missing_sequence: written.sequence, missing_hash: written.hash },
    });
  else if (written === undefined && head.sequence > 0)
    repairs.push({ kind: 'recovered', facts: { reason: 'no head' } });
  return { file, head, isTorn: found.torn.length > 0, repairs };
}

interface FoundEnd {
  readonly head: AuditHead | undefined;
  readonly torn: Uint8Array;
  readonly hasContent: boolean;
}

const EMPTY: FoundEnd = { head: undefined, torn: new Uint8Array(), hasContent: false };

/** The last whole entry in the end of a file. */
export function lastEntry(tail: Uint8Array): FoundEnd {
  let end = tail.lastIndexOf(NEWLINE) + 1;
  const torn = tail.subarray(end);
  while (end > 0) {
    const start = tail.lastIndexOf(NEWLINE, end - 2) + 1;
    const entry = openLine(Buffer.from(tail.subarray(start, end - 1)).toString());
    if (entry !== undefined)
      return { head: { sequence: entry.sequence, hash: entry.hash }, torn, hasContent: true };
    end = start;
  }
  return { head: undefined, torn, hasContent: tail.length > 0 };
}
