/** Most characters of a help text that are looked at. */
const LONGEST_TEXT = 400_000;

/** Longest line; what is longer is no help for people. */
const LONGEST_LINE = 1000;

/** Most lines; the longest help of common programs has half of that. */
const MOST_LINES = 5000;

/** Most lines of one description. */
const MOST_BELOW = 60;

const TAB_STOP = 8;

/** Terminal sequences: colours and links. */
// oxlint-disable-next-line no-control-regex -- These are what is taken out.
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

/** Bold and underlined letters as printers make them: a letter over another. */
// oxlint-disable-next-line no-control-regex -- The backspace is what is looked for.
const OVERSTRUCK = /.\u0008/g;

/** What a program said about itself, as lines without terminal sequences and tabs. */
export function helpLines(text: string): string[] {
  return text
    .slice(0, LONGEST_TEXT)
    .replaceAll(ESCAPES, '')
    .replaceAll(OVERSTRUCK, '')
    .split(/\r?\n/, MOST_LINES)
    .map((line) => expandTabs(line.slice(0, LONGEST_LINE)).trimEnd());
}

/** Spaces before the first other character. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line that says what follows: `Options:`, `CORE COMMANDS`. */
export function headingOf(line: string): string | undefined {
  const text = line.trim();
  if (indentOf(line) > 2 || text.startsWith('-')) return undefined;
  if (/^[A-Z][^.]{0,58}:$/.test(text) || /^[a-z][a-z ]{0,58}:$/.test(text)) return text.slice(0, -1);
  return indentOf(line) === 0 && /^[A-Z][A-Z ]{2,40}$/.test(text) ? text : undefined;
}

/**
 * The lines that belong to the line at `index`: those below it that are further in, up to an empty line.
 * @param least how far in they are at least; more than the line itself where not given
 * @param isNext whether a line begins something else
 */
export function linesBelow(
  lines: readonly string[],
  index: number,
  least = indentOf(lines[index] ?? '') + 1,
  isNext: (line: string) => boolean = () => false,
): string[] {
  const below: string[] = [];
  for (let at = index + 1; at <= index + MOST_BELOW; at++) {
    const line = lines[at] ?? '';
    if (line === '' || indentOf(line) < least || isNext(line)) break;
    below.push(line.trim());
  }
  return below;
}

/** A description in one line, of a length that a reader of tool lists takes. */
export function oneLine(parts: readonly string[]): string {
  const text = parts.join(' ').replaceAll(/\s+/g, ' ').trim();
  if (text.length <= LONGEST_DESCRIPTION) return text;
  const sentence = text.slice(0, LONGEST_DESCRIPTION).lastIndexOf('. ');
  return sentence > LONGEST_DESCRIPTION / 3
    ? text.slice(0, sentence + 1)
    : `${text.slice(0, text.lastIndexOf(' ', LONGEST_DESCRIPTION))}…`;
}

const LONGEST_DESCRIPTION = 300;

function expandTabs(line: string): string {
  let out = '';
  for (const part of line.split(/(\t)/))
    out += part === '\t' ? ' '.repeat(TAB_STOP - (out.length % TAB_STOP)) : part;
  return out;
}
