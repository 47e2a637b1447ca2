import type { OutputPart } from '../../ports/operations.ts';
import { beginningThatFits, lineTokens, withinTokens } from './fit-tokens.ts';
import { gapSentences, range } from './left-out.ts';
import { readBlocks } from './output-blocks.ts';
import type { OutputExtent } from './output-extent.ts';
import { joinPieces, linesOf, shown, type OutputLine } from './output-lines.ts';

/** How far to look back for the last lines, in bytes: at first, and at most. */
const LOOK_BACK = { first: 256 * 1024, most: 8 * 1024 * 1024 };

/** The last lines, as many as the tokens allow. @throws DeskterityError BUDGET_TOO_SMALL */
export async function readTail(extent: OutputExtent, count: number, maxTokens: number): Promise<OutputPart> {
  const { totalBytes, totalLines } = extent;
  const lines = await lastLines(extent, count, maxTokens);
  const first = Math.max(1, totalLines - count + 1);
  const gaps = extent.gaps.filter((gap) => gap.lastLine >= first);
  return withinTokens(maxTokens, (tokens) => {
    const { texts, from, isCut } = lastThatFit(lines, tokens);
    const before = totalLines > 0 && from > first ? [earlierSentence(first, from - 1, lines)] : [];
    return {
      text: texts.join('\n'),
      left_out: [
        ...gapSentences({ gaps }),
        ...before,
        ...(isCut ? [`Line ${from} is longer than the limit; read it by its number.`] : []),
      ],
      next_cursor: totalBytes,
      total_bytes: totalBytes,
      total_lines: totalLines,
    };
  });
}

function earlierSentence(first: number, last: number, lines: readonly OutputLine[]): string {
  const start = lines.find(({ number }) => number > last)?.byte;
  const by =
    start === undefined || start === 0
      ? ''
      : `, the beginning with head, or parts from a cursor below ${start}`;
  return `The beginning is left out: ${range(first, last)} did not fit. Read them by number${by}.`;
}

/** At most the last `count` lines, and one more than the tokens allow; only lines after the last gap. */
export async function lastLines(
  extent: OutputExtent,
  count: number,
  maxTokens: number,
): Promise<readonly OutputLine[]> {
  const first = Math.max(1, extent.totalLines - count + 1);
  for (let back = LOOK_BACK.first; ; back *= 4) {
    const from = Math.max(0, extent.totalBytes - back);
    const lines = await linesFrom(extent, from, first);
    const fromEnd = affordable(lines, maxTokens);
    const isAll = from === 0 || (lines[0]?.number ?? first) < first;
    if (fromEnd < lines.length || isAll || back >= LOOK_BACK.most)
      return lines.slice(-fromEnd).filter(({ number }) => number >= first);
  }
}

/** The lines after the last gap, including one before `first` if there is one. */
async function linesFrom(extent: OutputExtent, from: number, first: number): Promise<OutputLine[]> {
  let lines: OutputLine[] = [];
  let end = from;
  for await (const block of readBlocks(extent.segments, from)) {
    if (block.start !== end) lines = [];
    end = block.start + block.bytes.length;
    for (const line of linesOf(block)) if (line.number >= first - 1) lines.push(line);
  }
  const joined = joinPieces(lines);
  // Reading may have started inside the first line.
  return joined[0]?.isContinued === true && joined.length > 1 ? joined.slice(1) : joined;
}

/** How many lines from the end fit the tokens, plus one. */
function affordable(lines: readonly OutputLine[], maxTokens: number): number {
  let tokens = 0;
  for (let count = 1; count <= lines.length; count += 1) {
    tokens += lineTokens(lines[lines.length - count]?.text ?? '');
    if (tokens > maxTokens) return count;
  }
  return lines.length;
}

export interface LastThatFit {
  readonly texts: readonly string[];
  /** Number of the first one; after the last line if none fits. */
  readonly from: number;
  /** Only part of a single line fits. */
  readonly isCut: boolean;
}

/** The last lines that fit the tokens; if not even one does, the start of the last line. */
export function lastThatFit(lines: readonly OutputLine[], tokens: number): LastThatFit {
  const texts: string[] = [];
  let left = tokens;
  for (const line of lines.toReversed()) {
    const text = shown(line);
    left -= lineTokens(text);
    if (left < 0 && texts.length === 0)
      return { texts: [beginningThatFits(text, tokens)], from: line.number, isCut: true };
    if (left < 0) break;
    texts.unshift(text);
  }
  const last = lines.at(-1)?.number ?? 0;
  return { texts, from: last - texts.length + 1, isCut: false };
}
