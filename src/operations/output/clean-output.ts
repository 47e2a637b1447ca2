import { revealLines } from '../../model/text/untrusted-text.ts';
import { decodeVisibly, unfinishedBytes } from './decode-bytes.ts';

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const BACKSPACE = String.fromCharCode(8);

/** Terminal control sequences: colours, cursor movements, titles, links. Unterminated ones do not match. */
const CONTROL = new RegExp(
  `${ESCAPE}(?:${[
    String.raw`\[[0-?]{0,64}[ -/]{0,4}[@-~]`,
    String.raw`[\]PX^_][^${BELL}${ESCAPE}\n]{0,4096}(?:${BELL}|${ESCAPE}\\)`,
    '[ -/]{1,4}[0-~]',
    '[0-OQ-WYZ\\\\`-~]',
  ].join('|')})`,
  'g',
);
/** An incomplete control sequence. */
const INCOMPLETE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,4}|[\\]PX^_][^${BELL}${ESCAPE}\\n]{0,4096}${ESCAPE}?|[ -/]{0,4})$`,
);
const ESCAPE_BYTE = 27;
const LONGEST_INCOMPLETE = 4200;

/**
 * The text a terminal would finally show: without control sequences, and with the last state of lines that carriage returns overwrote.
 * @param bytes whole lines
 */
export function plainText(bytes: Buffer): string {
  let text = decodeVisibly(bytes);
  if (text.includes(ESCAPE)) text = text.replaceAll(CONTROL, '');
  if (text.includes('\r')) text = text.split('\n').map(lastState).join('\n');
  if (text.includes(BACKSPACE)) text = text.split('\n').map(overwritten).join('\n');
  return text;
}

/** {@link plainText} with invisible characters made visible. */
export function visibleText(bytes: Buffer): string {
  return revealLines(plainText(bytes));
}

/** A line after its backspaces, with which line editors such as that of ksh go back and write over. */
function overwritten(line: string): string {
  if (!line.includes(BACKSPACE)) return line;
  const shown: string[] = [];
  let column = 0;
  for (const character of Array.from(line)) {
    if (character === BACKSPACE) column = Math.max(0, column - 1);
    else {
      shown[column] = character;
      column += 1;
    }
  }
  return shown.join('');
}

function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 13) end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The longest prefix of at most `length` bytes that ends neither inside a character nor inside a control sequence. */
export function cleanCut(bytes: Buffer, length: number): number {
  // The terminator of a title or link is itself a sequence, so two may be incomplete.
  const end = beforeIncomplete(bytes, beforeIncomplete(bytes, length));
  return end - unfinishedBytes(bytes.subarray(0, end));
}

function beforeIncomplete(bytes: Buffer, length: number): number {
  const escape = bytes.subarray(0, length).lastIndexOf(ESCAPE_BYTE);
  if (escape === -1 || length - escape > LONGEST_INCOMPLETE) return length;
  return INCOMPLETE.test(bytes.toString('latin1', escape, length)) ? escape : length;
}
