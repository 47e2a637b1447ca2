import type { OperationRecord } from '../model/tools/operation.ts';
import { writeFirstRecord, writeRecord } from './operation-folder.ts';
import type { OperationParts } from './operation-parts.ts';
import { within } from '../model/within.ts';

/** The record of one operation and its file: what is told is on the disk. */
export class RecordKeeper {
  private readonly parts: OperationParts;
  private readonly folder: string;
  private latest: OperationRecord;
  private written: OperationRecord | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(parts: OperationParts, folder: string, first: OperationRecord) {
    this.parts = parts;
    this.folder = folder;
    this.latest = first;
  }

  get record(): OperationRecord {
    return this.latest;
  }

  /** Writes the first record. @throws Error of the file system */
  begin(): void {
    // Without the reserve, which is for those that run already.
    writeFirstRecord(this.folder, this.latest);
    this.written = this.latest;
  }

  /**
   * Changes the record, writes it and then tells of it. A disk that does not take it is asked again and again; after a while the change is told
   * all the same, as a wait for it must end some time.
   */
  async change(changes: Partial<OperationRecord>): Promise<void> {
    this.latest = { ...this.latest, ...changes };
    const saved = (this.turn = this.turn.then(() => this.save()));
    await within(this.parts.clock, saved, this.parts.limits.recordMs);
    this.parts.onChange(this.latest);
  }

  private async save(): Promise<void> {
    const { clock, limits, log, reserve } = this.parts;
    for (let tries = 1; this.written !== this.latest; tries += 1) {
      const record = this.latest;
      try {
        await writeRecord(this.folder, record, reserve);
        this.written = record;
      } catch (error) {
        // The folder was removed: nobody can read it any more.
        if (codeOf(error) === 'ENOENT') return;
        if (tries === 1)
          log.write({
            level: 'error',
            message: 'a record could not be written',
            fields: { operation: record.operation_id, code: codeOf(error) },
          });
        await clock.sleep(limits.recordRetryMs);
      }
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
