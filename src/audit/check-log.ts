import {
  MOST_PROBLEMS,
  NO_ENTRY,
  type AuditCheck,
  type AuditEntry,
  type AuditHead,
  type AuditProblem,
} from '../model/audit/entry.ts';
import type { AuditFolderPort } from '../ports/audit/audit-folder.ts';
import { readLines, type FileLine } from './read-lines.ts';
import { hashOf, openLine, parseHead } from './sealed-line.ts';

/** Compares each entry with its hash and its predecessor, over all files, and the last one with the head. */
export async function checkLog(folder: AuditFolderPort, expected?: AuditHead): Promise<AuditCheck> {
  const { files, head } = await folder.glance();
  const check = new LogCheck(parseHead(head), expected);
  for (const file of files) for await (const line of readLines(folder, file)) check.take(line);
  return check.end(files.length, head !== undefined, files.at(-1)?.name ?? '');
}

/** One pass over the lines. */
class LogCheck {
  private readonly written: AuditHead | undefined;
  private readonly expected: AuditHead | undefined;
  private readonly problems: AuditProblem[] = [];
  private readonly notes: string[] = [];
  private entries = 0;
  private first: AuditEntry | undefined;
  private last: AuditHead = NO_ENTRY;
  /** A line that is no entry; the next one may explain it. */
  private broken: FileLine | undefined;
  private removed: AuditHead | undefined;
  private hasHead = false;
  private hasExpected = false;

  constructor(written: AuditHead | undefined, expected: AuditHead | undefined) {
    this.written = written;
    this.expected = expected;
  }

  take(line: FileLine): void {
    const entry = line.isWhole ? openLine(line.bytes.toString()) : undefined;
    if (entry === undefined) {
      if (this.broken !== undefined) this.report(this.broken, 'has been changed, or is no entry');
      this.broken = line;
      return;
    }
    if (this.broken !== undefined) this.explain(this.broken, entry);
    this.broken = undefined;
    this.follow(line, entry);
    this.entries += 1;
    this.first ??= entry;
    this.last = entry;
    this.hasHead ||= isSame(entry, this.written);
    this.hasExpected ||= isSame(entry, this.expected);
  }

  end(files: number, hasHeadFile: boolean, file: string): AuditCheck {
    const { broken, last, written, first, removed, expected } = this;
    if (broken !== undefined) {
      if (broken.isWhole) this.report(broken, 'has been changed, or is no entry');
      else this.notes.push(`The last line of ${broken.file} was interrupted while it was written.`);
    }
    if (first !== undefined && first.previous !== NO_ENTRY.hash && !isSuccessor(first, removed))
      this.problems.unshift({
        file,
        sequence: first.sequence,
        problem: `The entries before number ${first.sequence} are missing, and the log does not say that they were removed.`,
      });
    if (written === undefined) {
      if (hasHeadFile || this.entries > 0)
        this.add({
          file: 'head',
          problem: hasHeadFile ? 'The head file is not readable.' : 'The head file is missing.',
        });
    } else if (written.sequence > last.sequence)
      this.add({
        file,
        sequence: last.sequence,
        problem: `The end of the log is missing: its last entry is number ${last.sequence}, but the head names ${written.sequence}.`,
      });
    else if (!this.hasHead)
      this.add({
        file: 'head',
        sequence: written.sequence,
        problem: `The head names an entry number ${written.sequence} that the log does not have.`,
      });
    else if (written.sequence < last.sequence)
      this.notes.push(
        `The head is ${last.sequence - written.sequence} behind: a process ended between an entry and its head.`,
      );
    if (expected !== undefined && !this.hasExpected)
      this.add({
        file,
        sequence: expected.sequence,
        problem: `The log has no entry number ${expected.sequence} with the hash that was given.`,
      });
    return {
      entries: this.entries,
      files,
      first: first && { sequence: first.sequence, hash: first.hash },
      head: { sequence: last.sequence, hash: last.hash },
      problems: this.problems,
      notes: this.notes,
    };
  }

  /** Whether an entry may come where it is. */
  private follow(line: FileLine, entry: AuditEntry): void {
    const { last } = this;
    const isFirst = this.entries === 0;
    const wants = last.sequence + 1;
    if (!isFirst && entry.previous !== last.hash)
      this.report(line, `does not follow the entry before it (number ${last.sequence})`, entry.sequence);
    else if (!isFirst && entry.sequence !== wants)
      this.report(line, `has number ${entry.sequence} instead of ${wants}`, entry.sequence);
    const { facts, kind } = entry;
    if (kind === 'recovered') this.recovered(line, entry);
    if (kind === 'removed') {
      const [sequence, hash] = [facts['last_sequence'], facts['last_hash']];
      if (typeof sequence === 'number' && typeof hash === 'string') this.removed = { sequence, hash };
      this.notes.push(
        `Entries up to number ${String(sequence)} were removed because of their age or number.`,
      );
    }
  }

  /** A broken line is harmless if the next entry says that exactly these bytes were found interrupted. */
  private explain(broken: FileLine, { kind, facts }: AuditEntry): void {
    const isTold =
      kind === 'recovered' &&
      facts['reason'] === 'torn' &&
      facts['torn_bytes'] === broken.bytes.length &&
      facts['torn_sha256'] === hashOf(broken.bytes);
    if (isTold)
      this.notes.push(`Line ${broken.number} of ${broken.file} was interrupted while it was written.`);
    else this.report(broken, 'has been changed, or is no entry');
  }

  private recovered(line: FileLine, { sequence, facts }: AuditEntry): void {
    if (facts['reason'] === 'torn') return;
    const missing = facts['missing_sequence'];
    const what =
      typeof missing === 'number'
        ? `records that the end of the log was missing, up to entry ${missing}`
        : `records that the log had been damaged (${String(facts['reason'])})`;
    this.report(line, what, sequence);
  }

  private report({ file, number }: FileLine, what: string, sequence?: number): void {
    this.add({ file, line: number, sequence, problem: `Line ${number} of ${file} ${what}.` });
  }

  private add(problem: AuditProblem): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }
}

function isSame(entry: AuditHead, other: AuditHead | undefined): boolean {
  return other?.sequence === entry.sequence && other.hash === entry.hash;
}

function isSuccessor(entry: AuditEntry, before: AuditHead | undefined): boolean {
  return before?.sequence === entry.sequence - 1 && before.hash === entry.previous;
}
