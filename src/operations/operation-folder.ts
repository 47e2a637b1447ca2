import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationRecord } from '../model/tools/operation.ts';
import type { DiskReserve } from './output/disk-reserve.ts';
import { newOperationId } from './operation-id.ts';

/** By then it is not the names that are taken. */
const MOST_TRIES = 100;

/** Where the operations of a state folder are, each in a folder of its name. */
export function operationsFolder(stateFolder: string): string {
  return join(stateFolder, 'operations');
}

export function operationFolder(stateFolder: string, operationId: string): string {
  return join(operationsFolder(stateFolder), operationId);
}

export function recordFile(folder: string): string {
  return join(folder, 'operation.json');
}

/** Where the segments of its output are, once there is some; see `output-segments.ts`. */
export function outputFolder(folder: string): string {
  return join(folder, 'output');
}

/*
 * Folders and records are a few kilobytes on a disk of this machine: done at once that takes some ten microseconds, while each hand-over to another
 * thread and back takes its time on a machine that is busy, and the start of an operation would have a dozen of them.
 */

/** Makes the folder of a new operation. The state folder must be there. @throws Error of the file system */
export function makeOperationFolder(
  stateFolder: string,
  newId: () => string = newOperationId,
): { readonly operationId: string; readonly folder: string } {
  for (let tries = 1; ; tries += 1) {
    const operationId = newId();
    const folder = operationFolder(stateFolder, operationId);
    try {
      mkdirSync(folder, { mode: 0o700 });
      return { operationId, folder };
    } catch (error) {
      const code = codeOf(error);
      if (tries === MOST_TRIES || (code !== 'EEXIST' && code !== 'ENOENT')) throw error;
      if (code === 'ENOENT') makeParent(stateFolder);
    }
  }
}

function makeParent(stateFolder: string): void {
  try {
    mkdirSync(operationsFolder(stateFolder), { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Writes the record of an operation that nobody knows of yet: whoever reads it half finds none. @throws Error of the file system */
export function writeFirstRecord(folder: string, record: OperationRecord): void {
  writeFileSync(recordFile(folder), textOf(record), { mode: 0o600, flag: 'wx' });
}

/**
 * Puts the record in the place of the one before: readers see the one or the other, whole. It is not forced to the disk: it need not outlive
 * the machine, whose processes end with it. One writer at a time.
 * @throws Error of the file system, ENOSPC when there is no room even with the reserve
 */
export async function writeRecord(
  folder: string,
  record: OperationRecord,
  reserve?: DiskReserve,
): Promise<void> {
  const text = textOf(record);
  try {
    replace(recordFile(folder), text);
    if (reserve?.isKept === false) await reserve.keep();
  } catch (error) {
    if (!isDiskFull(error) || reserve === undefined || !(await reserve.release())) throw error;
    replace(recordFile(folder), text);
    // The record before it is gone now, and with it the room it took.
    await reserve.keep();
  }
}

function textOf(record: OperationRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function replace(path: string, text: string): void {
  const draft = `${path}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Whether a disk, or a user's share of it, has no more room. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
