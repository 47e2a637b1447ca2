import type { AuditFile } from '../ports/audit/audit.ts';
import type { AuditFolderPort } from '../ports/audit/audit-folder.ts';
import { LONGEST_LINE } from './sealed-line.ts';

/** One line of a file, without its newline. */
export interface FileLine {
  readonly file: string;
  /** Counts from 1. */
  readonly number: number;
  /** The bytes; of a line that is much too long, only the beginning. */
  readonly bytes: Buffer;
  /** Whether it ends with a newline. */
  readonly isWhole: boolean;
  /** Where the next one begins. */
  readonly end: number;
}

const NEWLINE = 10;

/** The lines of a file, in bounded memory. */
export async function* readLines(
  folder: Pick<AuditFolderPort, 'read'>,
  { name, bytes }: AuditFile,
  from = 0,
): AsyncGenerator<FileLine> {
  let rest = Buffer.alloc(0);
  let end = from;
  let number = 0;
  let skipped = 0;
  for await (const part of folder.read(name, { from, to: bytes })) {
    const chunk = Buffer.from(part);
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([rest, chunk.subarray(start, at)]);
      end += skipped + line.length + 1;
      number += 1;
      yield { file: name, number, bytes: line, isWhole: true, end };
      rest = Buffer.alloc(0);
      skipped = 0;
      start = at + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length > LONGEST_LINE * 2) {
      skipped += rest.length - LONGEST_LINE * 2;
      rest = rest.subarray(0, LONGEST_LINE * 2);
    }
  }
  if (rest.length > 0)
    yield { file: name, number: number + 1, bytes: rest, isWhole: false, end: end + skipped + rest.length };
}
