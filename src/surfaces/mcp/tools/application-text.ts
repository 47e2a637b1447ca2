import { randomBytes } from 'node:crypto';
import { revealLines } from '../../../model/text/untrusted-text.ts';

/** Maximum number of tokens (o200k) around the text of an answer: the two marks and the cursor. */
export const FRAME_TOKENS = 36;

/**
 * Encloses text from applications in two marks that they cannot guess, so that a model can distinguish it from ours, and makes
 * its invisible characters visible.
 */
export function markApplicationText(text: string): string {
  const mark = `untrusted-${randomBytes(4).toString('hex')}`;
  return `<${mark}>\n${revealLines(text.trimEnd())}\n</${mark}>`;
}
