import { readdir, readFile } from 'node:fs/promises';
import { DeskterityError } from '../model/effects/errors.ts';
import { clip, reveal } from '../model/text/untrusted-text.ts';
import { isOver } from '../model/tools/operation-status.ts';
import { OperationRecord } from '../model/tools/operation.ts';
import type { OperationView } from '../ports/operations.ts';
import type { ProcessIdentityPort } from '../ports/process.ts';
import {
  operationFolder,
  operationsFolder,
  outputFolder,
  recordFile,
  isOperationId,
} from './operation-folder.ts';
import { writtenBytes } from './output/output-segments.ts';

/** Files that are read at the same time. */
const BATCH = 64;

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
    if (record === undefined) throw notFound(operationId);
    return this.toView(record);
  }

  /** All of them, newest first. */
  async all(): Promise<readonly OperationView[]> {
    const ids = await this.ids();
    const views: OperationView[] = [];
    for (let at = 0; at < ids.length; at += BATCH) {
      const records = await Promise.all(ids.slice(at, at + BATCH).map((id) => this.find(id)));
      const found = records.filter((record) => record !== undefined);
      views.push(...(await Promise.all(found.map((record) => this.toView(record)))));
    }
    return views.toSorted(
      (a, b) => compare(b.started_at, a.started_at) || compare(a.operation_id, b.operation_id),
    );
  }

  async ids(): Promise<readonly string[]> {
    const names = await readdir(operationsFolder(this.stateFolder)).catch(() => []);
    return names.filter(isOperationId);
  }

  /** The record; `undefined` if there is none or it cannot be read. */
  async find(operationId: string): Promise<OperationRecord | undefined> {
    const record = await this.read(operationId);
    if (record === undefined || isOver(record.status) || this.isHeld(record)) return record;
    // The holder may have written the result just before it exited.
    const last = (await this.read(operationId)) ?? record;
    return isOver(last.status) ? last : { ...last, status: 'lost' };
  }

  /** Whether its processes may still be running: none survives a reboot. */
  mayRun({ holder }: Pick<OperationRecord, 'holder'>): boolean {
    return holder.boot_id === this.identity.self().bootId;
  }

  private async toView(record: OperationRecord): Promise<OperationView> {
    const folder = outputFolder(operationFolder(this.stateFolder, record.operation_id));
    return { ...record, written: { ...nothingWritten(record), ...(await writtenBytes(folder)) } };
  }

  private isHeld({ holder }: OperationRecord): boolean {
    return this.identity.isRunning({
      pid: holder.pid,
      startTime: holder.start_time,
      bootId: holder.boot_id,
    });
  }

  private async read(operationId: string): Promise<OperationRecord | undefined> {
    if (!isOperationId(operationId)) return undefined;
    try {
      const text = await readFile(recordFile(operationFolder(this.stateFolder, operationId)), 'utf8');
      const parsed = OperationRecord.safeParse(JSON.parse(text));
      return parsed.success && parsed.data.operation_id === operationId ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }
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

function notFound(operationId: string): DeskterityError {
  return new DeskterityError(
    'OPERATION_NOT_FOUND',
    `Operation ${reveal(clip(operationId, 40))} does not exist.`,
    {
      suggestion: 'List operations to see the existing ones; old ones are removed.',
    },
  );
}
