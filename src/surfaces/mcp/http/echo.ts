import { clip, revealLines, stringifyVisibly } from '../../../model/text/untrusted-text.ts';

/** The names are those of a server that talks over standard input and output. */
const PREFIXES = { received: '→ STDIN:', sent: '← STDOUT:', refused: '⚠ STDERR:' } as const;

/** A picture in an answer is longer than anybody reads. */
const LONGEST_CHARACTERS = 20_000;
const MOST_LEVELS = 64;

/** A message as people read it; what is not JSON is shown as it is, except for characters that would control the terminal. */
export function echoed(what: keyof typeof PREFIXES, message: unknown): string {
  const text = typeof message === 'string' ? revealLines(message) : asJson(message);
  return `${PREFIXES[what]} ${clip(text, LONGEST_CHARACTERS)}`;
}

/** With indentation, whose length grows with the square of the depth. */
function asJson(message: unknown): string {
  return isDeeper(message, MOST_LEVELS) ? '(nested too deeply to be shown)' : stringifyVisibly(message, 2);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Tells the messages in the pieces of an answer; `undefined` if nobody listens. */
export function echoOf(
  { ok }: Pick<Response, 'ok'>,
  onEcho: ((text: string) => void) | undefined,
): ((piece: Uint8Array) => void) | undefined {
  if (onEcho === undefined) return undefined;
  const what = ok ? 'sent' : 'refused';
  const decoder = new TextDecoder();
  return (piece) => {
    const text = decoder.decode(piece, { stream: true });
    for (const part of partsOf(text)) onEcho(echoed(what, parsed(part)));
  };
}

/** The documents of server-sent events, which the library writes one by one, or the whole text. */
function partsOf(text: string): readonly string[] {
  if (text.trim() === '' || text.startsWith(':')) return [];
  if (!/^(?:event|id|retry|data):/.test(text)) return [text];
  return [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data);
}

function parsed(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    return message;
  } catch {
    return text;
  }
}
