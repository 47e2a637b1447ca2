import { chmod, readdir, stat, unlink, access } from 'node:fs/promises';
import { join } from 'node:path';
import { constants } from 'node:fs';
import { makeFolder } from '../make-folder.ts';
import type { LogFolderChoice } from '../../../ports/log.ts';
import { existingFolderProblem, socketFolderProblem, localDay } from '../../paths.ts';

const DAY_AND_END = /^-(\d{4}-\d{2}-\d{2})\.log$/;
/** The default prefix of log file names. */
export const LOG_STEM = 'deskterity';
const DAY_MS = 86_400_000;

/** The file for entries of this moment: one per local day. */
export function logFile(folder: string, moment: Date, stem = LOG_STEM): string {
  return join(folder, `${stem}-${localDay(moment)}.log`);
}

/**
 * Creates the folder. One that the user named may have other uses, so its mode is not changed; any other one is restricted to its owner.
 * @throws Error if it cannot be used, or if other users could place links in it
 */
export async function prepareLogFolder(folder: string, isNamed: boolean): Promise<void> {
  await makeFolder(folder, 0o700);
  const facts = await stat(folder);
  const user = process.geteuid?.();
  if (!facts.isDirectory() || (user !== undefined && facts.uid !== user))
    throw new Error(`${folder} is not a folder of this user`);
  if (user === undefined) return;
  if (!isNamed && (facts.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  if (isNamed && (facts.mode & 0o022) !== 0) throw new Error(`${folder} can be written by other users`);
}

/** Removes log files more than `keepDays` days older than `moment`. Other files are kept. */
export async function removeOldLogs(
  folder: string,
  keepDays: number,
  moment: Date,
  stem = LOG_STEM,
): Promise<void> {
  const today = dayNumber(localDay(moment));
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [, text] = (entry.name.startsWith(stem) && DAY_AND_END.exec(entry.name.slice(stem.length))) || [];
    const day = text === undefined ? undefined : dayNumber(text);
    if (day === undefined || today === undefined || !entry.isFile() || today - day <= keepDays) continue;
    // Another process may have removed it first.
    await unlink(join(folder, entry.name)).catch(() => undefined);
  }
}

/** Days since 1970 of a date such as `2026-01-31`; `undefined` for an invalid one. */
function dayNumber(day: string): number | undefined {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(day) ? undefined : time / DAY_MS;
}

/**
 * The first folder that a log can be written to, created if missing.
 * @throws Error with the problem of each folder, as a sentence
 */
export async function firstLogFolder(choices: readonly LogFolderChoice[]): Promise<LogFolderChoice> {
  const problems: string[] = [];
  for (const choice of choices) {
    const { path, isNamed, isTemporary } = choice;
    try {
      const problem = isTemporary ? socketFolderProblem(path) : undefined;
      if (problem !== undefined) throw new Error(`the folder of ${path} ${problem}`);
      await prepareLogFolder(path, isNamed);
      await access(path, constants.W_OK | constants.X_OK);
      const after = isTemporary ? existingFolderProblem(path) : undefined;
      if (after !== undefined) throw new Error(`${path} ${after}`);
      return choice;
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`${problems.join('; ')}.`);
}
