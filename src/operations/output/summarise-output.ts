import type { OutputPart } from '../../ports/operations.ts';
import { findErrors, type Excerpt, type FoundErrors } from './find-errors.ts';
import { countThatFit, lineTokens, withinTokens } from './fit-tokens.ts';
import { counted, gapSentences, range } from './left-out.ts';
import type { OutputExtent } from './output-extent.ts';
import { shown, type OutputLine } from './output-lines.ts';
import { lastLines, lastThatFit } from './read-tail.ts';

/** Share of the tokens for errors; the rest is for the end of the output. */
const ERROR_SHARE = 0.6;
const ERRORS_HEAD = 'Lines that look like errors:';

/** A short output as a whole; otherwise the lines that look like errors, with numbers, and the end. @throws DeskterityError BUDGET_TOO_SMALL */
export async function summariseOutput(extent: OutputExtent, maxTokens: number): Promise<OutputPart> {
  const lines = await lastLines(extent, extent.totalLines, maxTokens);
  const facts = {
    next_cursor: extent.totalBytes,
    total_bytes: extent.totalBytes,
    total_lines: extent.totalLines,
  };
  const texts = lines.map(shown);
  const isAll = extent.gaps.length === 0 && (extent.totalLines === 0 || lines[0]?.number === 1);
  if (isAll && countThatFit(texts, maxTokens) === texts.length)
    return withinTokens(maxTokens, () => ({ text: texts.join('\n'), left_out: [], ...facts }));
  const errors = await findErrors(extent);
  return withinTokens(maxTokens, (tokens) => ({ ...excerpted(extent, errors, lines, tokens), ...facts }));
}

function excerpted(
  extent: OutputExtent,
  errors: FoundErrors,
  lines: readonly OutputLine[],
  tokens: number,
): Pick<OutputPart, 'text' | 'left_out'> {
  const chosen = chooseErrors(errors, Math.floor(tokens * ERROR_SHARE));
  const used = chosen.reduce((sum, row) => sum + lineTokens(row.text), chosen.length > 0 ? 10 : 0);
  const end = lastThatFit(lines, Math.max(0, tokens - used - 15));
  // Do not repeat lines of the end.
  const rows = chosen.filter(({ number }) => number < end.from);
  const shownErrors = rows.length > 0 ? [ERRORS_HEAD, ...withSeparators(rows)] : [];
  const head = `${rows.length > 0 ? '\n' : ''}End of the output, from line ${end.from}:`;
  const notShown = errors.more + countHidden(errors, chosen);
  const { totalBytes } = extent;
  return {
    text: [...shownErrors, head, ...end.texts].join('\n'),
    left_out: [
      ...(end.from > 1 ? [earlierSentence(end.from - 1, rows.length > 0)] : []),
      ...(end.isCut ? [`Line ${end.from} is longer than the limit; read it by its number.`] : []),
      ...(notShown > 0
        ? [
            `${counted(notShown, 'more place')} ${notShown === 1 ? 'looks like an error' : 'look like errors'}; search with a pattern.`,
          ]
        : []),
      ...(errors.stoppedAt < totalBytes
        ? [`The search for errors stopped at byte ${errors.stoppedAt}.`]
        : []),
      ...gapSentences(extent),
    ],
  };
}

function earlierSentence(last: number, hasErrors: boolean): string {
  const except = hasErrors ? ', except those above' : '';
  return `The ${range(1, last)} ${last === 1 ? 'is' : 'are'} not shown${except}; read them by line numbers, by pattern or with cursor 0.`;
}

interface Row {
  readonly number: number;
  readonly text: string;
  readonly excerpt: Excerpt;
}

/** The sure errors, or the likely ones if there are none, with as many lines as fit, in the order of the output. */
function chooseErrors({ sure, likely }: FoundErrors, tokens: number): readonly Row[] {
  const byNumber = new Map<number, Row>();
  let left = tokens;
  for (const excerpt of sure.length > 0 ? sure : likely) {
    for (const line of excerpt.lines) {
      if (byNumber.has(line.number)) continue;
      const row = { number: line.number, text: rowText(line, excerpt), excerpt };
      // One token for a separator.
      left -= lineTokens(row.text) + 1;
      if (left < 0) return inOrder(byNumber);
      byNumber.set(line.number, row);
    }
  }
  return inOrder(byNumber);
}

function rowText(line: OutputLine, { error, times }: Excerpt): string {
  const repeated = times > 1 && line === error ? ` (${times} times)` : '';
  return `${line.number}: ${shown(line)}${repeated}`;
}

function inOrder(rows: ReadonlyMap<number, Row>): readonly Row[] {
  return [...rows.values()].toSorted((a, b) => a.number - b.number);
}

function withSeparators(rows: readonly Row[]): string[] {
  return rows.flatMap(({ number, text }, index) => {
    const before = rows[index - 1];
    return before !== undefined && before.number + 1 < number ? ['--', text] : [text];
  });
}

/** Excerpts of which no line is shown. */
function countHidden({ sure, likely }: FoundErrors, rows: readonly Row[]): number {
  const shownOnes = new Set(rows.map(({ excerpt }) => excerpt));
  return (sure.length > 0 ? sure : likely).filter((excerpt) => !shownOnes.has(excerpt)).length;
}
