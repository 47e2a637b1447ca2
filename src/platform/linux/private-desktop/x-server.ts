import { randomInt } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { errorCode } from '../../../model/error-code.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { startService, type ServiceRequest } from './service.ts';

const SOCKET_FOLDER = '/tmp/.X11-unix';
/** Far above the numbers that real sessions and `xvfb-run` (99) use. */
const FIRST_NUMBER = 200;
const NUMBERS = 20_000;
const ATTEMPTS = 8;

export interface XServerRequest extends ServiceRequest {
  readonly width: number;
  readonly height: number;
  readonly authorityFile: string;
  /** Called before the number is locked, so that it can be released whatever happens. */
  readonly onNumber: (number: number) => void;
}

/**
 * Starts Xvfb and returns its display, `:N`: a free number that no other X server, in this or another network namespace, can take in the meantime.
 * `-displayfd` reports readiness but turns Xvfb's own lock file off, so we write the lock.
 */
export async function startXServer(request: XServerRequest): Promise<string> {
  ensureSocketFolder();
  for (let attempt = 1; ; attempt += 1) {
    const number = claimNumber(request.onNumber);
    try {
      const args = [
        ...`:${number} -displayfd 3 -screen 0 ${request.width}x${request.height}x24`.split(' '),
        '-auth',
        request.authorityFile,
        ...'-nolisten tcp -noreset -s 0 -dpi 96'.split(' '),
      ];
      await startService(request, { args, readyDescriptor: 3 });
      return `:${number}`;
    } catch (error) {
      releaseNumber(number);
      const taken =
        error instanceof DeskterityError && /already active|in use/i.test(error.platformDetail ?? '');
      if (!taken || attempt === ATTEMPTS) throw error;
    }
  }
}

function claimNumber(onNumber: (number: number) => void): number {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const number = FIRST_NUMBER + randomInt(NUMBERS);
    if (existsSync(`${SOCKET_FOLDER}/X${number}`) || existsSync(lockFile(number))) continue;
    onNumber(number);
    try {
      writeFileSync(lockFile(number), `${String(process.pid).padStart(10)}\n`, { flag: 'wx', mode: 0o444 });
      return number;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      const message = 'No lock file for a display number can be created in /tmp.';
      throw unusable(message, 'Make /tmp writable (mode 1777).', error);
    }
  }
  throw new DeskterityError('DISPLAY_UNAVAILABLE', 'No X display number is free.', {
    suggestion: 'Remove stale /tmp/.X*-lock files whose processes have exited.',
  });
}

function releaseNumber(number: number): void {
  try {
    unlinkSync(lockFile(number));
  } catch {
    // Already removed.
  }
}

function lockFile(number: number): string {
  return `/tmp/.X${number}-lock`;
}

function ensureSocketFolder(): void {
  try {
    if (!existsSync(SOCKET_FOLDER) && process.getuid?.() === 0) {
      mkdirSync(SOCKET_FOLDER);
      chmodSync(SOCKET_FOLDER, 0o1777);
    }
    accessSync(SOCKET_FOLDER, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(
      `X servers need the folder ${SOCKET_FOLDER}, but it cannot be used.`,
      `Run "sudo install -d -m 1777 ${SOCKET_FOLDER}" once, or mount a writable /tmp.`,
      error,
    );
  }
}

function unusable(message: string, suggestion: string, error: unknown): DeskterityError {
  const platformDetail = error instanceof Error ? error.message : String(error);
  return new DeskterityError('DISPLAY_UNAVAILABLE', message, { suggestion, platformDetail, cause: error });
}

const PROTOCOL = 'MIT-MAGIC-COOKIE-1';
/** Matches every host name, so that the cookie still works in a renamed container. */
const FAMILY_WILD = 0xffff;

/**
 * The bytes of an Xauthority file with one cookie for any display number, because it is written before the number is known. Each
 * desktop has its own cookie, so programs of other desktops are refused.
 */
export function xAuthorityFile(cookie: Uint8Array): Buffer {
  return Buffer.concat([uint16(FAMILY_WILD), counted(''), counted(''), counted(PROTOCOL), counted(cookie)]);
}

function counted(data: string | Uint8Array): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([uint16(bytes.length), bytes]);
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}
