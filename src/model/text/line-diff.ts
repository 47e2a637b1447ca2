/** One line of a comparison; numbers count from 1. */
interface Row {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The largest table that is computed; for longer texts, all lines between the first and last change count as changed. */
const MOST_CELLS = 1_000_000;

/**
 * The difference of two texts in unified format, without file headers; empty if they are equal.
 * @param show formats a line
 * @param context unchanged lines around each change
 */
export function lineDiff(
  before: string,
  after: string,
  { context, show }: { readonly context: number; readonly show: (line: string) => string },
): string {
  if (before === after) return '';
  const rows = compare(linesOf(before), linesOf(after));
  const changed = rows.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  const printed: string[] = [];
  let done = 0;
  for (const [index, first] of changed.entries()) {
    if (first < done) continue;
    const start = Math.max(done, first - context);
    let last = first;
    for (const at of changed.slice(index)) if (at - last <= 2 * context) last = at;
    const end = Math.min(rows.length, last + context + 1);
    printed.push(
      head(rows, start, end),
      ...rows.slice(start, end).map(({ mark, text }) => mark + show(text)),
    );
    done = end;
  }
  return printed.join('\n');
}

function head(rows: readonly Row[], start: number, end: number): string {
  const range = (without: Row['mark']) => {
    const count = (part: readonly Row[]) => part.filter(({ mark }) => mark !== without).length;
    const length = count(rows.slice(start, end));
    return `${count(rows.slice(0, start)) + (length === 0 ? 0 : 1)},${length}`;
  };
  return `@@ -${range('+')} +${range('-')} @@`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function compare(before: readonly string[], after: readonly string[]): readonly Row[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top += 1;
  let bottom = 0;
  while (bottom < shorter - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom += 1;
  const same = (lines: readonly string[]): Row[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...same(before.slice(0, top)),
    ...longestCommon(before.slice(top, before.length - bottom), after.slice(top, after.length - bottom)),
    ...same(before.slice(before.length - bottom)),
  ];
}

function longestCommon(before: readonly string[], after: readonly string[]): readonly Row[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MOST_CELLS) return [...marked('-', before), ...marked('+', after)];
  const table = new Uint32Array((before.length + 1) * width);
  const cell = (a: number, b: number) => table[a * width + b] ?? 0;
  for (let a = before.length - 1; a >= 0; a -= 1)
    for (let b = after.length - 1; b >= 0; b -= 1)
      table[a * width + b] =
        before[a] === after[b] ? cell(a + 1, b + 1) + 1 : Math.max(cell(a + 1, b), cell(a, b + 1));
  const rows: Row[] = [];
  let a = 0;
  let b = 0;
  while (a < before.length && b < after.length) {
    const text = before[a] ?? '';
    if (text === after[b]) {
      rows.push({ mark: ' ', text });
      a += 1;
      b += 1;
    } else if (cell(a + 1, b) >= cell(a, b + 1)) {
      rows.push({ mark: '-', text });
      a += 1;
    } else {
      rows.push({ mark: '+', text: after[b] ?? '' });
      b += 1;
    }
  }
  return [...rows, ...marked('-', before.slice(a)), ...marked('+', after.slice(b))];
}

function marked(mark: Row['mark'], lines: readonly string[]): Row[] {
  return lines.map((text) => ({ mark, text }));
}
