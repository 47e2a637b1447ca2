import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { comparedFile } from './harmless.ts';

/** Larger files are compared by their size. */
const LARGEST = 4_000_000;

/** The files below a folder: for each path what is compared of it. */
export type Files = ReadonlyMap<string, string>;

export function readFiles(folder: string): Files {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    const how = comparedFile(path);
    if (how === 'presence') found.set(path, 'present');
    if (how === 'contents') found.set(path, fingerprint(file));
  }
  return found;
}

/** The files that are not equal in two folders; an application that writes its start-up time has such files. */
export function unequalFiles(one: Files, other: Files): ReadonlySet<string> {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return new Set([...paths].filter((path) => one.get(path) !== other.get(path)));
}

/** Longer than services of settings wait before they write: 5 s in Xfce. */
export const WRITTEN_MS = 7000;
const POLL_MS = 200;

/** The files of both sides at one moment. */
export interface BothFiles {
  readonly ours: Files;
  readonly twin: Files;
}

/** Reads the files until they are equal, for some seconds: settings are written that late, by services of their own. */
export async function onceEqual(
  read: () => BothFiles,
  left: ReadonlySet<string>,
  mostMs = WRITTEN_MS,
): Promise<BothFiles> {
  const end = performance.now() + mostMs;
  for (;;) {
    const now = read();
    const isEqual = [...unequalFiles(now.ours, now.twin)].every((path) => left.has(path));
    if (isEqual || performance.now() >= end) return now;
    await sleep(POLL_MS);
  }
}

export function withoutFiles(files: Files, left: ReadonlySet<string>): Files {
  return new Map([...files].filter(([path]) => !left.has(path)));
}

/** What was read of files that have not been written since: a HOME is compared after every act. */
const known = new Map<string, { readonly mark: string; readonly text: string }>();

/** A file may be removed or replaced by its application at any moment. */
function fingerprint(file: string): string {
  try {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(file);
    if (size > LARGEST) return `${size} bytes`;
    const mark = [size, mtimeMs, ctimeMs, ino].join(' ');
    const kept = known.get(file);
    if (kept?.mark === mark) return kept.text;
    const text = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
    known.set(file, { mark, text });
    return text;
  } catch {
    return 'gone';
  }
}
