import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../model/error-code.ts';
import { isAlive, startTimeOf } from '../paths.ts';
import { makeFolder } from './make-folder.ts';

/** Longest wait for another process; guarded work takes milliseconds. */
const LOCK_LIMIT_MS = 3000;

/** Where start times are unknown, a lock this old is abandoned even if its owner's pid is running, as pids are reused. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Runs `body` while no other process holds the lock file at `path`. A lock whose owner has ended is taken over.
 * @throws Error with code `ELOCKED` after three seconds
 */
export async function withFileLock<T>(path: string, body: () => Promise<T>): Promise<T> {
  const mine = ownerMark();
  const giveUpAt = performance.now() + LOCK_LIMIT_MS;
  while (!(await takeIn(path, mine))) {
    if (performance.now() > giveUpAt)
      throw Object.assign(new Error(`${path} is held by another process.`), { code: 'ELOCKED' });
    await clearAbandoned(path);
    await sleep(2 + Math.random() * 8);
  }
  try {
    return await body();
  } finally {
    if (contents(path) === mine) rmSync(path, { force: true });
  }
}

/** Also creates its folder. */
async function takeIn(path: string, mine: string): Promise<boolean> {
  try {
    return take(path, mine);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path), 0o700);
    return take(path, mine);
  }
}

/**
 * A symbolic link whose target is its owner: it is made in one step, so that nobody reads a lock without its owner. Synchronously: every command takes
 * locks, and each step through Node's thread pool waits for its turn on a busy machine.
 */
function take(path: string, mine: string): boolean {
  try {
    symlinkSync(mine, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose owner has ended. Only the holder of a second lock, named after that owner, may do so: otherwise a slow process could remove
 * the lock of somebody who has taken it in the meantime. Every owner has its own number, so that nobody mistakes a later lock for this one.
 */
async function clearAbandoned(path: string): Promise<void> {
  const owner = contents(path);
  if (owner === undefined || !(await isAbandoned(path, owner))) return;
  const mine = ownerMark();
  const clearing = `${path}.${(owner.split(' ')[1] ?? owner).replaceAll(/\W/g, '_').slice(0, 32)}`;
  if (!take(clearing, mine)) {
    await clearAbandoned(clearing);
    return;
  }
  // Synchronously: nothing of this process can come between.
  if (contents(path) === owner) rmSync(path, { force: true });
  rmSync(clearing, { force: true });
}

async function isAbandoned(path: string, owner: string): Promise<boolean> {
  const [pid = '', , start] = owner.split(' ');
  if (!isAlive(Number.parseInt(pid, 10))) return true;
  // A pid may have been given to another process; where start times are unknown, only time tells.
  const now = start === undefined ? undefined : startTimeOf(Number.parseInt(pid, 10));
  return now === undefined ? (await ageMs(path)) > ABANDONED_AFTER_MS : now !== start;
}

/** Unlike any other: pid, a random number and, if known, when the process started. */
function ownerMark(): string {
  ownStart ??= startTimeOf(process.pid) ?? '';
  return `${process.pid} ${randomBytes(8).toString('hex')} ${ownStart}`.trimEnd();
}

let ownStart: string | undefined;

async function ageMs(path: string): Promise<number> {
  return lstat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}

/** The owner of a lock; earlier versions wrote it into a file. */
function contents(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    return errorCode(error) === 'EINVAL' ? fileContents(path) : undefined;
  }
}

function fileContents(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
