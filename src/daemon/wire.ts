import buffer from 'node:buffer';

/** Of the frames below; a daemon that speaks another one is treated like one of another version. */
export const PROTOCOL = 1;

/** Largest frame either side takes: text of 1 MiB in the worst escaping, with room. */
export const LARGEST_FRAME_BYTES = 32 * 1024 * 1024;

/** Bytes that say how long a frame is, big-endian. */
const HEADER_BYTES = 4;

declare const DESKTERITY_BUILD: string | undefined;

/** Package version and a hash of the sources, as `0.1.0+3f2a9c1b7d`: two builds of one version are told apart. */
export function buildVersion(): string {
  return typeof DESKTERITY_BUILD === 'string' ? DESKTERITY_BUILD : '0+source';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The first frame of a client: whom the daemon acts for. Never logged. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
  /** See {@link buildVersion}. */
  readonly version: string;
  readonly pid: number;
  /** Folder of the client; empty when it has none. */
  readonly cwd: string;
  /** All variables of the caller, as a program launched for it must find them. */
  readonly environment: Environment;
  /** Whether lines for standard error may be coloured. */
  readonly colour: boolean;
}

export interface ExecuteFrame {
  readonly type: 'execute';
  /** Chosen by the client; unique among its calls under way. */
  readonly id: number;
  readonly session: string;
  readonly command: string;
  readonly input: unknown;
  readonly format?: 'json' | 'outline' | 'text' | 'quiet' | undefined;
  readonly pretty?: boolean | undefined;
  /** Input keys whose text the answer must not repeat. */
  readonly secrets?: readonly string[] | undefined;
  /** Send log entries of this call that are at least this severe. */
  readonly log?: 'debug' | 'info' | undefined;
}

export type ClientFrame =
  | Hello
  | ExecuteFrame
  | { readonly type: 'cancel'; readonly id: number }
  /** Who are you? */
  | { readonly type: 'ask' }
  /** Leave, whatever is going on. */
  | { readonly type: 'stop' }
  /** Leave if nothing would be lost. */
  | { readonly type: 'retire' };

/** What a daemon says of itself. */
export interface Identity {
  readonly version: string;
  readonly pid: number;
  readonly isIdle: boolean;
  /** What keeps it, as a phrase: `2 calls, 1 private desktop`. */
  readonly why?: string | undefined;
}

export interface Refusal {
  readonly type: 'refused';
  /** Of one call; the connection is closed where absent. */
  readonly id?: number | undefined;
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
}

export type ServerFrame =
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly type: 'log'; readonly id: number; readonly line: string }
  | ({ readonly type: 'self' } & Identity)
  /** Instead of any answer, to a client of another version. */
  | ({ readonly type: 'skew' } & Identity)
  /** It takes no more calls; those it has not answered yet it still will, where it can. */
  | { readonly type: 'leaving'; readonly pid: number }
  /** A call came too late: nothing was done. */
  | { readonly type: 'late'; readonly id: number }
  | Refusal;

/** Bytes that are no frame of this protocol. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** One frame with its header. @throws WireError when it would be larger than the other side takes */
export function toFrame(message: ClientFrame | ServerFrame): Buffer {
  const text = JSON.stringify(message);
  const length = Buffer.byteLength(text);
  if (length > LARGEST_FRAME_BYTES)
    throw new WireError(`a message of ${length} bytes is larger than ${LARGEST_FRAME_BYTES}`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, HEADER_BYTES);
  return frame;
}

type Parsed = Readonly<Record<string, unknown>>;

/** Puts frames together from the pieces a socket delivers. It keeps at most one frame that is not whole. */
export class FrameReader {
  /** Bytes of the frame that is not whole, with room for more; grows by doubling, so that many small pieces cost no more than few large ones. */
  private held = Buffer.alloc(0);
  private have = 0;

  /** Whether a frame has begun and not ended. */
  get isPartial(): boolean {
    return this.have > 0;
  }

  /** The frames that are whole now. @throws WireError; the reader is of no use afterwards */
  push(piece: Buffer): Parsed[] {
    if (this.have > 0) this.keep(piece);
    const bytes = this.have > 0 ? this.held.subarray(0, this.have) : piece;
    const frames: Parsed[] = [];
    let start = 0;
    while (bytes.length - start >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(start);
      if (length > LARGEST_FRAME_BYTES) throw new WireError(`a frame claims to have ${length} bytes`);
      const end = start + HEADER_BYTES + length;
      if (end > bytes.length) break;
      frames.push(parseBody(bytes.subarray(start + HEADER_BYTES, end)));
      start = end;
    }
    if (start === 0 && this.have > 0) return frames;
    this.held = Buffer.alloc(0);
    this.have = 0;
    if (start < bytes.length) this.keep(bytes.subarray(start));
    return frames;
  }

