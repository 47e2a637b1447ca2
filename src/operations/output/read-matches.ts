import { clip } from '../../model/text/untrusted-text.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { OutputPart } from '../../ports/operations.ts';
import { countThatFit, withinTokens } from './fit-tokens.ts';
import { counted, gapSentences } from './left-out.ts';
import { readBlocks } from './output-blocks.ts';
import type { OutputExtent } from './output-extent.ts';
import { linesOf, shown, type OutputLine } from './output-lines.ts';
import { PatternSearch, SearchTimeout } from './pattern-search.ts';

/** For searching a whole output, in milliseconds. */
const SEARCH_LIMIT_MS = 5000;
/** Characters shown of each line. */
const LONGEST_SHOWN = 500;
const MOST_CONTEXT = 50;

export interface MatchQuery {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Lines before and after each match. */
  readonly context: number;
  /** Byte to start at. */
  readonly cursor: number;
  readonly maxTokens: number;
  readonly limitMs?: number | undefined;
}

/** A printed line. */
interface Row {
  readonly line: OutputLine;
  readonly isMatch: boolean;
  /** Lines before it are omitted. */
  readonly isApart: boolean;
}

/**
 * Lines that match a regular expression, with context: `12:` before a match, `12-` before other lines, `--` between groups. Control sequences are
 * removed before the search.
 * @throws DeskterityError INVALID_ARGUMENT for an invalid pattern, TIMEOUT if it takes too long, BUDGET_TOO_SMALL
 */
export async function readMatches(extent: OutputExtent, query: MatchQuery): Promise<OutputPart> {
  const { maxTokens, pattern } = query;
  const found = await search(extent, query);
  const { rows, matches } = found;
  return withinTokens(maxTokens, (tokens) => {
    const texts = rows.map(printed);
    const shownRows = withoutLooseEnd(rows, countThatFit(texts, tokens));
    const shownMatches = rows.slice(0, shownRows).filter(({ isMatch }) => isMatch).length;
    const next = rows.slice(shownRows).find(({ isMatch }) => isMatch)?.line.byte ?? found.stoppedAt;
    return {
      text: texts.slice(0, shownRows).join('\n'),
      left_out: [
        ...(matches === 0 ? [`No line matches ${clip(pattern, 100)}.`] : []),
        ...(matches > shownMatches
          ? [`${counted(matches - shownMatches, 'more line')} with a match; continue with cursor ${next}.`]
          : []),
        ...(found.stoppedAt < extent.totalBytes
          ? [`The search stopped at its time limit, at byte ${found.stoppedAt}; continue with that cursor.`]
          : []),
        ...gapSentences(extent, query.cursor),
      ],
      next_cursor: next,
      total_bytes: extent.totalBytes,
      total_lines: extent.totalLines,
    };
  });
}

interface Found {
  /** Matches with their context, as many as could be shown. */
  readonly rows: readonly Row[];
  /** Number of all matches. */
  readonly matches: number;
  /** Byte up to which the output was searched. */
  readonly stoppedAt: number;
}

async function search(extent: OutputExtent, query: MatchQuery): Promise<Found> {
  const { pattern, ignoreCase, cursor, maxTokens, limitMs = SEARCH_LIMIT_MS } = query;
  const thread = new PatternSearch(pattern, ignoreCase, limitMs);
  const rows = new Rows(Math.min(query.context, MOST_CONTEXT), maxTokens);
  let stoppedAt = cursor;
  try {
    for await (const block of readBlocks(extent.segments, cursor)) {
      const lines = linesOf(block);
      rows.add(lines, new Set(await thread.matching(lines.map(({ text }) => text))));
      stoppedAt = block.start + block.bytes.length;
    }
    return { rows: rows.kept, matches: rows.matches, stoppedAt: extent.totalBytes };
  } catch (error) {
    if (!(error instanceof SearchTimeout)) throw error;
    if (stoppedAt === cursor) throw tooSlow(limitMs);
    return { rows: rows.kept, matches: rows.matches, stoppedAt };
  } finally {
    await thread.close();
  }
}

/** Collects matches and their context from lines in order. */
class Rows {
  readonly kept: Row[] = [];
  matches = 0;
  private readonly context: number;
  private readonly most: number;
  private before: OutputLine[] = [];
  private after = 0;
  private lastKept = 0;

  constructor(context: number, most: number) {
    this.context = context;
    // Each line costs at least one token.
    this.most = most;
  }

  add(lines: readonly OutputLine[], matching: ReadonlySet<number>): void {
    for (const [index, line] of lines.entries()) {
      if (matching.has(index)) {
        this.matches += 1;
        for (const earlier of this.before) this.keep(earlier, false);
        this.before = [];
        this.keep(line, true);
        this.after = this.context;
      } else if (this.after > 0) {
        this.after -= 1;
        this.keep(line, false);
      } else if (this.context > 0) {
        this.before.push(line);
        if (this.before.length > this.context) this.before.shift();
      }
    }
  }

  private keep(line: OutputLine, isMatch: boolean): void {
    if (this.kept.length >= this.most) return;
    const isApart = this.context > 0 && this.kept.length > 0 && line.number > this.lastKept + 1;
    this.kept.push({ line: { ...line, text: clip(line.text, LONGEST_SHOWN) }, isMatch, isApart });
    this.lastKept = line.number;
  }
}

function printed({ line, isMatch, isApart }: Row): string {
  return `${isApart ? '--\n' : ''}${line.number}${isMatch ? ':' : '-'} ${shown(line)}`;
}

/** Without context lines at the end whose match is not shown. */
function withoutLooseEnd(rows: readonly Row[], count: number): number {
  if (count === rows.length) return count;
  const last = rows.slice(0, count).findLastIndex(({ isMatch }) => isMatch);
  return last + 1;
}

function tooSlow(limitMs: number): DeskterityError {
  return new DeskterityError(
    'TIMEOUT',
    `The pattern took longer than ${limitMs} ms on one part of the output.`,
    {
      suggestion: 'Use a pattern without nested repetitions such as (a+)+, or read by line numbers.',
    },
  );
}
