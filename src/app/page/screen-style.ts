import { clip, reveal } from '../../model/text/untrusted-text.ts';
import type { ScreenFacts } from '../../wire/client-frames.ts';
import type { Span, Tone } from '../../model/text/page.ts';

/** The terminal that an answer is printed on. */
export interface ScreenStyle {
  /** Columns. */
  readonly width: number;
  readonly isColoured: boolean;
  /** Whether it can show no more than ASCII; texts of applications are printed as they are. */
  readonly isAscii: boolean;
}

/** Select Graphic Rendition: the terminal's own palette, which its owner has chosen to be readable. */
const CODES: Readonly<Record<Tone, string>> = {
  good: '32',
  doubtful: '33',
  bad: '31',
  quiet: '2',
  strong: '1',
  reference: '36',
  role: '34',
  name: '1',
  value: '32',
};

/** Spans in a row as text; those of one tone share its codes. */
export function paint(spans: readonly Span[], { isColoured }: ScreenStyle): string {
  const runs: { text: string; readonly tone: Tone | undefined }[] = [];
  for (const { text, tone } of spans) {
    const last = runs.at(-1);
    if (last?.tone === tone && last !== undefined) last.text += text;
    else runs.push({ text, tone });
  }
  return runs
    .map(({ text, tone }) =>
      tone === undefined || !isColoured || text === '' ? text : `\u001B[${CODES[tone]}m${text}\u001B[0m`,
    )
    .join('');
}

const ASCII: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '→': '->',
  '…': '...',
  '·': '-',
  '×': 'x',
  '’': "'",
};
const OURS = new RegExp(`[${Object.keys(ASCII).join('')}]`, 'gu');

/** Our own signs for a terminal that has only ASCII. */
export function toAscii(text: string): string {
  return text.replaceAll(OURS, (sign) => ASCII[sign] ?? sign);
}

/** Where the two streams of an answer go: standard error may be a file while standard output is a terminal. */
export interface Screen {
  readonly onOutput: ScreenStyle;
  readonly onError: ScreenStyle;
}

const WITHOUT_COLOUR: ScreenStyle = { width: 80, isColoured: false, isAscii: false };
export const PLAIN: Screen = { onOutput: WITHOUT_COLOUR, onError: WITHOUT_COLOUR };

/** The two streams of a client at a terminal; `undefined` if its standard output is none. */
export function screenFor({
  screen,
  colour,
}: {
  readonly screen?: ScreenFacts | undefined;
  /** Of standard error. */
  readonly colour?: boolean | undefined;
}): Screen | undefined {
  if (screen === undefined) return undefined;
  const shared = { width: screen.columns, isAscii: screen.ascii };
  return {
    onOutput: { ...shared, isColoured: screen.colour },
    onError: { ...shared, isColoured: colour === true },
  };
}

const LONGEST_STEP = 200;

/** At the end of a step, an address that a person has to open: useless if it is cut. */
const ADDRESS = /https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]{1,8000}$/;

/** What a call is doing, as one line that cannot control a terminal. */
export function progressLine(message: string): string {
  const address = ADDRESS.exec(message)?.[0] ?? '';
  const words = message.slice(0, message.length - address.length);
  return `${reveal(clip(words, LONGEST_STEP))}${address}`;
}
