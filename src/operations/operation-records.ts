import { DeskterityError } from '../model/effects/errors.ts';
import { clip, reveal } from '../model/text/untrusted-text.ts';
import { isOver } from '../model/tools/operation-status.ts';
import { OperationRecord } from '../model/tools/operation.ts';
import type { OperationView } from '../ports/operations.ts';
import type { ProcessIdentityPort } from '../ports/process.ts';
import { OPERATION, operationFolder, operationsFolder, recordFile } from './operation-folder.ts';
import { writtenBytes } from './output/output-segments.ts';
import {
  isRecordId,
  outputFolder,
  readAll,
  readRecord,
  recordIds,
  removeOldRecords,
} from './record-folders.ts';
import { RETENTION, type Retention } from './record-folders.ts';

/** The records of operations on disk, from any process. */
export class OperationRecords {
  readonly stateFolder: string;
  private readonly identity: ProcessIdentityPort;

  constructor(stateFolder: string, identity: ProcessIdentityPort) {
    this.stateFolder = stateFolder;
    this.identity = identity;
  }

  /** The current state: `lost` if it has not ended and its holder has exited. @throws DeskterityError OPERATION_NOT_FOUND */
  async view(operationId: string): Promise<OperationView> {
    const record = await this.find(operationId);
    if (record === undefined) throw unknownOperation(operationId);
    return this.toView(record);
  }

  /** All of them, newest first. */
  async all(): Promise<readonly OperationView[]> {
    const ids = await recordIds(operationsFolder(this.stateFolder), OPERATION);
    const views = await readAll(ids, async (id) => {
      const record = await this.find(id);
      return record && this.toView(record);
    });
    return views.toSorted(
      (a, b) => compare(b.started_at, a.started_at) || compare(a.operation_id, b.operation_id),
    );
  }

  /** The record; `undefined` if there is none or it cannot be read. */
  async find(operationId: string): Promise<OperationRecord | undefined> {
    const record = this.read(operationId);
    if (record === undefined || isOver(record.status) || this.isHeld(record)) return record;
    // The holder may have written the result just before it exited.
    const last = this.read(operationId) ?? record;
    return isOver(last.status) ? last : { ...last, status: 'lost' };
  }

  /** Whether its processes may still be running: none survives a reboot. */
  mayRun({ holder }: Pick<OperationRecord, 'holder'>): boolean {
    return holder.boot_id === this.identity.self().bootId;
  }

  private toView(record: OperationRecord): OperationView {
    const folder = outputFolder(operationFolder(this.stateFolder, record.operation_id));
    return { ...record, written: { ...nothingWritten(record), ...writtenBytes(folder) } };
  }

  private isHeld({ holder }: OperationRecord): boolean {
    return this.identity.isRunning({
      pid: holder.pid,
      startTime: holder.start_time,
      bootId: holder.boot_id,
    });
  }

  private read(operationId: string): OperationRecord | undefined {
    if (!isRecordId(OPERATION, operationId)) return undefined;
    const path = recordFile(operationFolder(this.stateFolder, operationId));
    const record = readRecord(path, (data) => OperationRecord.safeParse(data).data);
    return record?.operation_id === operationId ? record : undefined;
  }
}

/** Removes ended operations that are too old or too many. @returns the ids */
export async function removeOldOperations(
  records: OperationRecords,
  retention: Retention = RETENTION,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const ended = (await records.all()).filter(({ status }) => isOver(status));
  return removeOldRecords({
    parent: operationsFolder(records.stateFolder),
    prefix: OPERATION,
    ended: ended.map((view) => ({ id: view.operation_id, at: view.ended_at ?? view.started_at })),
    hasRecord: async (id) => (await records.find(id)) !== undefined,
    retention,
    now,
  });
}

/** The view of an operation that a holder has just started; `undefined` if `record` is invalid. */
export function startedView(record: unknown): OperationView | undefined {
  const parsed = OperationRecord.safeParse(record);
  return parsed.success ? { ...parsed.data, written: nothingWritten(parsed.data) } : undefined;
}

function nothingWritten({ output }: OperationRecord): OperationView['written'] {
  return output === 'merged' ? { merged: 0 } : { stdout: 0, stderr: 0 };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export function unknownOperation(operationId: string): DeskterityError {
  return new DeskterityError(
    'OPERATION_NOT_FOUND',
    `Operation ${reveal(clip(operationId, 40))} does not exist.`,
    {
      suggestion: 'List operations to see the existing ones; old ones are removed.',
    },
  );
}
