import type { StateBits } from '../../../../../src/platform/linux/atspi/tree/states.ts';

/** State words with these bits set. */
export function bits(...states: number[]): StateBits {
  const words: [number, number] = [0, 0];
  for (const state of states) {
    if (state < 32) words[0] = (words[0] | (1 << state)) >>> 0;
    else words[1] = (words[1] | (1 << (state - 32))) >>> 0;
  }
  return words;
}
