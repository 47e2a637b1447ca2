import { chmod, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

const DAY_AND_END = /^-(\d{4}-\d{2}-\d{2})\.log$/;
/** The default prefix of log file names. */
export const LOG_STEM = 'deskterity';
const DAY_MS = 86_400_000;

/** The file for entries of this moment: one per local day. */
export function logFile(folder: string, moment: Date, stem = LOG_STEM): string {
  return join(folder, `${stem}-${localDay(moment)}.log`);
}

/** The local day, as `2026-01-31`. */
export function localDay(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  return `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/**
 * Creates the folder, or restricts it to its owner.
 * @throws Error if that fails, or if the folder belongs to another user, who could place links in it
 */
export async function prepareLogFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  const facts = await stat(folder);
  const user = process.geteuid?.();
  if (!facts.isDirectory() || (user !== undefined && facts.uid !== user))
    throw new Error(`${folder} is not a folder of this user`);
  if (user !== undefined && (facts.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

/**
 * The same for a folder that the user named, whose mode is not changed, as it may have other uses.
 * @throws Error if it cannot be used, or if other users could place links in it
 */
export async function prepareNamedLogFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  const facts = await stat(folder);
  const user = process.geteuid?.();
  if (!facts.isDirectory() || (user !== undefined && facts.uid !== user))
    throw new Error(`${folder} is not a folder of this user`);
  if (user !== undefined && (facts.mode & 0o022) !== 0)
    throw new Error(`${folder} can be written by other users`);
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
