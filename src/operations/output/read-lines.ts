import { DeskterityError } from '../../model/effects/errors.ts';
import type { OutputPart } from '../../ports/operations.ts';
import { beginningThatFits, countThatFit, lineTokens, withinTokens } from './fit-tokens.ts';
import { gapSentences, range } from './left-out.ts';
import { readBlocks } from './output-blocks.ts';
import type { OutputExtent } from './output-extent.ts';
import { joinPieces, linesOf, shown, type OutputLine } from './output-lines.ts';

/** Line numbers from 1, inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Lines by number, from the first one up to the token limit.
 * @throws DeskterityError INVALID_ARGUMENT, BUDGET_TOO_SMALL
 */
export async function readLines(
  extent: OutputExtent,
  wanted: LineRange,
  maxTokens: number,
): Promise<OutputPart> {
  const { totalLines, totalBytes } = extent;
  const { first } = wanted;
  const last = Math.min(wanted.last, totalLines);
  checkRange(wanted, totalLines);
  const gathered = await gather(extent, first, last, maxTokens);
  const lines = gathered.filter(({ number }) => number <= last);
  const texts = lines.map(shown);
  const gaps = extent.gaps.filter((gap) => gap.lastLine >= first && gap.firstLine <= last);
  return withinTokens(maxTokens, (tokens) => {
    const count = countThatFit(texts, tokens);
    const next = gathered[count];
    const cut = count === 0 && texts[0] !== undefined ? beginningThatFits(texts[0], tokens) : undefined;
    const unread = next !== undefined && next.number <= last ? next : undefined;
    return {
      text: cut ?? texts.slice(0, count).join('\n'),
      left_out: [
        ...gapSentences({ gaps }),
        ...(unread === undefined ? [] : [unreadSentence(unread, last, cut !== undefined)]),
      ],
      next_cursor: next?.byte ?? totalBytes,
      total_bytes: totalBytes,
      total_lines: totalLines,
    };
  });
}

function unreadSentence({ number, byte }: OutputLine, last: number, isCut: boolean): string {
  return isCut
    ? `Line ${number} is longer than the limit; read it with cursor ${byte}.`
    : `The ${range(number, last)} did not fit; continue with cursor ${byte} or read them by number.`;
}

/** The lines and the one after them, until they exceed the tokens. */
async function gather(
  extent: OutputExtent,
  first: number,
  last: number,
  maxTokens: number,
): Promise<readonly OutputLine[]> {
  const lines: OutputLine[] = [];
  let tokens = 0;
  for await (const block of readBlocks(extent.segments, seek(extent, first))) {
    for (const line of linesOf(block)) {
      if (line.number < first) continue;
      lines.push(line);
      tokens += lineTokens(line.text);
      if (line.number > last || tokens > 2 * maxTokens) return joinPieces(lines);
    }
  }
  return joinPieces(lines);
}

/** A position at most one segment before a line. */
function seek({ segments }: OutputExtent, line: number): number {
  // The line starts after the previous line end, which may be the last byte of a segment.
  const holder = segments.findLast(({ newlinesBefore }) => newlinesBefore < line - 1);
  return holder?.start ?? 0;
}

function checkRange({ first, last }: LineRange, totalLines: number): void {
  if (first >= 1 && last >= first && first <= Math.max(totalLines, 1)) return;
  throw new DeskterityError('INVALID_ARGUMENT', `The output has no lines ${first} to ${last}.`, {
    suggestion:
      totalLines === 0
        ? 'There is no output yet.'
        : `Pass numbers between 1 and ${totalLines}, the smaller one first.`,
  });
}
