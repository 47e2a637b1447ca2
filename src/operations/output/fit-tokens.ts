import { estimateTokens } from '../../model/tree/tokens/estimate-tokens.ts';
import { DeskterityError } from '../../model/effects/errors.ts';

/** The least budget with room for output besides the answer's own sentences. */
export const LEAST_TOKENS = 200;
const MOST_ROUNDS = 30;

interface Bounded {
  readonly text: string;
  readonly left_out: readonly string[];
}

/** Tokens of all text in an answer. */
export function tokensOf({ text, left_out }: Bounded): number {
  return estimateTokens([text, ...left_out].join('\n'));
}

/**
 * The answer that `build` returns for the largest text that leaves room for the sentences about the rest.
 * @throws DeskterityError BUDGET_TOO_SMALL
 */
export function withinTokens<T extends Bounded>(maxTokens: number, build: (textTokens: number) => T): T {
  let textTokens = maxTokens;
  for (let round = 0; round < MOST_ROUNDS && textTokens >= 0; round += 1) {
    const part = build(textTokens);
    const excess = tokensOf(part) - maxTokens;
    if (excess <= 0) return part;
    textTokens -= Math.max(excess, 1);
  }
  const least = build(0);
  if (tokensOf(least) <= maxTokens) return least;
  throw tooSmall(maxTokens);
}

/** @throws DeskterityError BUDGET_TOO_SMALL */
export function checkTokens(maxTokens: number): void {
  if (!(maxTokens >= LEAST_TOKENS)) throw tooSmall(maxTokens);
}

function tooSmall(maxTokens: number): DeskterityError {
  return new DeskterityError('BUDGET_TOO_SMALL', `${maxTokens} tokens are not enough to show output.`, {
    suggestion: `Repeat with at least ${LEAST_TOKENS} tokens.`,
  });
}

/** How many of the texts, one per line, fit the tokens. */
export function countThatFit(texts: readonly string[], tokens: number): number {
  let left = tokens;
  for (const [index, text] of texts.entries()) {
    left -= lineTokens(text);
    if (left < 0) return index;
  }
  return texts.length;
}

/** At least one, however short the line. */
export function lineTokens(text: string): number {
  // Longer text exceeds every budget, so its exact count does not matter.
  return estimateTokens(`${text.length > LONGEST_COUNTED ? text.slice(0, LONGEST_COUNTED) : text}\n`);
}

const LONGEST_COUNTED = 256 * 1024;

/** The longest prefix of a text that fits the tokens; never splits a character. */
export function beginningThatFits(text: string, tokens: number): string {
  const end = largestThatFits(Math.min(text.length, LONGEST_COUNTED), (length) => {
    return estimateTokens(text.slice(0, length)) <= tokens;
  });
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}

/** Binary search: the largest number up to `most` that fits; 0 if none does. */
export function largestThatFits(most: number, fits: (length: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
