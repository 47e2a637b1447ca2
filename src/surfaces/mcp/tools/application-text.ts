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

/** The beginning of a text with such marks, in which what was begun as an application's is ended as such. */
export function clipMarkedText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  // The first is ours: what an application wrote can only follow it.
  const open = [...kept.matchAll(/^<(untrusted-[0-9a-f]{8})>$/gm)].find(
    ([, mark = '']) => !kept.includes(`\n</${mark}>`),
  );
  return open === undefined ? `${kept}…` : `${kept}…\n</${open[1] ?? ''}>`;
}
