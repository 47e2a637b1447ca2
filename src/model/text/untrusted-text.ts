/**
 * Names and values come from applications and web pages, which may hide or reorder text to mislead a reader. These functions make such characters
 * visible: control and format characters, bidirectional overrides, zero-width and other invisible characters, line and paragraph separators,
 * lone surrogates. Emoji and text variation selectors (FE00-FE0F) stay.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FFF9}-\u{FFFB}]|(?![\u{FE00}-\u{FE0F}])\p{Default_Ignorable_Code_Point}/gu;
const QUOTED = /["\\]/;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const PRINTABLE_ASCII = /^[ -~]*$/;

/** `text` in double quotes with JSON's short escapes, and `\u{202E}` for every other invisible character. Reversed by {@link unquote}. */
export function quote(text: string): string {
  if (PRINTABLE_ASCII.test(text) && !QUOTED.test(text)) return `"${text}"`;
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`);
  return `"${escaped.replaceAll(INVISIBLE, (character) => SHORT[character] ?? codePoint(character))}"`;
}

/** The text that was passed to {@link quote}. @throws SyntaxError if `quoted` is not in its format. */
export function unquote(quoted: string): string {
  if (quoted.length < 2 || !quoted.startsWith('"') || !quoted.endsWith('"'))
    throw new SyntaxError(`Not a quoted text: ${quoted}`);
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(?:u\{([0-9A-F]{1,6})\}|(.?))/g, (escape, hex?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (letter === 'n') return '\n';
      if (letter === 'r') return '\r';
      if (letter === 't') return '\t';
      if (letter === '"' || letter === '\\') return letter;
      throw new SyntaxError(`Unknown escape ${escape}`);
    });
}

/** One line of untrusted text for messages: invisible characters shown as `\u{202E}`, nothing quoted. */
export function reveal(text: string): string {
  return PRINTABLE_ASCII.test(text)
    ? text
    : text.replaceAll(INVISIBLE, (character) => SHORT[character] ?? codePoint(character));
}

/** Several lines of untrusted text: like {@link reveal}, but keeps line feeds and tabs. */
export function revealLines(text: string): string {
  return text.replaceAll(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : (SHORT[character] ?? codePoint(character)),
  );
}

/** Invisible characters that are legitimate: some languages need soft hyphens, joiners and direction marks. */
const LEGITIMATE = /[\t\n\r\u{AD}\u{200C}-\u{200F}\u{61C}]/u;

/** The first character that hides or reorders parts of a text, such as `\u{202E}`. */
export function hidingIn(text: string): string | undefined {
  if (PRINTABLE_ASCII.test(text)) return undefined;
  const found = text.match(INVISIBLE)?.find((character) => !LEGITIMATE.test(character));
  return found === undefined ? undefined : codePoint(found);
}

/** JSON.stringify, with invisible characters as JSON escapes (`\u202e`), so that the text shows them and parses to the same data. */
export function stringifyVisibly(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return text.replaceAll(INVISIBLE, (character) =>
    character === '\n'
      ? character
      : character
          .split('')
          .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

/** The first `limit` characters and an ellipsis, never half of a surrogate pair; shorter texts unchanged. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}

/** The beginning of a text, {@link quote}d for messages. */
export function quoteClipped(text: string, limit = 80): string {
  return quote(clip(text, limit));
}

function codePoint(character: string): string {
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
