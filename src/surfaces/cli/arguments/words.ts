/** Splits a line into words as a shell does, with quotes and backslashes but without expanding anything. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= '';
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && isEscaping(quote, next)) {
      word += next;
      at += 1;
    } else word += character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

function isEscaping(quote: '"' | "'" | undefined, next: string): boolean {
  if (next === '' || quote === "'") return false;
  return quote === undefined || next === '"' || next === '\\' || next === '$' || next === '`';
}
