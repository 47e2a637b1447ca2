import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../model/error-code.ts';
import type { OperationRecord } from '../model/tools/operation.ts';
import { makeRecordFolder, newRecordId, recordText } from './record-folders.ts';

/** Prefix of the ids. */
export const OPERATION = 'op';

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

/** Creates the folder of a new operation. The state folder must exist. @throws Error of the file system */
export function makeOperationFolder(
  stateFolder: string,
  newId = () => newRecordId(OPERATION),
): ReturnType<typeof makeRecordFolder> {
  return makeRecordFolder(operationsFolder(stateFolder), newId, () => makeParent(stateFolder));
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
  writeFileSync(recordFile(folder), recordText(record), { mode: 0o600, flag: 'wx' });
}
