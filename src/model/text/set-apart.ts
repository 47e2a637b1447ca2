const LINE_BREAK = /\r\n|[\n\u0085\u2028\u2029]/u;

/** The mark at the beginning of each line of a program's output, in an outline. */
const MARK = '| ';

/** Text of other programs among lines of ours: each of its lines begins with a mark, so that none can be taken for one of ours. */
export function setApart(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => `${MARK}${line}`.trimEnd())
    .join('\n');
}

/** A text of ours in which the output of a program is repeated as it is: there it is set apart. */
export function setApartIn(text: string, output: string): string {
  const repeated = output.trim() === '' ? -1 : placeOf(text, output);
  if (repeated < 0) return text;
  const before = text.slice(0, repeated);
  const after = text.slice(repeated + output.length);
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  const isEnded = output.endsWith('\n');
  const end = after === '' || isEnded || after.startsWith('\n') ? after : `\n${after}`;
  return `${start}${setApart(isEnded ? output.slice(0, -1) : output)}${isEnded ? '\n' : ''}${end}`;
}

/** Where lines of the text are the output; else, where it is at all if it has several lines, of which the later ones would pass for ours. */
function placeOf(text: string, output: string): number {
  for (let at = text.indexOf(output); at >= 0; at = text.indexOf(output, at + 1)) {
    const end = at + output.length;
    const isEnd = end === text.length || text[end] === '\n' || output.endsWith('\n');
    if (isEnd && (at === 0 || text[at - 1] === '\n')) return at;
  }
  return LINE_BREAK.test(output.trimEnd()) ? text.indexOf(output) : -1;
}
