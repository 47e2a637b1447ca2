/** Splits a line into words as a shell does, with quotes and backslashes but without expanding anything. Locators keep the quotes inside them. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  let isKept = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      isKept = word !== undefined && LOCATOR.test(word);
      word = isKept ? `${word ?? ''}${character}` : (word ?? '');
      continue;
    }
    word ??= '';
    if (character === quote) {
      quote = undefined;
      if (isKept) word += character;
    } else if (character === '\\' && isEscaping(quote, next)) {
      word += quote !== undefined && isKept ? `\\${next}` : next;
      at += 1;
    } else word += character;
  }
  if (word !== undefined) words.push(word);
  return joinLocators(words);
}

/** How a locator begins: a quote after it belongs to it, such as that in `role:button[name="Save as"]`. */
const LOCATOR = /^(?:role|text|label|id|path|app|window):/;

/** `role:dialog >> role:button` needs no quotes around it. */
function joinLocators(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isContinued = last !== undefined && LOCATOR.test(last) && (word === '>>' || last.endsWith(' >>'));
    if (isContinued) joined[joined.length - 1] = `${last} ${word}`;
    else joined.push(word);
  }
  return joined;
}

function isEscaping(quote: '"' | "'" | undefined, next: string): boolean {
  if (next === '' || quote === "'") return false;
  return quote === undefined || next === '"' || next === '\\' || next === '$' || next === '`';
}
