/** The end of a bash command line, as bash itself would read it. */
export interface BashLine {
  /** Unquoted words before the last one, without the program's name. */
  readonly words: readonly string[];
  /** The last word, unquoted; empty after a space. */
  readonly current: string;
  /** How a text must be quoted to stand at its end. */
  readonly context: BashContext;
  /** The unquoted part of the last word that bash will leave as it is. */
  readonly kept: string;
}

export type BashContext = 'bare' | 'single' | 'double';

interface Word {
  raw: string;
  text: string;
  context: BashContext;
}

/**
 * Takes a line apart without carrying out anything in it. `replaced` is the end of the line that bash will replace; inside quotes it begins
 * after the opening one.
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
    // A backslash at the very end escapes what will be typed next.
    else if (!(character === '\\' && next === '' && word.context === 'bare')) word.text += character;
  }
  return [...words, word ?? EMPTY];
}

function isEscape(context: BashContext, next: string): boolean {
  if (next === '' || context === 'single') return false;
  return context === 'bare' || /["\\$`]/.test(next);
}

/** A text as it must be typed into bash to mean itself; `undefined` when it cannot be written there. */
export function quoteForBash(text: string, context: BashContext): string | undefined {
  if (context === 'single') return text.replaceAll("'", String.raw`'\''`);
  // An interactive bash expands history inside double quotes, and a backslash before the mark would stay.
  if (context === 'double')
    return text.includes('!') ? undefined : text.replaceAll(/["\\$`]/g, String.raw`\$&`);
  // Letters of all languages stand for themselves; of ASCII only what is known to.
  return text.replaceAll(/[^\w@%+=:,./\u0080-\u{10FFFF}-]/gu, String.raw`\$&`);
}

/** A text as a PowerShell argument: it takes typographic quotation marks for its own. */
export function quoteForPowerShell(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`;
}
