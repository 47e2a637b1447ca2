import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { lstat, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../model/error-code.ts';
import { isAlive } from '../paths.ts';
import { makeFolder } from './make-folder.ts';

/** Longest wait for another process; guarded work takes milliseconds. */
const LOCK_LIMIT_MS = 3000;

/** A lock this old is abandoned even if its owner's pid is running, as pids are reused. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Runs `body` while no other process holds the lock file at `path`. A lock whose owner has ended is taken over.
 * @throws Error with code `ELOCKED` after three seconds
 */
export async function withFileLock<T>(path: string, body: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}`;
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

async function clearAbandoned(path: string): Promise<void> {
  const owner = contents(path);
  if (owner === undefined) return;
  if (isAlive(Number.parseInt(owner, 10)) && (await ageMs(path)) < ABANDONED_AFTER_MS) return;
  const aside = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.aside`;
  try {
    await rename(path, aside);
    // Another process may have cleared it and taken the lock between the two steps; then put it back.
    const other = contents(aside);
    if (other !== undefined && other !== owner) await symlink(other, path);
  } catch {
    // Cleared by another process.
  } finally {
    await rm(aside, { force: true });
  }
}

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
