/** A keyboard shortcut behind a name, as web pages write it: "Send (Ctrl-Enter)". */
const SHORTCUT =
  /\s*\((?:ctrl|control|strg|cmd|command|alt|option|shift|meta|super|⌘|⌥|⇧|⌃)[^()]{0,30}\)\s*$/u;

/** A name as it is compared: without marks for keyboard shortcuts, invisible characters, final colons and dots, in lower case. */
export function normal(name: string): string {
  return name
    .slice(0, 400)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replace(SHORTCUT, '')
    .replaceAll(/[‘’ʼ]/gu, "'")
    .replaceAll(/\(_?&?\p{L}\)/gu, '')
    .replaceAll(/[&_]/gu, '')
    .replaceAll(/[\s\u00a0]+/gu, ' ')
    .replaceAll(/^[\s"“«]+|[\s"”»:：.…!！]+$/gu, '');
}

/** Whether a name ends with dots, and so leads to another dialog. */
export function leadsFurther(name: string): boolean {
  return /(?:…|\.\.\.)\s*$/u.test(name);
}

/** Words that are the whole of a name. */
export function wholeWords(...lists: readonly string[]): (name: string | undefined) => boolean {
  const words = new Set(lists.flatMap((list) => list.split('|')));
  return (name) => name !== undefined && words.has(normal(name));
}

/** Words somewhere in a name: at the beginning of a word, where a language writes words apart. */
export function wordsWithin(...lists: readonly string[]): (name: string | undefined) => boolean {
  const words = lists.flatMap((list) => list.split('|'));
  const apart = words.filter((word) => !IS_UNSPACED.test(word)).map(escaped);
  const together = words.filter((word) => IS_UNSPACED.test(word)).map(escaped);
  const parts = [
    ...(apart.length === 0 ? [] : [`(?<!\\p{L})(?:${apart.join('|')})`]),
    ...(together.length === 0 ? [] : [together.join('|')]),
  ];
  const pattern = new RegExp(parts.join('|'), 'u');
  return (name) => name !== undefined && pattern.test(normal(name));
}

/** Words that a short name begins with, or ends with in the second list; whole words, except where a language writes them together. */
export function outerWords(first: string, last: string): (name: string | undefined) => boolean {
  const [begins, ends] = [first, last].map((list) => list.split('|').map(escaped).join('|'));
  const pattern = new RegExp(`^(?:${begins})(?!\\p{L})|(?<!\\p{L})(?:${ends})$`, 'u');
  return (name) => {
    if (name === undefined) return false;
    const words = normal(name);
    return words.split(' ').length <= MOST_OUTER_WORDS && pattern.test(words);
  };
}

const MOST_OUTER_WORDS = 5;

/** Chinese and Japanese are written without spaces. */
const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function escaped(word: string): string {
  return word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
