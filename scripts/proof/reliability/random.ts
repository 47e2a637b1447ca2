/** Returns a number from 0 up to but not including 1. */
export type Random = () => number;

const ALPHABETS = ['abcdefghij', 'ąćęłńóśźż', 'абвгдежз', '日本語漢字', '0123456789', '😀🎉€½'].map(
  (letters) => Array.from(letters),
);

export function pick<T>(random: Random, items: readonly [T, ...T[]] | readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

export function someText(random: Random): string {
  const letters = pick(random, ALPHABETS);
  return Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(random, letters)).join('');
}
