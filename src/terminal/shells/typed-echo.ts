import { PrivateModes } from '../screen/private-modes.ts';

const CONTROL = /(?![\t\n])[\p{Cc}]/gu;

/**
 * What the screen shows for a command: the command, where the line editor's echo of our own line was. What that echo switched in the terminal is
 * kept, or the emulator would think that the line editor still has it.
 */
export function commandAsTyped(command: string, echo: readonly Uint8Array[]): Uint8Array {
  const switched = new PrivateModes().push(Buffer.concat(echo)).join('');
  const text = command.replaceAll(CONTROL, inCaret).replaceAll('\n', '\r\n');
  return Buffer.from(`${text}${switched}\r\n`);
}

/** As terminals echo them: `^C` and, for those beyond ASCII, `M-^C`. */
function inCaret(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  const caret = `^${String.fromCodePoint((code & 127) ^ 64)}`;
  return code > 127 ? `M-${caret}` : caret;
}
