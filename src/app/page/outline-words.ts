import { isInteractive, ROLES } from '../../model/tree/role.ts';
import type { Span, Tone } from '../../model/text/page.ts';

/** What a line of an outline can consist of; a quoted text ends where `quote` ended it. */
const TOKEN = /"(?:[^"\\]|\\.)*"|@[ewt]\d+\+?|\[-?\d+,-?\d+ \d+x\d+\]|[^\s"]+|\s+/gu;

const SIGNS: Readonly<Record<string, Tone>> = { '+': 'good', '-': 'bad', '~': 'doubtful' };

const WORDS: Readonly<Record<string, Tone>> = {
  confirmed: 'good',
  already: 'good',
  unverified: 'doubtful',
  partial: 'bad',
  no_op: 'bad',
  failed: 'bad',
  focused: 'strong',
  disabled: 'quiet',
};

/** The words of one line of an outline, without its indentation. */
export function outlineWords(line: string): readonly Span[] {
  // A row of a terminal is its text.
  if (line.startsWith('| ')) return [{ text: '| ', tone: 'quiet' }, { text: line.slice(2) }];
  const spans: Span[] = [];
  let isValue = false;
  // Where an element's role can stand; elsewhere the same word is prose.
  let isStart = true;
  for (const text of line.match(TOKEN) ?? []) {
    const tone = toneOf(text, isStart, isValue);
    spans.push({ text, tone });
    isValue = text.endsWith('=');
    isStart &&= text.trim() === '' || SIGNS[text] !== undefined;
  }
  return spans;
}

function toneOf(text: string, isStart: boolean, isValue: boolean): Tone | undefined {
  if (text.startsWith('"')) return isValue ? 'value' : 'name';
  if (text.startsWith('@')) return 'reference';
  if (/^\[-?\d/.test(text)) return 'quiet';
  const word = text.replace(/[:,]$/, '');
  if (!isStart) return WORDS[word];
  const role = ROLES.find((one) => one === text);
  if (role !== undefined) return isInteractive(role) ? 'role' : 'quiet';
  return SIGNS[text] ?? WORDS[word];
}
