import { readdirSync, readFileSync } from 'node:fs';

/** The text of a file; `undefined` if it cannot be read. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The names in a folder; empty if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The last lines of a file; empty if it cannot be read. */
export function lastLines(file: string, count: number): string {
  return (readText(file) ?? '').trim().split('\n').slice(-count).join('\n');
}
