import { DeskterityError } from '../../model/effects/errors.ts';
import { ENTER, type ShellFile } from './shell-integration.ts';
import type { BoundedShellKind } from './shell-kind.ts';
import { PrivateModes } from '../screen/private-modes.ts';

/** Larger commands are scripts and belong in a file of the project. */
const LARGEST_COMMAND_BYTES = 4 * 1024 * 1024;

/** The file and the line that make a shell run a command. */
export interface TypedCommand {
  /** The command, written (0600) to the folder of the session before the line is typed and removed when the command has begun. */
  readonly file: ShellFile;
  readonly line: string;
}

/**
 * The shell reads the command from a file and evaluates it at the top level, so its size, quotes, line ends and control characters never reach the
 * line editor, and variables, `cd`, aliases, `exit` and `exec` work as at the prompt.
 * @param isPasteBracketed the line editor has enabled bracketed paste, with which plug-ins do not act on single characters
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function typedCommand(
  kind: BoundedShellKind,
  sequence: number,
  command: string,
  isPasteBracketed: boolean,
): TypedCommand {
  if (command.includes('\0'))
    throw new DeskterityError('INVALID_ARGUMENT', 'The command contains a NUL character.', {
      suggestion: 'Write it as an escape sequence of the shell, such as \\0 for printf.',
    });
  if (Buffer.byteLength(command) > LARGEST_COMMAND_BYTES)
    throw new DeskterityError('INVALID_ARGUMENT', 'The command is larger than 4 MiB.', {
      suggestion: 'Write it to a file in the project and run the file.',
    });
  const go = `__dkt_go ${String(sequence)}`;
  const typed = ` ${LINES[kind](go)}`;
  const isPasted = isPasteBracketed && kind !== 'fish' && kind !== 'posix';
  return {
    file: { name: `command-${String(sequence)}`, text: command },
    line: (isPasted ? `\u{1B}[200~${typed}\u{1B}[201~` : typed) + ENTER[kind],
  };
}

/** Not evaluated inside a function, where `declare` and `set --` differ. Most histories ignore a line with a leading space. */
const LINES: Readonly<Record<BoundedShellKind, (go: string) => string>> = {
  bash: (go) => `${go}; builtin eval "$__dkt_c"; { __dkt_end; } 2>/dev/null`,
  zsh: (go) =>
    `${go}; builtin unsetopt evallineno; { builtin eval "$__dkt_c"; } always { { __dkt_end; builtin setopt evallineno; } 2>/dev/null; }`,
  fish: (go) => `${go}; eval $__dkt_c; __dkt_end`,
  posix: (go) => `${go}; eval "$__dkt_c"; __dkt_end`,
};

const CONTROL = /(?![\t\n])[\p{Cc}]/gu;

/**
 * What the screen shows instead of the line editor's echo of our line: the command. Mode changes in the echo are kept, or the emulator would assume
 * that the line editor is still active.
 */
export function commandAsTyped(command: string, echo: readonly Uint8Array[]): Uint8Array {
  const switched = new PrivateModes().push(Buffer.concat(echo)).join('');
  const text = command.replaceAll(CONTROL, inCaret).replaceAll('\n', '\r\n');
  return Buffer.from(`${text}${switched}\r\n`);
}

/** As terminals echo them: `^C` and, beyond ASCII, `M-^C`. */
function inCaret(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  const caret = `^${String.fromCodePoint((code & 127) ^ 64)}`;
  return code > 127 ? `M-${caret}` : caret;
}
