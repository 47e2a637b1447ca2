import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../model/error-code.ts';
import type { StreamName } from '../../ports/operations.ts';
import { countNewlines } from './decode-bytes.ts';
import { KeptSegments, type KeptSegment } from './kept-segments.ts';
import { isDiskFull } from '../record-folders.ts';
import { segmentName } from './output-segments.ts';
import type { StartedProcess } from '../../ports/process.ts';

const MOST_SEGMENT_BYTES = 1024 * 1024;
/** A small budget has small segments, so that the beginning, the end and the current segment always fit. */
const LEAST_SEGMENTS = 16;
/** How long to wait after a failed write. */
const RETRY_MS = 1000;

export interface OutputStoreOptions {
  /** Created with the first output; its parent must exist. */
  readonly folder: string;
  /** Maximum number of bytes kept, over all streams; at least 16. */
  readonly budgetBytes: number;
  readonly now?: () => number;
}

interface Writing {
  readonly segment: KeptSegment;
  readonly file: FileHandle;
}

interface StreamState {
  /** Bytes received, kept or not. */
  bytes: number;
  newlines: number;
  writing: Writing | undefined;
}

/**
 * Stores the output of one operation: the beginning and the end of each stream, up to the budget; the middle is dropped. If the disk fails,
 * output is lost but the operation continues: see {@link problem}.
 */
export class OutputStore {
  private readonly folder: string;
  private readonly segmentBytes: number;
  private readonly kept: KeptSegments;
  private readonly now: () => number;
  private readonly streams = new Map<StreamName, StreamState>();
  private turn: Promise<unknown> = Promise.resolve();
  private restUntil = Number.NEGATIVE_INFINITY;
  private lostBytes = 0;
  private lostBecause = '';
  private isShrunk = false;
  private isClosed = false;

  constructor({ folder, budgetBytes, now = () => performance.now() }: OutputStoreOptions) {
    this.folder = folder;
    this.segmentBytes = Math.max(1, Math.min(MOST_SEGMENT_BYTES, Math.floor(budgetBytes / LEAST_SEGMENTS)));
    this.kept = new KeptSegments(budgetBytes);
    this.now = now;
  }

  /** Why output is missing although the budget would allow it; `undefined` if none is missing. */
  get problem(): string | undefined {
    if (this.lostBytes > 0)
      return `${this.lostBytes} bytes of output could not be kept: ${this.lostBecause}.`;
    return this.isShrunk ? 'Less output was kept than allowed, because the disk became full.' : undefined;
  }

  /** Resolves when the bytes are written or lost; bytes after {@link close} are lost. Never rejects. */
  write(stream: StreamName, bytes: Buffer): Promise<void> {
    return this.inTurn(async () => {
      if (!this.isClosed) await this.put(this.stateOf(stream), stream, bytes);
    });
  }

  /** Call after the last write. Never rejects. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      this.isClosed = true;
      for (const [stream, state] of this.streams) {
        await leave(state);
        // An empty segment, so that bytes lost at the end are counted.
        if (state.bytes > this.kept.endOf(stream)) await this.begin(state, stream).catch(() => undefined);
        await leave(state);
      }
    });
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.turn.then(step);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private stateOf(stream: StreamName): StreamState {
    const known = this.streams.get(stream);
    if (known !== undefined) return known;
    const state: StreamState = { bytes: 0, newlines: 0, writing: undefined };
    this.streams.set(stream, state);
    return state;
  }

  private async put(state: StreamState, stream: StreamName, bytes: Buffer): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.now() < this.restUntil) return this.lose(state, rest, this.lostBecause);
      const isFresh = state.writing === undefined;
      try {
        const taken = await this.putSome(state, stream, rest);
        rest = rest.subarray(taken);
      } catch (error) {
        await this.leaveBroken(state);
        if (!isFresh) continue;
        if (isDiskFull(error) && (await this.kept.shrink())) {
          this.isShrunk = true;
          continue;
        }
        this.restUntil = this.now() + RETRY_MS;
        return this.lose(state, rest, reasonOf(error));
      }
    }
  }

  /** @returns the number of bytes written, at least one @throws Error of the file system; then nothing was written */
  private async putSome(state: StreamState, stream: StreamName, bytes: Buffer): Promise<number> {
    const writing = (state.writing ??= await this.begin(state, stream));
    const piece = bytes.subarray(0, this.segmentBytes - writing.segment.bytes);
    await this.kept.makeRoom(piece.length);
    const { bytesWritten } = await writing.file.write(piece, 0, piece.length, writing.segment.bytes);
    if (bytesWritten === 0) throw new Error('nothing was written');
    this.kept.grow(writing.segment, bytesWritten);
    advance(state, piece.subarray(0, bytesWritten));
    if (writing.segment.bytes >= this.segmentBytes) await leave(state);
    return bytesWritten;
  }

  private async begin(state: StreamState, stream: StreamName): Promise<Writing> {
    const name = segmentName({ stream, start: state.bytes, newlinesBefore: state.newlines });
    const path = join(this.folder, name);
    const file = await this.open(path);
    state.writing = { segment: this.kept.add(stream, state.bytes, path), file };
    return state.writing;
  }

  private async open(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'w', 0o600);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await mkdir(this.folder, { mode: 0o700 });
      return open(path, 'w', 0o600);
    }
  }

  /** An empty file would block the next one with its name. */
  private async leaveBroken(state: StreamState): Promise<void> {
    const segment = state.writing?.segment;
    await leave(state);
    if (segment?.bytes === 0) await this.kept.drop(segment);
  }

  private lose(state: StreamState, bytes: Buffer, reason: string): void {
    advance(state, bytes);
    this.lostBytes += bytes.length;
    this.lostBecause = reason;
  }
}

function advance(state: StreamState, bytes: Buffer): void {
  state.bytes += bytes.length;
  state.newlines += countNewlines(bytes);
}

async function leave(state: StreamState): Promise<void> {
  const { writing } = state;
  if (writing === undefined) return;
  state.writing = undefined;
  writing.segment.isWritten = true;
  await writing.file.close().catch(() => undefined);
}

function reasonOf(error: unknown): string {
  if (isDiskFull(error)) return 'the disk is full';
  return `the disk reported ${errorCode(error) ?? String(error)}`;
}

/** Transfers the output of one process to disk. */
export interface Pump {
  /** Resolves when everything is stored, or lost with a reason in the store. Never rejects. */
  readonly drained: Promise<void>;
  /** Whether bytes were received since the last call. */
  hasMoved(): boolean;
  /** Stops reading. */
  stop(): void;
}

/** Stores the output of a process at the speed of the disk: a faster program has to wait. */
export function pumpOutput({ streams }: Pick<StartedProcess, 'streams'>, store: OutputStore): Pump {
  let moved = false;
  const pump = async ({ name, readable }: StartedProcess['streams'][number]) => {
    try {
      for await (const bytes of readable) {
        moved = true;
        await store.write(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      }
    } catch {
      // Stopped, or the pipe broke: everything received before is stored.
    }
  };
  return {
    drained: Promise.all(streams.map(pump)).then(() => undefined),
    hasMoved: () => {
      const result = moved;
      moved = false;
      return result;
    },
    stop: () => {
      for (const { readable } of streams) readable.destroy();
    },
  };
}
