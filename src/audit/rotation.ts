import type { AuditFile } from '../ports/audit/audit.ts';

/** How large the log may become. */
export interface AuditKeeping {
  /** A file that is larger is not continued. */
  readonly fileBytes: number;
  /** Files whose last entry is older are removed. */
  readonly keepDays: number;
  /** The oldest files are removed while all together are larger. */
  readonly keepBytes: number;
}

const DAY_MS = 86_400_000;
/** A file is not continued after this time, so that files can be removed by age. */
const FILE_DAYS = 7;

/** Whether the last file is not continued. */
export function isFull(
  file: { readonly bytes: number; readonly startedAt: number; readonly now: Date },
  { fileBytes }: AuditKeeping,
): boolean {
  const ageMs = file.now.getTime() - file.startedAt;
  return file.bytes >= fileBytes || (file.startedAt > 0 && ageMs >= FILE_DAYS * DAY_MS);
}

/** The files that are too old, or too many; never the last one. `files`: oldest first. */
export function filesToRemove<F extends AuditFile & { readonly startedAt: number }>(
  files: readonly F[],
  { keepDays, keepBytes }: AuditKeeping,
  now: Date,
): F[] {
  const removed: F[] = [];
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const [index, file] of files.entries()) {
    const next = files[index + 1];
    if (next === undefined) break;
    // A file ends when the next one begins.
    const isOld = next.startedAt > 0 && now.getTime() - next.startedAt > keepDays * DAY_MS;
    if (!isOld && bytes <= keepBytes) break;
    removed.push(file);
    bytes -= file.bytes;
  }
  return removed;
}
