import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { errorCode } from '../model/error-code.ts';
import type { OperationRecord } from '../model/tools/operation.ts';
import type { DiskReserve } from './output/disk-reserve.ts';

/** After this many attempts, taken names are not the cause. */
const MOST_TRIES = 100;

/** The folder of all operations of a state folder, which has a subfolder for each. */
export function operationsFolder(stateFolder: string): string {
  return join(stateFolder, 'operations');
}

export function operationFolder(stateFolder: string, operationId: string): string {
  return join(operationsFolder(stateFolder), operationId);
}

export function recordFile(folder: string): string {
  return join(folder, 'operation.json');
}

/** The folder for output segments, created with the first output; see `output-segments.ts`. */
export function outputFolder(folder: string): string {
  return join(folder, 'output');
}

/*
 * Folders and records are small, and writing them synchronously takes microseconds. Asynchronous calls would each hand over to another thread,
 * which is slow on a busy machine, a dozen times per operation.
 */

/** Creates the folder of a new operation. The state folder must exist. @throws Error of the file system */
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
      const code = errorCode(error);
      if (tries === MOST_TRIES || (code !== 'EEXIST' && code !== 'ENOENT')) throw error;
      if (code === 'ENOENT') makeParent(stateFolder);
    }
  }
}

function makeParent(stateFolder: string): void {
  try {
    mkdirSync(operationsFolder(stateFolder), { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Writes the first record. Not atomic, as nobody knows this operation yet. @throws Error of the file system */
export function writeFirstRecord(folder: string, record: OperationRecord): void {
  writeFileSync(recordFile(folder), textOf(record), { mode: 0o600, flag: 'wx' });
}

/**
 * Replaces the record atomically. It is not synced to disk, as it need not survive a crash of the machine, which also ends all processes. One
 * writer at a time.
 * @throws Error of the file system, ENOSPC if the disk is full even without the reserve
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
    // The previous record has been deleted, which freed its space.
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

/** Whether the disk or the user's quota is full. */
export function isDiskFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 6;
const FORM = /^op-[a-z2-7]{6}$/;

/** A random id such as `op-k3x7qa`; creating its folder ensures that it is unique. */
function newOperationId(): string {
  let id = 'op-';
  for (const byte of randomBytes(LENGTH)) id += LETTERS.charAt(byte & 31);
  return id;
}

/** Whether a text has the form of an id. Other text must never become part of a path. */
export function isOperationId(text: string): boolean {
  return FORM.test(text);
}
