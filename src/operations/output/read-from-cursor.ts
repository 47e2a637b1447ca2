import { DeskterityError } from '../../model/effects/errors.ts';
import type { OutputPart } from '../../ports/operations.ts';
import { cleanCut, visibleText } from './clean-output.ts';
import { unfinishedBytes } from './decode-bytes.ts';
import { estimateTokens } from '../../model/tree/tokens/estimate-tokens.ts';
import { largestThatFits, withinTokens } from './fit-tokens.ts';
import { readBlocks } from './output-blocks.ts';
import type { OutputExtent } from './output-extent.ts';

const NEWLINE = 10;
/** Longest part of one line that is shown at once. */
const LONGEST_PIECE = 64 * 1024;

/** A line or part of one, as written and as shown. */
interface Piece {
  readonly end: number;
  readonly text: string;
  readonly bytes: Buffer;
}

export interface CursorQuery {
  readonly cursor: number;
  readonly maxTokens: number;
  readonly mostLines?: number | undefined;
  readonly mostBytes?: number | undefined;
  /** Nothing more will follow, so incomplete characters are shown too. */
  readonly isComplete: boolean;
}

/**
 * The output from a byte on, up to the token limit or the next gap, after which the next call continues. Calls that follow `next_cursor` return
 * the whole output without overlaps.
 * @throws DeskterityError INVALID_ARGUMENT, BUDGET_TOO_SMALL
 */
export async function readFromCursor(extent: OutputExtent, query: CursorQuery): Promise<OutputPart> {
  const { totalBytes, totalLines } = extent;
  const { cursor, maxTokens } = query;
  if (cursor > totalBytes) throw beyond(cursor, totalBytes);
  const { pieces, start } = await gather(extent, query);
  const wanted = beginning(pieces, query);
  return withinTokens(maxTokens, (tokens) => {
    const chosen = fitting(wanted, tokens);
    const next = chosen.at(-1)?.end ?? start;
    return {
      text: chosen.map(({ text }) => text).join(''),
      left_out: [
        ...(start > cursor ? [`Bytes ${cursor} to ${start} were not kept.`] : []),
        ...(next < totalBytes
          ? [`The end is left out, ${totalBytes - next} more bytes; continue with cursor ${next}.`]
          : []),
      ],
      next_cursor: next,
      total_bytes: totalBytes,
      total_lines: totalLines,
    };
  });
}

/** The pieces up to the requested number of lines and bytes; the last one may be cut. */
function beginning(
  pieces: readonly Piece[],
  { mostLines = Infinity, mostBytes = Infinity }: CursorQuery,
): readonly Piece[] {
  const chosen: Piece[] = [];
  let [lines, left] = [0, mostBytes];
  for (const piece of pieces) {
    if (lines >= mostLines || left <= 0) break;
    const { bytes, end } = piece;
    if (bytes.length > left) {
      const part = bytes.subarray(0, cleanCut(bytes, left));
      if (part.length > 0)
        chosen.push({ bytes: part, end: end - bytes.length + part.length, text: visibleText(part) });
      break;
    }
    chosen.push(piece);
    left -= bytes.length;
    if (bytes.at(-1) === NEWLINE) lines += 1;
  }
  return chosen;
}

/** Contiguous pieces, slightly more than the tokens allow; `start` is the byte of the first piece. */
async function gather(
  extent: OutputExtent,
  { cursor, maxTokens, isComplete }: CursorQuery,
): Promise<{ readonly pieces: readonly Piece[]; readonly start: number }> {
  const pieces: Piece[] = [];
  let start: number | undefined;
  let end = cursor;
  let tokens = 0;
  for await (const block of readBlocks(extent.segments, cursor)) {
    if (start === undefined) start = end = block.start;
    if (block.start !== end) break;
    const isLast = block.start + block.bytes.length >= extent.totalBytes;
    for (const bytes of piecesOf(block.bytes, isLast && !isComplete)) {
      const text = visibleText(bytes);
      end += bytes.length;
      pieces.push({ end, text, bytes });
      tokens += estimateTokens(text);
      if (tokens > maxTokens) return { pieces, start };
    }
  }
  // If the end of the output was dropped, continue at its end.
  return { pieces, start: start ?? extent.totalBytes };
}

/** Lines with their line ends, long ones in pieces. @param isOpen leave incomplete characters and control sequences for later */
function* piecesOf(bytes: Buffer, isOpen: boolean): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, at);
    const line = bytes.subarray(at, newline === -1 ? bytes.length : newline + 1);
    const isCut = line.length > LONGEST_PIECE;
    const length =
      isCut || (newline === -1 && isOpen)
        ? cleanCut(line, Math.min(line.length, LONGEST_PIECE))
        : line.length;
    if (length === 0) return;
    yield line.subarray(0, length);
    at += length;
  }
}

/** The pieces that fit the tokens; if not even the first does, part of it. */
function fitting(pieces: readonly Piece[], tokens: number): readonly Piece[] {
  let left = tokens;
  for (const [index, piece] of pieces.entries()) {
    left -= estimateTokens(piece.text);
    if (left >= 0) continue;
    return index === 0 ? beginningOf(piece, tokens) : pieces.slice(0, index);
  }
  return pieces;
}

function beginningOf(piece: Piece, tokens: number): Piece[] {
  const { bytes } = piece;
  const clean = longestPart(piece, tokens, (most) => cleanCut(bytes, most));
  if (clean.length > 0) return clean;
  // An incomplete control sequence may never end, so skip past it.
  return longestPart(piece, tokens, (most) => most - unfinishedBytes(bytes.subarray(0, most)));
}

function longestPart({ bytes, end }: Piece, tokens: number, cutOf: (most: number) => number): Piece[] {
  const partOf = (most: number) => bytes.subarray(0, cutOf(most));
  const most = largestThatFits(bytes.length, (length) => {
    return estimateTokens(visibleText(partOf(length))) <= tokens;
  });
  const part = partOf(most);
  if (part.length === 0) return [];
  return [{ bytes: part, end: end - bytes.length + part.length, text: visibleText(part) }];
}

function beyond(cursor: number, totalBytes: number): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `Cursor ${cursor} is beyond the end of the output.`, {
    suggestion: `Pass one between 0 and ${totalBytes}, such as the next_cursor of an earlier answer.`,
  });
}
