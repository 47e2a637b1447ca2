/** The end of a bash command line, parsed as bash does. */
export interface BashLine {
  /** Unquoted words before the last one, without the program's name. */
  readonly words: readonly string[];
  /** The last word, unquoted; empty after a space. */
  readonly current: string;
  /** The quoting in effect at its end. */
  readonly context: BashContext;
  /** The unquoted part of the last word that bash will keep. */
  readonly kept: string;
}

export type BashContext = 'bare' | 'single' | 'double';

interface Word {
  raw: string;
  text: string;
  context: BashContext;
}

/**
 * Parses a line without executing anything in it. `replaced` is the end of the line that bash will replace; inside quotes it
 * starts after the opening one.
 */
export function readBashLine(line: string, replaced: string): BashLine {
  const words = split(line);
  const last = words.at(-1) ?? EMPTY;
  const keptRaw = last.raw.endsWith(replaced) ? last.raw.slice(0, last.raw.length - replaced.length) : '';
  return {
    words: words.slice(1, -1).map(({ text }) => text),
    current: last.text,
    context: last.context,
    kept: split(keptRaw).at(-1)?.text ?? '',
  };
}

const EMPTY: Word = { raw: '', text: '', context: 'bare' };

function split(line: string): Word[] {
  const words: Word[] = [];
  let word: Word | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (/[ \t\n]/.test(character) && (word === undefined || word.context === 'bare')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= { ...EMPTY };
    word.raw += character;
    const next = line.charAt(at + 1);
    if (character === '\\' && isEscape(word.context, next)) {
      word.raw += next;
      word.text += next;
      at += 1;
    } else if (character === "'" && word.context !== 'double')
      word.context = word.context === 'single' ? 'bare' : 'single';
    else if (character === '"' && word.context !== 'single')
      word.context = word.context === 'double' ? 'bare' : 'double';
    // A trailing backslash escapes the next character to be typed.
    else if (!(character === '\\' && next === '' && word.context === 'bare')) word.text += character;
  }
  return [...words, word ?? EMPTY];
}

function isEscape(context: BashContext, next: string): boolean {
  if (next === '' || context === 'single') return false;
  return context === 'bare' || /["\\$`]/.test(next);
}

/** Quotes text for bash; `undefined` if that is impossible in this context. */
export function quoteForBash(text: string, context: BashContext): string | undefined {
  if (context === 'single') return text.replaceAll("'", String.raw`'\''`);
  // An interactive bash expands history ("!") inside double quotes, where a backslash would not be removed.
  if (context === 'double')
    return text.includes('!') ? undefined : text.replaceAll(/["\\$`]/g, String.raw`\$&`);
  // Non-ASCII characters need no quoting; of ASCII, only those known to be safe.
  return text.replaceAll(/[^\w@%+=:,./\u0080-\u{10FFFF}-]/gu, String.raw`\$&`);
}

/** Quotes text for PowerShell, which treats typographic quotation marks like its own. */
export function quoteForPowerShell(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`;
}
