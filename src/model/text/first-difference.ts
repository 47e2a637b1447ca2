import { quoteClipped } from './untrusted-text.ts';

/** Texts up to this length are shown from their beginning. */
const SHORT = 80;
const CONTEXT = 20;

/** Two texts for a message: long ones from just before the first character that differs, so that the difference shows. */
export function insteadOf(read: string, wanted: string): string {
  if (Math.max(read.length, wanted.length) <= SHORT)
    return `${quoteClipped(read)} instead of ${quoteClipped(wanted)}`;
  const at = firstDifference(read, wanted);
  const from = Math.max(0, at - CONTEXT);
  const part = (text: string): string => quoteClipped(`${from === 0 ? '' : '…'}${text.slice(from)}`);
  const lengths = `${read.length} characters instead of ${wanted.length}`;
  return `${part(read)} instead of ${part(wanted)}, which differ from character ${at + 1} on (${lengths})`;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  // Not in the middle of a character.
  const before = one.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
