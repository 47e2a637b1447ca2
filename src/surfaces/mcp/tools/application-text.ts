import { randomBytes } from 'node:crypto';
import { revealLines } from '../../../model/text/untrusted-text.ts';

/** Tokens that stand around the text of an answer, at most (o200k): the two marks, and the cursor. */
export const AROUND_TOKENS = 36;

/**
 * Puts text that applications have a say in between two marks that no application can guess, so that a model can tell it from ours, and makes
 * visible what cannot be seen in it.
 */
export function markApplicationText(text: string): string {
  const mark = `untrusted-${randomBytes(4).toString('hex')}`;
  return `<${mark}>\n${revealLines(text.trimEnd())}\n</${mark}>`;
}
