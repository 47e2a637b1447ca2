import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';

/** Application logs older than this are removed. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;
let count = 0;

/** The file that an application's output goes to. */
export interface AppLog {
  readonly file: string;
  readonly descriptor: number;
}

/** Opens a new log in `folder`; `undefined` if the folder is not writable, which must not prevent an application from starting. */
export function openAppLog(folder: string, name: string): AppLog | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeOld(folder);
    count += 1;
    const file = path.join(
      folder,
      `${name.replaceAll(/[^\w.-]/g, '_')}-${process.pid}-${Date.now()}-${count}.log`,
    );
    return { file, descriptor: openSync(file, 'ax', 0o600) };
  } catch {
    return undefined;
  }
}

/** Closes our descriptor; the application has its own copy. */
export function closeAppLog(log: AppLog | undefined): void {
  if (log !== undefined) closeSync(log.descriptor);
}

/** The last lines an application printed. */
export function lastLogLines(log: AppLog | undefined, lines = 8): string {
  if (log === undefined) return '';
  try {
    return readFileSync(log.file, 'utf8').trim().split('\n').slice(-lines).join('\n').slice(-2000);
  } catch {
    return '';
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.endsWith('.log') && Date.now() - statSync(file).mtimeMs > KEPT_MS) unlinkSync(file);
  }
}
