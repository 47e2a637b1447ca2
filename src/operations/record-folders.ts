import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorCode } from '../model/error-code.ts';
import type { DiskReserve } from './output/disk-reserve.ts';

/*
 * Every operation and every terminal has a folder with its record and its output. Folders and records are small, and reading and writing them synchronously
 * takes microseconds. Asynchronous calls would each hand over to another thread, which is slow on a busy machine, a dozen times per operation.
 */

/** After this many attempts, taken names are not the cause. */
const MOST_TRIES = 100;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 6;
/** Files that are read at the same time. */
const BATCH = 64;
/** Prefix of folders being removed; renamed first, so that nobody finds half of one. */
const DOOMED = 'gone-';
/** A younger folder without a record may be of an operation or terminal that is just starting. */
const UNRECORDED_AGE_MS = 3_600_000;

/** Whether a text has the form of an id such as `op-k3x7qa`. Other text must never become part of a path. */
export function isRecordId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}-`) && /^[a-z2-7]{6}$/.test(text.slice(prefix.length + 1));
}

/** A random id; creating its folder ensures that it is unique. */
export function newRecordId(prefix: string): string {
  let id = `${prefix}-`;
  for (const byte of randomBytes(LENGTH)) id += LETTERS.charAt(byte & 31);
  return id;
}

/** Creates a folder with a new id. @param makeParent called if the parent is missing @throws Error of the file system */
export function makeRecordFolder(
  parent: string,
  newId: () => string,
  makeParent: () => void = () => undefined,
): { readonly id: string; readonly folder: string } {
  for (let tries = 1; ; tries += 1) {
    const id = newId();
    const folder = join(parent, id);
    try {
      mkdirSync(folder, { mode: 0o700 });
      return { id, folder };
    } catch (error) {
      const code = errorCode(error);
      if (tries === MOST_TRIES || (code !== 'EEXIST' && code !== 'ENOENT')) throw error;
      if (code === 'ENOENT') makeParent();
    }
  }
}

/** The folder for output segments, created with the first output; see `output-segments.ts`. */
export function outputFolder(folder: string): string {
  return join(folder, 'output');
}

export function recordText(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

/**
 * Replaces a record atomically. It is not synced to disk, as it need not survive a crash of the machine, which also ends all processes. One
 * writer at a time.
 * @throws Error of the file system
 */
export function replaceRecord(path: string, record: object): void {
  const draft = `${path}.tmp`;
  try {
    writeFileSync(draft, recordText(record), { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Replaces a record, with the reserve if the disk is full. @throws Error of the file system, ENOSPC if the reserve is not enough */
export async function replaceWithReserve(path: string, record: object, reserve: DiskReserve): Promise<void> {
  try {
    replaceRecord(path, record);
    if (!reserve.isKept) await reserve.keep();
  } catch (error) {
    if (!isDiskFull(error) || !(await reserve.release())) throw error;
    replaceRecord(path, record);
    // The previous record has been deleted, which freed its space.
    await reserve.keep();
  }
}

/** Whether the disk or the user's quota is full. */
export function isDiskFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** `undefined` if there is no valid record. @param parse `undefined` for invalid data; the holder bundles no schemas of records */
export function readRecord<T>(path: string, parse: (data: unknown) => T | undefined): T | undefined {
  try {
    return parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** The ids of all folders, including those without a record. */
export async function recordIds(parent: string, prefix: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch(() => []);
  return names.filter((name) => isRecordId(prefix, name));
}

/** The records that `read` returns for the ids. */
export async function readAll<T>(
  ids: readonly string[],
  read: (id: string) => Promise<T | undefined>,
): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const records = await Promise.all(ids.slice(at, at + BATCH).map((id) => read(id)));
    found.push(...records.filter((record) => record !== undefined));
    // There may be hundreds; other work gets a turn in between.
    await setImmediate();
  }
  return found;
}

export interface Retention {
  /** Since the end. */
  readonly maxAgeMs: number;
  /** Output of all that have ended; the oldest are removed first. */
  readonly maxBytes: number;
  readonly maxCount: number;
}

export const RETENTION: Retention = {
  maxAgeMs: 7 * 86_400_000,
  maxBytes: 2 * 1024 ** 3,
  maxCount: 500,
};

export interface Removal {
  readonly parent: string;
  readonly prefix: string;
  /** Those that have ended, newest first, with the time that their age counts from. */
  readonly ended: readonly { readonly id: string; readonly at: string }[];
  readonly hasRecord: (id: string) => Promise<boolean>;
  readonly retention: Retention;
  readonly now: number;
}

/** Removes folders that are too old or too many. Several processes may do so at once. @returns the ids */
export async function removeOldRecords(removal: Removal): Promise<readonly string[]> {
  const { parent, prefix, ended, hasRecord, retention, now } = removal;
  const removed: string[] = [];
  let bytes = 0;
  for (const [index, { id, at }] of ended.entries()) {
    bytes += await bytesIn(outputFolder(join(parent, id)));
    const age = now - Date.parse(at);
    if (age > retention.maxAgeMs || bytes > retention.maxBytes || index >= retention.maxCount)
      removed.push(id);
  }
  for (const id of await recordIds(parent, prefix)) {
    if (await hasRecord(id)) continue;
    const facts = await stat(join(parent, id)).catch(() => undefined);
    if (facts !== undefined && now - facts.mtimeMs > UNRECORDED_AGE_MS) removed.push(id);
  }
  // Another process may have renamed it already.
  for (const id of removed)
    await rename(join(parent, id), join(parent, `${DOOMED}${id}`)).catch(() => undefined);
  for (const name of await readdir(parent).catch(() => []))
    if (isRecordId(`${DOOMED}${prefix}`, name))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  return removed;
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const facts = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return facts.reduce((sum, each) => sum + (each?.size ?? 0), 0);
}
