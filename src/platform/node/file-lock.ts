import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
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
  await makeFolder(dirname(path), 0o700);
  const giveUpAt = performance.now() + LOCK_LIMIT_MS;
  while (!(await take(path, mine))) {
    if (performance.now() > giveUpAt)
      throw Object.assign(new Error(`${path} is held by another process.`), { code: 'ELOCKED' });
    await clearAbandoned(path);
    await sleep(2 + Math.random() * 8);
  }
  try {
    return await body();
  } finally {
    if ((await contents(path)) === mine) await rm(path, { force: true });
  }
}

/** Links a complete file into place, so that nobody reads a lock without its owner. */
async function take(path: string, mine: string): Promise<boolean> {
  const draft = `${path}.${mine.replace(' ', '-')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    try {
      await file.writeFile(mine);
    } finally {
      await file.close();
    }
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function clearAbandoned(path: string): Promise<void> {
  const owner = await contents(path);
  if (owner === undefined) return;
  if (isAlive(Number.parseInt(owner, 10)) && (await ageMs(path)) < ABANDONED_AFTER_MS) return;
  const aside = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.aside`;
  try {
    await rename(path, aside);
    // Another process may have cleared it and taken the lock between the two steps; then put it back.
    if ((await contents(aside)) !== owner) await link(aside, path);
  } catch {
    // Cleared by another process.
  } finally {
    await rm(aside, { force: true });
  }
}

async function ageMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}

async function contents(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
