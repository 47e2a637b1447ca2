import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOver } from '../model/tools/operation-status.ts';
import { operationFolder, operationsFolder, outputFolder } from './operation-folder.ts';
import type { OperationRecords } from './operation-records.ts';

export interface Retention {
  /** Since the end of the operation. */
  readonly maxAgeMs: number;
  /** Output of all ended operations; the oldest are removed first. */
  readonly maxBytes: number;
  readonly maxCount: number;
}

export const RETENTION: Retention = {
  maxAgeMs: 7 * 86_400_000,
  maxBytes: 2 * 1024 ** 3,
  maxCount: 500,
};

/** Folders being removed; renamed first, so that nobody finds half of an operation. */
const DOOMED = /^gone-op-[a-z2-7]{6}$/;
/** A younger folder without a record may be of an operation that is just starting. */
const UNRECORDED_AGE_MS = 3_600_000;

/** Removes ended operations that are too old or too many. Several processes may do so at once. @returns the ids */
export async function removeOldOperations(
  records: OperationRecords,
  retention: Retention = RETENTION,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const removed: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const view of await records.all()) {
    if (!isOver(view.status)) continue;
    bytes += await bytesIn(outputFolder(operationFolder(records.stateFolder, view.operation_id)));
    count += 1;
    const age = now - Date.parse(view.ended_at ?? view.started_at);
    if (age > retention.maxAgeMs || bytes > retention.maxBytes || count > retention.maxCount)
      removed.push(view.operation_id);
  }
  removed.push(...(await unrecorded(records, now)));
  for (const id of removed) await remove(records.stateFolder, id);
  await sweep(records.stateFolder);
  return removed;
}

async function unrecorded(records: OperationRecords, now: number): Promise<string[]> {
  const found: string[] = [];
  for (const id of await records.ids()) {
    if ((await records.find(id)) !== undefined) continue;
    const facts = await stat(operationFolder(records.stateFolder, id)).catch(() => undefined);
    if (facts !== undefined && now - facts.mtimeMs > UNRECORDED_AGE_MS) found.push(id);
  }
  return found;
}

async function remove(stateFolder: string, operationId: string): Promise<void> {
  const doomed = join(operationsFolder(stateFolder), `gone-${operationId}`);
  // Another process may have removed it first.
  await rename(operationFolder(stateFolder, operationId), doomed).catch(() => undefined);
}

async function sweep(stateFolder: string): Promise<void> {
  const folder = operationsFolder(stateFolder);
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (DOOMED.test(name))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const facts = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return facts.reduce((sum, each) => sum + (each?.size ?? 0), 0);
}
