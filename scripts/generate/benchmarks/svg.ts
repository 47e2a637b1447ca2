const WIDTH = 860;
const FONT = 12;
/** Ours, then peers in turn; readable in grey and without red beside green. */
export const COLOURS = ['#0b62c4', '#d9730d', '#7a3e9d', '#4d4d4d', '#1a8a6b'] as const;

export function colourAt(index: number): string {
  return COLOURS[index % COLOURS.length] ?? COLOURS[0];
}

/** A whole picture on white, which is also readable on a dark page. */
export function picture(title: string, height: number, parts: readonly string[]): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="sans-serif" font-size="${FONT}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`;
}

export function text(
  x: number,
  y: number,
  content: string,
  { anchor = 'start', colour = '#222222' }: { readonly anchor?: string; readonly colour?: string } = {},
): string {
  return `<text x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}" fill="${colour}">${escaped(content)}</text>`;
}

export function line(
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
  colour: string,
  width = 1,
): string {
  const [[x1, y1], [x2, y2]] = [from, to];
  return `<line x1="${coordinate(x1)}" y1="${coordinate(y1)}" x2="${coordinate(x2)}" y2="${coordinate(y2)}" stroke="${colour}" stroke-width="${width}"/>`;
}

export function dot(x: number, y: number, colour: string, isFilled = true): string {
  return `<circle cx="${coordinate(x)}" cy="${coordinate(y)}" r="4.5" stroke="${colour}" stroke-width="2" fill="${isFilled ? colour : '#ffffff'}"/>`;
}

export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Positions on a logarithmic axis from one power of ten to another. */
export class LogAxis {
  readonly ticks: readonly number[];
  private readonly lowest: number;
  private readonly span: number;
  private readonly from: number;
  private readonly to: number;

  /** @param values at least one that is greater than 0 */
  constructor(values: readonly number[], from: number, to: number) {
    const positive = values.filter((value) => value > 0);
    this.lowest = Math.floor(Math.log10(Math.min(...positive)));
    const highest = Math.max(this.lowest + 1, Math.ceil(Math.log10(Math.max(...positive))));
    this.span = highest - this.lowest;
    this.from = from;
    this.to = to;
    this.ticks = Array.from({ length: this.span + 1 }, (_, index) => 10 ** (this.lowest + index));
  }

  at(value: number): number {
    const share = (Math.log10(value) - this.lowest) / this.span;
    return this.from + share * (this.to - this.from);
  }
}

/** Such as `10`, `0.1`, `50,000`. */
export function tickName(value: number): string {
  return value < 1 ? String(Number(value.toPrecision(1))) : value.toLocaleString('en-US');
}

function escaped(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
