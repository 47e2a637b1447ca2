import { isUtf8 } from 'node:buffer';

/** Of the operating system command that our hooks print; terminals do not know it. */
export const MARK_NUMBER = 8571;
/** Longest body of a mark: fields and a folder. */
const LONGEST_BODY_BYTES = 6144;
const ESCAPE = 27;
const BELL = 7;
const FIRST_PRINTABLE = 32;
const LARGEST_STATUS = 255;
/** What ksh adds to the number of a signal, and what everybody else does. */
const KSH_SIGNAL = 256;
const SIGNAL = 128;

/** Where the hooks of one session are, and the secret that its marks carry. */
export interface HookPlace {
  /** Absolute, without control characters; of this session alone, mode 0700, readable where the session is confined. */
  readonly folder: string;
  /** At least 128 random bits in hexadecimal. */
  readonly token: string;
}

/** What our hooks say. `sequence`: number of the last command that we made the shell run; 0 before the first. */
export type Mark =
  /** The shell is about to show its prompt, and all the user's own hooks have run. `exitCode`: of what ran last. */
  | { readonly kind: 'prompt'; readonly sequence: number; readonly exitCode: number; readonly cwd?: string }
  /** A line was accepted at the prompt, whoever typed it. */
  | { readonly kind: 'line'; readonly sequence: number }
  /** What is written from here on is of our command. */
  | { readonly kind: 'begin'; readonly sequence: number }
  | { readonly kind: 'end'; readonly sequence: number; readonly exitCode: number; readonly cwd?: string };

export type Piece =
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'mark'; readonly mark: Mark };

/** Separates the marks of one session from everything else that comes from its terminal, in whatever pieces it comes. */
export class CommandMarks {
  private readonly start: Buffer;
  /** What may be the beginning of a mark. */
  private held: Buffer = Buffer.alloc(0);

  constructor(token: string) {
    this.start = Buffer.from(`\u{1B}]${String(MARK_NUMBER)};${token};`);
  }

  /** Output and marks in the order they came; a mark that is not whole yet is kept back. */
  push(chunk: Uint8Array): Piece[] {
    const bytes = this.held.length === 0 ? asBuffer(chunk) : Buffer.concat([this.held, chunk]);
    const pieces: Piece[] = [];
    let shown = 0;
    let at = bytes.indexOf(ESCAPE);
    while (at !== -1) {
      const found = this.markAt(bytes, at);
      if (found === 'unfinished') break;
      if (found !== undefined) {
        if (at > shown) pieces.push({ kind: 'output', bytes: bytes.subarray(shown, at) });
        if (found.mark !== undefined) pieces.push({ kind: 'mark', mark: found.mark });
        shown = found.end;
      }
      at = bytes.indexOf(ESCAPE, found?.end ?? at + 1);
    }
    const end = at === -1 ? bytes.length : at;
    if (end > shown) pieces.push({ kind: 'output', bytes: bytes.subarray(shown, end) });
    this.held = Buffer.from(bytes.subarray(end));
    return pieces;
  }

  /** What was kept back; for when nothing more comes. */
  flush(): Uint8Array {
    const rest = this.held;
    this.held = Buffer.alloc(0);
    return rest;
  }

  private markAt(
    bytes: Buffer,
    at: number,
  ): { readonly end: number; readonly mark: Mark | undefined } | 'unfinished' | undefined {
    const present = Math.min(this.start.length, bytes.length - at);
    if (bytes.compare(this.start, 0, present, at, at + present) !== 0) return undefined;
    if (present < this.start.length) return 'unfinished';
    const from = at + this.start.length;
    const most = Math.min(bytes.length, from + LONGEST_BODY_BYTES);
    for (let index = from; index < most; index += 1) {
      const byte = bytes[index];
      if (byte === BELL) return { end: index + 1, mark: parseMark(bytes.subarray(from, index)) };
      if (byte !== undefined && byte < FIRST_PRINTABLE) return undefined;
    }
    return bytes.length - from < LONGEST_BODY_BYTES ? 'unfinished' : undefined;
  }
}

/** Undefined for what only something that knows the token can have written, and yet means nothing: it is not shown either. */
function parseMark(bytes: Buffer): Mark | undefined {
  const body = bytes.toString('utf8');
  const match = /^([pxbe]);(\d{1,9})(?:;(\d{0,10})(?:;(.*))?)?$/su.exec(body);
  if (match === null) return undefined;
  const [, kind, number, status, cwd] = match;
  const sequence = Number(number);
  if (kind === 'x') return { kind: 'line', sequence };
  if (kind === 'b') return { kind: 'begin', sequence };
  const exitCode = toExitCode(status);
  if (exitCode === undefined) return undefined;
  return {
    kind: kind === 'p' ? 'prompt' : 'end',
    sequence,
    exitCode,
    ...(cwd === undefined || !cwd.startsWith('/') || !isUtf8(bytes) ? {} : { cwd }),
  };
}

function toExitCode(status: string | undefined): number | undefined {
  if (status === undefined || status === '') return undefined;
  const number = Number(status);
  if (number <= LARGEST_STATUS) return number;
  const bySignal = number - KSH_SIGNAL + SIGNAL;
  return bySignal <= LARGEST_STATUS ? bySignal : undefined;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
