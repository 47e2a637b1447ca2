import { revealLines } from '../../model/text/untrusted-text.ts';
import { decodeVisibly, unfinishedBytes } from './decode-bytes.ts';

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

/** Control sequences of terminals: colours, cursor movements, titles, links. One that never ends is none. */
const CONTROL = new RegExp(
  `${ESCAPE}(?:${[
    String.raw`\[[0-?]{0,64}[ -/]{0,4}[@-~]`,
    String.raw`[\]PX^_][^${BELL}${ESCAPE}\n]{0,4096}(?:${BELL}|${ESCAPE}\\)`,
    '[ -/]{1,4}[0-~]',
    '[0-OQ-WYZ\\\\`-~]',
  ].join('|')})`,
  'g',
);
/** One that has begun and may go on. */
const BEGUN = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,4}|[\\]PX^_][^${BELL}${ESCAPE}\\n]{0,4096}${ESCAPE}?|[ -/]{0,4})$`,
);
const ESCAPE_BYTE = 27;
const LONGEST_BEGUN = 4200;

/**
 * What a terminal would be left with: without control sequences, and of lines that were written over by carriage returns the last state.
 * @param bytes whole lines
 */
export function plainText(bytes: Buffer): string {
  let text = decodeVisibly(bytes);
  if (text.includes(ESCAPE)) text = text.replaceAll(CONTROL, '');
  if (text.includes('\r')) text = text.split('\n').map(lastState).join('\n');
  return text;
}

/** {@link plainText} with everything that cannot be seen made visible. */
export function visibleText(bytes: Buffer): string {
  return revealLines(plainText(bytes));
}

function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 13) end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The largest number of bytes, at most `length`, that ends neither inside a character nor inside a control sequence. */
export function cleanCut(bytes: Buffer, length: number): number {
  // The end of a title or a link may be a sequence of its own: then there are two that have begun.
  const end = beforeBegun(bytes, beforeBegun(bytes, length));
  return end - unfinishedBytes(bytes.subarray(0, end));
}

function beforeBegun(bytes: Buffer, length: number): number {
  const escape = bytes.subarray(0, length).lastIndexOf(ESCAPE_BYTE);
  if (escape === -1 || length - escape > LONGEST_BEGUN) return length;
  return BEGUN.test(bytes.toString('latin1', escape, length)) ? escape : length;
}