  private keep(piece: Buffer): void {
    const wanted = this.have + piece.length;
    if (wanted > this.held.length) {
      const larger = Buffer.allocUnsafe(Math.max(wanted, 2 * this.held.length));
      this.held.copy(larger, 0, 0, this.have);
      this.held = larger;
    }
    piece.copy(this.held, this.have);
    this.have = wanted;
  }
}

function parseBody(bytes: Buffer): Parsed {
  if (!buffer.isUtf8(bytes)) throw new WireError('a frame is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new WireError('a frame is not JSON');
  }
  if (isRecord(value)) return value;
  throw new WireError('a frame is not an object');
}

/** What a client sent, checked. @throws WireError */
export function parseClientFrame(frame: Parsed): ClientFrame {
  switch (frame['type']) {
    case 'hello':
      return {
        type: 'hello',
        protocol: number(frame, 'protocol'),
        version: text(frame, 'version'),
        pid: number(frame, 'pid'),
        cwd: text(frame, 'cwd'),
        environment: environment(frame),
        colour: frame['colour'] === true,
      };
    case 'execute':
      return {
        type: 'execute',
        id: number(frame, 'id'),
        session: text(frame, 'session'),
        command: text(frame, 'command'),
        input: frame['input'],
        format: oneOf(frame, 'format', ['json', 'outline', 'text', 'quiet']),
        pretty: frame['pretty'] === true,
        secrets: texts(frame, 'secrets'),
        log: oneOf(frame, 'log', ['debug', 'info']),
      };
    case 'cancel':
      return { type: 'cancel', id: number(frame, 'id') };
    case 'ask':
    case 'stop':
    case 'retire':
      return { type: frame['type'] };
    default:
      throw new WireError('a frame is of a type that clients do not send');
  }
}

/** What a daemon sent, checked. @throws WireError */
export function parseServerFrame(frame: Parsed): ServerFrame {
  switch (frame['type']) {
    case 'answer':
      return {
        type: 'answer',
        id: number(frame, 'id'),
        exitCode: number(frame, 'exitCode'),
        stdout: text(frame, 'stdout'),
        stderr: text(frame, 'stderr'),
      };
    case 'log':
      return { type: 'log', id: number(frame, 'id'), line: text(frame, 'line') };
    case 'self':
    case 'skew':
      return {
        type: frame['type'],
        version: text(frame, 'version'),
        pid: number(frame, 'pid'),
        isIdle: frame['isIdle'] === true,
        why: frame['why'] === undefined ? undefined : text(frame, 'why'),
      };
    case 'leaving':
      return { type: 'leaving', pid: number(frame, 'pid') };
    case 'late':
      return { type: 'late', id: number(frame, 'id') };
    case 'refused':
      return {
        type: 'refused',
        id: frame['id'] === undefined ? undefined : number(frame, 'id'),
        code: text(frame, 'code'),
        message: text(frame, 'message'),
        suggestion: text(frame, 'suggestion'),
      };
    default:
      throw new WireError('a frame is of a type that daemons do not send');
  }
}

function isRecord(value: unknown): value is Parsed {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(frame: Parsed, key: string): string {
  const value = frame[key];
  if (typeof value === 'string') return value;
  throw new WireError(`"${key}" of a frame is not a text`);
}

function number(frame: Parsed, key: string): number {
  const value = frame[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WireError(`"${key}" of a frame is not a whole number`);
}

function texts(frame: Parsed, key: string): string[] | undefined {
  const value = frame[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new WireError(`"${key}" of a frame is not a list of texts`);
}

function oneOf<T extends string>(frame: Parsed, key: string, values: readonly T[]): T | undefined {
  const value = frame[key];
  const known = values.find((candidate) => candidate === value);
  if (known !== undefined || value === undefined) return known;
  throw new WireError(`"${key}" of a frame is none of ${values.join(', ')}`);
}

function environment(frame: Parsed): Environment {
  const value = frame['environment'];
  if (!isRecord(value)) throw new WireError('"environment" of a frame is not an object');
  const entries = Object.entries(value).map(([name, content]): [string, string] => {
    if (typeof content === 'string') return [name, content];
    throw new WireError('"environment" of a frame has a value that is not a text');
  });
  return Object.fromEntries(entries);
}
