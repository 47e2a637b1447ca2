import { once } from '../../once.ts';
import { boundedCost } from './character-cost.ts';
import { JOINTS, PUNCTUATION, WORDS } from './tables.ts';

/** How o200k divides text into pieces that are encoded separately (the pattern is part of the encoding's public definition). */
const PIECES = new RegExp(
  [
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'gu',
);

const WORD = /^([^A-Za-z]?)([A-Za-z]+)$/;
const DIGITS = /^\d+$/;
/** Runs of up to 79 spaces are one token. */
const SPACES = /^ {1,79}$|^\n$|^\n\n$|^\t$/;
const punctuation = once(
  (): ReadonlyMap<string, number> =>
    new Map([
      ...JOINTS.flatMap(([tokens, runs]) => runs.split('\t').map((run): [string, number] => [run, tokens])),
      ...PUNCTUATION.split('\t').map((run): [string, number] => [run, 1]),
    ]),
);

const CACHE_LIMIT = 20_000;
const LONGEST_CACHED = 24;
let cache = new Map<string, number>();

/**
 * An upper bound of the o200k tokens of `text`, close for user interfaces in English; text in other scripts is counted by character, up to three
 * times too high. Needs no vocabulary: it divides text like o200k, knows common words and punctuation, and bounds the rest.
 */
export function estimateTokens(text: string): number {
  let total = 0;
  for (const piece of text.match(PIECES) ?? []) total += pieceCost(piece);
  return total;
}

function pieceCost(piece: string): number {
  const known = cache.get(piece);
  if (known !== undefined) return known;
  const cost = computeCost(piece);
  if (piece.length <= LONGEST_CACHED) {
    if (cache.size >= CACHE_LIMIT) cache = new Map();
    cache.set(piece, cost);
  }
  return cost;
}

function computeCost(piece: string): number {
  if (DIGITS.test(piece) || SPACES.test(piece)) return 1;
  const joint = punctuation().get(piece);
  if (joint !== undefined) return joint;
  const word = WORD.exec(piece);
  const cost = word === null ? undefined : wordCost(word[1] ?? '', word[2] ?? '');
  return cost ?? boundedCost(piece);
}

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
function wordCost(prefix: string, word: string): number | undefined {
  const isLower = LOWER.test(word);
  if (!isLower && !LOWER.test(word.slice(1))) return undefined;
  const costs = costsByWord().get(isLower ? word : word.toLowerCase());
  if (costs === undefined) return undefined;
  if (prefix === '') return isLower ? costs[0] : costs[2];
  if (prefix === ' ') return isLower ? costs[1] : costs[3];
  return prefix > ' ' && prefix <= '~' ? costs[4] : undefined;
}
