import type { Span } from '../../model/text/page.ts';
import { textWidth } from '../../model/text/text-width.ts';

/** Below this, lines would be a column of single words. */
const LEAST_COLUMNS = 8;

/**
 * Breaks a line at blanks so that each part fits, if possible: a word that is too long stays whole, so that a path or a reference can be
 * copied.
 */
export function wrapped(
  spans: readonly Span[],
  firstColumns: number,
  restColumns: number,
): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  let width = 0;
  let limit = Math.max(firstColumns, LEAST_COLUMNS);
  for (const word of wordsOf(spans)) {
    const columns = word.reduce((sum, { text }) => sum + textWidth(text), 0);
    const isBlank = word.every(({ text }) => /^ *$/.test(text));
    if (width > 0 && width + columns > limit && !isBlank) {
      dropBlankEnd(lines.at(-1));
      lines.push([]);
      width = 0;
      limit = Math.max(restColumns, LEAST_COLUMNS);
    }
    // A line that was broken does not begin with the blank where it was broken; the first one may be indented.
    if (isBlank && width === 0 && lines.length > 1) continue;
    lines.at(-1)?.push(...word);
    width += columns;
  }
  dropBlankEnd(lines.at(-1));
  return lines;
}

/** A blank at the end of a full line would be one column too many. */
function dropBlankEnd(line: Span[] = []): void {
  const lastWord = line.findLastIndex(({ text }) => !/^ *$/.test(text));
  if (lastWord !== -1) line.splice(lastWord + 1);
}

/** Blanks and words, in order; a word can consist of several spans. */
function wordsOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const words: Span[][] = [];
  let isOpen = false;
  for (const { text, tone } of spans) {
    for (const part of text.split(/( +)/)) {
      if (part === '') continue;
      const isWord = !part.startsWith(' ');
      if (isWord && isOpen) words.at(-1)?.push({ text: part, tone });
      else words.push([{ text: part, tone }]);
      isOpen = isWord;
    }
  }
  return words;
}
