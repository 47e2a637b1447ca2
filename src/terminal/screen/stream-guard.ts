import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import { ZERO_WIDTH } from '../../model/text/character-width.ts';

/** Kept characters of a title, a command mark or another string; the rest is dropped. */
const LONGEST_STRING = 8192;

/** No terminal interprets longer control sequences. */
const LONGEST_SEQUENCE = 256;

/** Combining marks on one letter; more are an attack on memory. */
const MAX_MARKS = 16;

/** Sequences that repeat an action, on rows (insert, delete, scroll) or on columns (the same, repeat, tabs). */
const REPEATING_ROWS = /[LMST]$/;
const REPEATING_COLUMNS = /[@IPXZb]$/;
const LARGEST_NUMBER = 9999;

const ESCAPE = '\u001B';
const WHOLE_SEQUENCE = new RegExp(String.raw`${ESCAPE}\[[0-?]{0,240}[ -/]{0,8}[@-~]`, 'y');
/** C1 control characters, which are obsolete since UTF-8; most terminals ignore them. */
const EIGHT_BIT_CONTROLS = /[\u0080-\u009F]+/g;
const CANCELS = '\u0018\u001A';
const BELL = '\u0007';
const SYSTEM_STRING_END = new RegExp(`[${BELL}${CANCELS}${ESCAPE}]`, 'g');
const DEVICE_STRING_END = new RegExp(`[${CANCELS}${ESCAPE}]`, 'g');

const MARKS = new RegExp(String.raw`(?:${ZERO_WIDTH}\u{7F}*)+`, 'gu');
const MARKS_FIRST = new RegExp(String.raw`^(?:${ZERO_WIDTH}|\u{7F})+`, 'u');
const BEYOND_ASCII = /\P{ASCII}/u;

type State = 'text' | 'escape' | 'sequence' | 'lost-sequence' | 'system-string' | 'device-string';

/**
 * Filters the output of a program for the emulator: decodes bytes to text, with U+FFFD for invalid UTF-8, and removes what would cost the emulator
 * excessive memory or time: endless strings, huge counts, many marks on one letter. The output of ordinary programs passes unchanged.
 */
export class StreamGuard {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly size: () => TerminalSize;
  private state: State = 'text';
  private sequence = '';
  private stringLength = 0;
  private marksInRow = 0;

  /** @param size current size of the screen: repeating an action more often than it has rows or columns has no effect */
  constructor(size: () => TerminalSize) {
    this.size = size;
  }

  /** @returns the text that these bytes complete; an incomplete character comes with the next bytes */
  pass(bytes: Uint8Array): string {
    const decoded = this.decoder.decode(bytes, { stream: true });
    if (decoded === '') return '';
    if (this.state === 'text' && !decoded.includes(ESCAPE) && !BEYOND_ASCII.test(decoded)) {
      this.marksInRow = 0;
      return decoded;
    }
    const input = decoded.replaceAll(EIGHT_BIT_CONTROLS, '');
    const output: string[] = [];
    let at = 0;
    while (at < input.length) at = this.step(input, at, output);
    return output.join('');
  }

  /** Processes one piece from `at` on. @returns where the next begins */
  private step(input: string, at: number, output: string[]): number {
    switch (this.state) {
      case 'text':
        return this.text(input, at, output);
      case 'escape':
        return this.escape(input, at, output);
      case 'sequence':
      case 'lost-sequence':
        return this.inSequence(input, at, output);
      default:
        return this.inString(input, at, output);
    }
  }

  private text(input: string, at: number, output: string[]): number {
    const found = input.indexOf(ESCAPE, at);
    const end = found < 0 ? input.length : found;
    if (end > at) output.push(this.withFewMarks(input.slice(at, end)));
    if (found < 0) return end;
    WHOLE_SEQUENCE.lastIndex = found;
    const [whole] = WHOLE_SEQUENCE.exec(input) ?? [];
    output.push(whole === undefined ? ESCAPE : this.limited(whole));
    if (whole !== undefined) return found + whole.length;
    this.state = 'escape';
    return found + 1;
  }

  private escape(input: string, at: number, output: string[]): number {
    const character = input[at] ?? '';
    if (character === ESCAPE) {
      this.state = 'text';
      return at;
    }
    if (character === '[') {
      this.sequence = character;
      this.state = 'sequence';
      return at + 1;
    }
    output.push(character);
    this.stringLength = 0;
    if (character === ']') this.state = 'system-string';
    else if (character === 'P') this.state = 'device-string';
    else if (!isControl(character) || isCancel(character)) this.state = 'text';
    return at + 1;
  }

  /** The emulator has received the escape; the rest follows when it is complete. */
  private inSequence(input: string, at: number, output: string[]): number {
    const character = input[at] ?? '';
    if (character === ESCAPE || isCancel(character) || character > '\u007F') {
      output.push('\u0018');
      this.state = 'text';
      return at;
    }
    if (isControl(character)) {
      output.push(character);
      return at + 1;
    }
    const isLast = character >= '@';
    if (this.state === 'sequence') {
      this.sequence += character;
      if (isLast) output.push(this.limited(this.sequence));
      else if (this.sequence.length > LONGEST_SEQUENCE) {
        output.push('\u0018');
        this.state = 'lost-sequence';
      }
    }
    if (isLast) this.state = 'text';
    return at + 1;
  }

  private limited(sequence: string): string {
    // Colours are the most frequent sequences, and no number does harm there.
    if (sequence.endsWith('m')) return sequence;
    const { rows, columns } = this.size();
    const most = REPEATING_ROWS.test(sequence)
      ? rows
      : REPEATING_COLUMNS.test(sequence)
        ? columns
        : LARGEST_NUMBER;
    return sequence.replaceAll(/\d{2,}/g, (digits) => (Number(digits) > most ? String(most) : digits));
  }

  private inString(input: string, at: number, output: string[]): number {
    const ends = this.state === 'system-string' ? SYSTEM_STRING_END : DEVICE_STRING_END;
    ends.lastIndex = at;
    const end = ends.exec(input)?.index ?? input.length;
    const room = LONGEST_STRING - this.stringLength;
    if (room > 0) output.push(input.slice(at, Math.min(end, at + room)));
    this.stringLength += end - at;
    if (end === input.length) return end;
    this.state = 'text';
    if (input[end] === ESCAPE) return end;
    output.push(input[end] ?? '');
    return end + 1;
  }

  private withFewMarks(text: string): string {
    if (!BEYOND_ASCII.test(text)) {
      this.marksInRow = 0;
      return text;
    }
    const before = this.marksInRow;
    const leading = MARKS_FIRST.exec(text)?.[0].length ?? 0;
    this.marksInRow = 0;
    return text.replaceAll(MARKS, (marks: string, at: number) => {
      const already = at < leading ? before : 0;
      if (at + marks.length === text.length) this.marksInRow = Math.min(MAX_MARKS, already + marks.length);
      const room = MAX_MARKS - already;
      return marks.length <= room ? marks : Array.from(marks).slice(0, room).join('');
    });
  }
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007F';
}

/** CAN and SUB abort any sequence. */
function isCancel(character: string): boolean {
  return CANCELS.includes(character);
}
