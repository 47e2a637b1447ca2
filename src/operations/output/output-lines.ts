import { revealLines } from '../../model/text/untrusted-text.ts';
import { plainText } from './clean-output.ts';
import type { Block } from './output-blocks.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** A line, or part of one that is too long for a block. */
export interface OutputLine {
  /** From 1. */
  readonly number: number;
  /** Its offset in the stream. */
  readonly byte: number;
  /** From {@link plainText}; may contain invisible characters. */
  readonly text: string;
  /** Its start is in an earlier block, or was not kept. */
  readonly isContinued: boolean;
  /** Carriage returns overwrote it, so earlier parts are obsolete. */
  readonly isRewritten: boolean;
}

/** The lines of a block. */
export function linesOf(block: Block): OutputLine[] {
  const { bytes, firstLine, beginsLine, start } = block;
  const whole = bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes;
  const isRewritten = whole.includes(CARRIAGE_RETURN);
  let byte = start;
  return plainText(whole)
    .split('\n')
    .map((text, index) => {
      const line = {
        number: firstLine + index,
        byte,
        text,
        isContinued: index === 0 && !beginsLine,
        isRewritten,
      };
      byte = start + bytes.indexOf(NEWLINE, byte - start) + 1;
      return line;
    });
}

/** Joins the parts of one line: their last state, or the first part with a mark that there is more. */
export function joinPieces(lines: readonly OutputLine[]): OutputLine[] {
  const joined: OutputLine[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last === undefined || last.number !== line.number || !line.isContinued) joined.push(line);
    else if (line.isRewritten) joined[joined.length - 1] = { ...last, text: line.text };
    else if (!last.text.endsWith('…')) joined[joined.length - 1] = { ...last, text: `${last.text}…` };
  }
  return joined;
}

export function shown(line: OutputLine): string {
  return revealLines(line.text);
}
