/** Characters of a help text that are parsed. */
const LONGEST_TEXT = 400_000;

/** Longest line; longer ones are not help text. */
const LONGEST_LINE = 1000;

/** Most lines; the longest help of common programs has half as many. */
const MOST_LINES = 5000;

/** Most lines of one description. */
const MOST_BELOW = 60;

const TAB_STOP = 8;

/** Terminal sequences: colours and links. */
// oxlint-disable-next-line no-control-regex -- Matches control characters.
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

/** Overstruck letters, used for bold and underlined text. */
// oxlint-disable-next-line no-control-regex -- Matches the backspace.
const OVERSTRUCK = /.\u0008/g;

/** A help text as lines without terminal sequences and tabs. */
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

/** The heading in a line such as `Options:` or `CORE COMMANDS`. */
export function headingOf(line: string): string | undefined {
  const text = line.trim();
  if (indentOf(line) > 2 || text.startsWith('-')) return undefined;
  if (/^[A-Z][^.]{0,58}:$/.test(text) || /^[a-z][a-z ]{0,58}:$/.test(text)) return text.slice(0, -1);
  return indentOf(line) === 0 && /^[A-Z][A-Z ]{2,40}$/.test(text) ? text : undefined;
}

/**
 * The continuation of the line at `index`: the more deeply indented lines below it, up to an empty line.
 * @param least their minimum indentation; default more than the line's own
 * @param isNext whether a line begins another entry
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

/** A description in one line, shortened for tool lists. */
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
