import { once } from '../../once.ts';
import { WORDS } from './tables.ts';

type Costs = readonly [
  lower: number,
  spacedLower: number,
  capital: number,
  spacedCapital: number,
  prefixed: number,
];

const costsByWord = once((): ReadonlyMap<string, Costs> => {
  const byWord = new Map<string, Costs>();
  for (const [digits, words] of WORDS) {
    const [lower = 9, spacedLower = 9, capital = 9, spacedCapital = 9, prefixed = 9] = Array.from(
      digits,
      Number,
    );
    const costs: Costs = [lower, spacedLower, capital, spacedCapital, prefixed];
    for (const word of words.split(' ')) byWord.set(word, costs);
  }
  return byWord;
});

const LOWER = /^[a-z]+$/;

/** Tokens of a known word with the character before it, `undefined` for words that are not in the table. */
export function wordCost(prefix: string, word: string): number | undefined {
  const isLower = LOWER.test(word);
  if (!isLower && !LOWER.test(word.slice(1))) return undefined;
  const costs = costsByWord().get(isLower ? word : word.toLowerCase());
  if (costs === undefined) return undefined;
  if (prefix === '') return isLower ? costs[0] : costs[2];
  if (prefix === ' ') return isLower ? costs[1] : costs[3];
  return prefix > ' ' && prefix <= '~' ? costs[4] : undefined;
}
