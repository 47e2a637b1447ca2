import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

export interface Cookie {
  readonly name: string;
  /** Latin-1, one character per byte. */
  readonly data: string;
}

interface Entry extends Cookie {
  readonly family: number;
  readonly address: string;
  readonly display: string;
}

const FAMILY_LOCAL = 256;
const FAMILY_WILD = 65535;
export const NO_COOKIE: Cookie = { name: '', data: '' };

/** The entries of an Xauthority file; reading stops at the first incomplete one. */
export function parseXauthority(bytes: Buffer): Entry[] {
  const entries: Entry[] = [];
  let offset = 0;
  const field = (): string | undefined => {
    if (offset + 2 > bytes.length) return undefined;
    const end = offset + 2 + bytes.readUInt16BE(offset);
    if (end > bytes.length) return undefined;
    const text = bytes.toString('latin1', offset + 2, end);
    offset = end;
    return text;
  };
  while (offset + 2 <= bytes.length) {
    const family = bytes.readUInt16BE(offset);
    offset += 2;
    const [address, display, name, data] = [field(), field(), field(), field()];
    if (address === undefined || display === undefined || name === undefined || data === undefined) break;
    entries.push({ family, address, display, name, data });
  }
  return entries;
}

/**
 * The cookie for a display, or {@link NO_COOKIE}: many servers accept the same user without one.
 * Read here instead of by the package, which throws from a file callback if the file is not readable.
 */
export async function findCookie(display: string, file: string | undefined): Promise<Cookie> {
  const bytes = await readFile(file ?? join(homedir(), '.Xauthority')).catch(() => undefined);
  if (bytes === undefined) return NO_COOKIE;
  const number = /:(\d+)(?:\.\d+)?$/.exec(display)?.[1] ?? '';
  const host = display.slice(0, display.lastIndexOf(':'));
  const isLocal = host === '' || host.startsWith('unix') || host === 'localhost';
  const address = isLocal ? hostname() : host;
  const usable = parseXauthority(bytes).filter(
    (entry) =>
      entry.name === 'MIT-MAGIC-COOKIE-1' &&
      (entry.display === '' || entry.display === number) &&
      (entry.family === FAMILY_WILD || (entry.family === FAMILY_LOCAL && entry.address === address)),
  );
  const entry = usable.find((candidate) => candidate.family !== FAMILY_WILD) ?? usable[0];
  return entry === undefined ? NO_COOKIE : { name: entry.name, data: entry.data };
}
