import { errorCode } from '../model/error-code.ts';
import type { OperationRecord } from '../model/tools/operation.ts';
import { recordFile, writeFirstRecord } from './operation-folder.ts';
import type { OperationParts } from './operation-parts.ts';
import { replaceWithReserve } from './record-folders.ts';
import { within } from '../model/within.ts';

/** The record of one operation and its file: changes are reported once they are on disk. */
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
    // Without the reserve, which is for operations that are already running.
    writeFirstRecord(this.folder, this.latest);
    this.written = this.latest;
  }

  /**
   * Changes the record, writes it, then reports the change. If writing fails, it is retried; after a while the change is reported anyway, so
   * that waiting clients are not blocked.
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
        await replaceWithReserve(recordFile(this.folder), record, reserve);
        this.written = record;
      } catch (error) {
        // The folder was removed, so nobody can read the record.
        if (errorCode(error) === 'ENOENT') return;
        if (tries === 1)
          log.write({
            level: 'error',
            message: 'a record could not be written',
            fields: { operation: record.operation_id, code: errorCode(error) ?? 'unknown' },
          });
        await clock.sleep(limits.recordRetryMs);
      }
    }
  }
}
