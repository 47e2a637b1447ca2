import { spansOf, type Block, type Page, type Span, type Words } from '../../model/text/page.ts';
import { reveal, revealLines } from '../../model/text/untrusted-text.ts';
import { outlineWords } from './outline-words.ts';
import { printTable } from './print-table.ts';
import { paint, toAscii, type ScreenStyle } from './screen-style.ts';
import { wrapped } from './wrap.ts';

/** A page as text for a terminal; ends with a newline unless it is empty. No text in it can control the terminal. */
export function printPage(page: Page, style: ScreenStyle): string {
  const lines = page.flatMap((block) => printBlock(block, style));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function printBlock(block: Block, style: ScreenStyle): readonly string[] {
  switch (block.kind) {
    case 'table':
      return printTable(block, (words) => visible(words, style), style);
    case 'outline':
      return linesOf(block.text).flatMap((text) => printOutlineLine(text, style));
    case 'verbatim':
      return linesOf(revealLines(block.text));
    case 'line':
    default: {
      const spans = visible(block.words, style);
      if (block.isWhole === true) return [' '.repeat(block.indent) + paint(spans, style)];
      return printWrapped(spans, { first: block.indent, rest: block.indent + 2 }, style);
    }
  }
}

/** Continuations of an element's line are indented deeper than its children, so that they are not mistaken for elements. */
function printOutlineLine(text: string, style: ScreenStyle): readonly string[] {
  const indent = text.length - text.trimStart().length;
  const spans = visible(outlineWords(text.slice(indent)), style);
  return printWrapped(spans, { first: indent, rest: indent + 4 }, style);
}

function printWrapped(
  spans: readonly Span[],
  indents: { readonly first: number; readonly rest: number },
  style: ScreenStyle,
): readonly string[] {
  return wrapped(spans, style.width - indents.first, style.width - indents.rest).map(
    (line, index) => ' '.repeat(index === 0 ? indents.first : indents.rest) + paint(line, style),
  );
}

/** Nothing in a word can control the terminal, reorder text or hide. */
function visible(words: Words, { isAscii }: ScreenStyle): readonly Span[] {
  return spansOf(words).map(({ text, tone }) => ({
    text: reveal(isAscii ? toAscii(text) : text),
    tone,
  }));
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n+$/, '').split('\n');
}
