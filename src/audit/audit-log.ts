import { errorCode } from '../model/error-code.ts';
import { NO_ENTRY, type AuditHead, type AuditRecord } from '../model/audit/entry.ts';
import { AuditFailure, type AuditPort, type RecordedEntry } from '../ports/audit/audit.ts';
import type { AuditFiles, AuditFolderPort } from '../ports/audit/audit-folder.ts';
import { checkLog } from './check-log.ts';
import { auditFileName } from './file-names.ts';
import { findEnd, lastEntry, TAIL_BYTES } from './log-end.ts';
import { readEntries } from './read-entries.ts';
import { filesToRemove, isFull, type AuditKeeping } from './rotation.ts';
import { headText, openLine, sealLine } from './sealed-line.ts';

export interface AuditLogParts {
  readonly folder: AuditFolderPort;
  readonly now: () => Date;
  /** How large the log may become. */
  readonly keeping: () => Promise<AuditKeeping>;
}

interface Waiting {
  readonly record: AuditRecord;
  readonly done: (entry: RecordedEntry) => void;
  readonly failed: (error: unknown) => void;
}

/** The end of the log as this process left it; it is read anew if another one has written since. */
interface KnownEnd {
  readonly file: string;
  readonly id: string;
  readonly bytes: number;
  readonly startedAt: number;
  readonly head: AuditHead;
}

/**
 * An append-only log that several processes share. Each line contains the hash of the one before it, also across files; the head file names the
 * last one. Records of this process that wait for their turn are written together, and one sync serves all of them.
 */
export class AuditLog implements AuditPort {
  private readonly parts: AuditLogParts;
  private waiting: Waiting[] = [];
  private isWriting = false;
  private known: KnownEnd | undefined;
  private syncing: Promise<void> | undefined;
  private nextSync: Promise<void> | undefined;

  constructor(parts: AuditLogParts) {
    this.parts = parts;
  }

  get folder(): string {
    return this.parts.folder.path;
  }

  record(record: AuditRecord): Promise<RecordedEntry> {
    const written = new Promise<RecordedEntry>((done, failed) => {
      this.waiting.push({ record, done, failed });
    });
    if (!this.isWriting) void this.write();
    return written;
  }

  entries: AuditPort['entries'] = (from) => readEntries(this.parts.folder, from);

  check: AuditPort['check'] = (expected) => checkLog(this.parts.folder, expected);

  files: AuditPort['files'] = async () => (await this.parts.folder.glance()).files;

  private async write(): Promise<void> {
    this.isWriting = true;
    try {
      while (this.waiting.length > 0) await this.writeOnce();
    } finally {
      this.isWriting = false;
    }
  }

  private async writeOnce(): Promise<void> {
    let taken: Waiting[] = [];
    try {
      const keeping = await this.parts.keeping();
      const sequences = await this.parts.folder.exclusively((files) => {
        // Also what has come while this process waited for its turn.
        taken = this.waiting;
        this.waiting = [];
        return this.append(
          files,
          keeping,
          taken.map(({ record }) => record),
        );
      });
      const synced = this.synced();
      // Somebody may not wait for it.
      synced.catch(() => undefined);
      for (const [index, { done }] of taken.entries()) done({ sequence: sequences[index] ?? 0, synced });
    } catch (error) {
      this.known = undefined;
      if (taken.length === 0) {
        taken = this.waiting;
        this.waiting = [];
      }
      const failure = this.failure(error);
      for (const { failed } of taken) failed(failure);
    }
  }

  private append(files: AuditFiles, keeping: AuditKeeping, records: readonly AuditRecord[]): number[] {
    const now = this.parts.now();
    const end = this.findEnd(files);
    let { head } = end;
    let text = end.isTorn ? '\n' : '';
    let { file } = end;
    const isNew = file === undefined || isFull({ ...end, now }, keeping);
    const repairs = [...end.repairs];
    if (isNew) {
      // The torn line stays where it is. The new file records that it is torn.
      text = '';
      if (end.isTorn && file !== undefined) files.append(file, Buffer.from('\n'));
      file = auditFileName(head.sequence + 1);
      repairs.push(...removals(files, keeping, now));
    }
    const sequences: number[] = [];
    for (const [index, record] of [...repairs, ...records].entries()) {
      const sealed = sealLine(record, head, now);
      ({ head } = sealed);
      text += sealed.line;
      if (index >= repairs.length) sequences.push(head.sequence);
    }
    const name = file ?? auditFileName(head.sequence);
    files.append(name, Buffer.from(text));
    files.writeHead(headText(head));
    if (isNew) for (const { facts } of repairs) removeNamed(files, facts['file']);
    const found = files.find(name);
    this.known = found && {
      file: name,
      id: found.id,
      bytes: found.bytes,
      startedAt: isNew ? now.getTime() : end.startedAt,
      head,
    };
    return sequences;
  }

  private findEnd(files: AuditFiles): ReturnType<typeof findEnd> & {
    readonly bytes: number;
    readonly startedAt: number;
  } {
    const { known } = this;
    const found = known && files.find(known.file);
    if (known !== undefined && found?.id === known.id && found.bytes === known.bytes)
      return { ...known, isTorn: false, repairs: [] };
    const end = findEnd(files);
    const { file } = end;
    const bytes = file === undefined ? 0 : (files.find(file)?.bytes ?? 0);
    return { ...end, bytes, startedAt: file === undefined ? 0 : startOf(files, file) };
  }

  /** One sync covers all that was appended before it began. */
  private synced(): Promise<void> {
    if (this.syncing === undefined) {
      const running = this.parts.folder
        .sync()
        .catch((error: unknown) => {
          throw this.failure(error);
        })
        .finally(() => {
          this.syncing = undefined;
        });
      this.syncing = running;
      return running;
    }
    this.nextSync ??= this.syncing
      .catch(() => undefined)
      .then(() => {
        this.nextSync = undefined;
        return this.synced();
      });
    return this.nextSync;
  }

  private failure(error: unknown): AuditFailure {
    if (error instanceof AuditFailure) return error;
    return new AuditFailure(this.folder, errorCode(error) ?? 'unknown', error);
  }
}

/** When the first entry of a file was written. */
function startOf(files: AuditFiles, name: string): number {
  const text = Buffer.from(files.beginning(name)).toString();
  const first = openLine(text.slice(0, Math.max(0, text.indexOf('\n'))));
  return first === undefined ? 0 : Date.parse(first.at);
}

/** One record for each file that is too old or too many, with the last entry of that file. */
function removals(files: AuditFiles, keeping: AuditKeeping, now: Date): AuditRecord[] {
  const found = files.list().map((file) => ({ ...file, startedAt: startOf(files, file.name) }));
  return filesToRemove(found, keeping, now).map(({ name }) => {
    const { head = NO_ENTRY } = lastEntry(files.tail(name, TAIL_BYTES));
    return {
      kind: 'removed',
      facts: { file: name, last_sequence: head.sequence, last_hash: head.hash },
    };
  });
}

function removeNamed(files: AuditFiles, name: unknown): void {
  if (typeof name === 'string') files.remove(name);
}
