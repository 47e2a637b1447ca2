import { open } from 'node:fs/promises';
import { cleanCut } from './clean-output.ts';
import { countNewlines } from './decode-bytes.ts';
import type { Segment } from './output-segments.ts';

const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Contiguous lines of an output, as they were written. */
export interface Block {
  /** Bytes of the stream before it. */
  readonly start: number;
  /** Number of the line that contains its first byte, from 1. */
  readonly firstLine: number;
  /** Its first byte is the first of a line. */
  readonly beginsLine: boolean;
  readonly bytes: Buffer;
}

/**
 * The kept output from byte `from` on. Blocks end at line ends, except in lines longer than a block, at gaps, and at an unfinished last line. A
 * segment that is dropped while reading is a gap like any other.
 */
export async function* readBlocks(segments: readonly Segment[], from: number): AsyncGenerator<Block> {
  let held: Block | undefined;
  for await (const piece of readPieces(segments, from)) {
    if (held !== undefined && endOf(held) !== piece.start) {
      yield held;
      held = undefined;
    }
    const whole: Block =
      held === undefined ? piece : { ...held, bytes: Buffer.concat([held.bytes, piece.bytes]) };
    const cut = blockEnd(whole.bytes);
    const [block, rest] = split(whole, cut);
    if (block !== undefined) yield block;
    held = rest;
  }
  if (held !== undefined) yield held;
}

function endOf(block: Block): number {
  return block.start + block.bytes.length;
}

/** The end of a block: after its last line, or inside a line that is too long. */
function blockEnd(bytes: Buffer): number {
  const newline = bytes.lastIndexOf(NEWLINE);
  if (newline !== -1) return newline + 1;
  return bytes.length >= BLOCK_BYTES ? cleanCut(bytes, bytes.length) || bytes.length : 0;
}

function split(whole: Block, at: number): [Block | undefined, Block | undefined] {
  if (at === 0) return [undefined, whole];
  const bytes = whole.bytes.subarray(0, at);
  const rest = whole.bytes.subarray(at);
  const first = { ...whole, bytes };
  if (rest.length === 0) return [first, undefined];
  const beginsLine = bytes[at - 1] === NEWLINE;
  const firstLine = whole.firstLine + countNewlines(bytes);
  return [first, { start: whole.start + at, firstLine, beginsLine, bytes: rest }];
}

/** The same in pieces as read from disk. */
async function* readPieces(segments: readonly Segment[], from: number): AsyncGenerator<Block> {
  let before = { end: 0, endsLine: true };
  for (const segment of segments) {
    const end = segment.start + segment.bytes;
    // The previous segment determines whether `from` begins a line.
    if (end < from || segment.bytes === 0) continue;
    let beginsLine = before.end === segment.start && before.endsLine;
    let line = segment.newlinesBefore + 1;
    for await (const { start, bytes } of readSegment(segment)) {
      const skipped = bytes.subarray(0, Math.max(0, from - start));
      if (skipped.length > 0) beginsLine = skipped.at(-1) === NEWLINE;
      line += countNewlines(skipped);
      const wanted = bytes.subarray(skipped.length);
      if (wanted.length > 0)
        yield { start: start + skipped.length, firstLine: line, beginsLine, bytes: wanted };
      line += countNewlines(wanted);
      if (bytes.length > 0) beginsLine = bytes.at(-1) === NEWLINE;
      before = { end: start + bytes.length, endsLine: beginsLine };
    }
  }
}

async function* readSegment(
  segment: Segment,
): AsyncGenerator<{ readonly start: number; readonly bytes: Buffer }> {
  const file = await open(segment.path, 'r').catch(() => undefined);
  if (file === undefined) return;
  try {
    for (let done = 0; done < segment.bytes;) {
      const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, segment.bytes - done));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, done);
      if (bytesRead === 0) return;
      yield { start: segment.start + done, bytes: buffer.subarray(0, bytesRead) };
      done += bytesRead;
    }
  } finally {
    await file.close();
  }
}
