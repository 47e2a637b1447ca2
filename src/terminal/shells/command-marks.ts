import { isUtf8 } from 'node:buffer';

/** Number of the operating system command (OSC) that our hooks print; no terminal uses it. */
export const MARK_NUMBER = 8571;
/** Longest body of a mark: fields and a folder. */
const LONGEST_BODY_BYTES = 6144;
const ESCAPE = 27;
const BELL = 7;
const FIRST_PRINTABLE = 32;
const LARGEST_STATUS = 255;
/** Offset of a signal number in exit codes: in ksh, and in all other shells. */
const KSH_SIGNAL = 256;
const SIGNAL = 128;

/** The hook folder of one session and the secret token in its marks. */
export interface HookPlace {
  /** Absolute path without control characters; used by this session only, mode 0700, readable inside the sandbox. */
  readonly folder: string;
  /** At least 128 random bits in hexadecimal. */
  readonly token: string;
}

/** A message of our hooks. `sequence`: number of the last command that we ran; 0 before the first. */
export type Mark =
  /** The shell is about to show its prompt; all the user's hooks have run. `exitCode`: of the last command. */
  | { readonly kind: 'prompt'; readonly sequence: number; readonly exitCode: number; readonly cwd?: string }
  /** A line was accepted at the prompt, typed by us or a person. */
  | { readonly kind: 'line'; readonly sequence: number }
  /** Output from here on belongs to our command. */
  | { readonly kind: 'begin'; readonly sequence: number }
  | { readonly kind: 'end'; readonly sequence: number; readonly exitCode: number; readonly cwd?: string };

export type Piece =
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'mark'; readonly mark: Mark };

/** Separates the marks of one session from the other output of its terminal, however it is split. */
export class CommandMarks {
  private readonly start: Buffer;
  /** A possible beginning of a mark. */
  private held: Buffer = Buffer.alloc(0);

  constructor(token: string) {
    this.start = Buffer.from(`\u{1B}]${String(MARK_NUMBER)};${token};`);
  }

  /** @returns output and marks in order; an incomplete mark is held back */
  push(chunk: Uint8Array): Piece[] {
    // Not copied unless a beginning is held back.
    const bytes =
      this.held.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([this.held, chunk]);
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

  /** @returns what was held back, at the end of the output */
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

/** `undefined` for an invalid body after a valid token, which is not shown either. */
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
