import { mentionCommand } from '../../../model/text/mention.ts';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { OutputStore } from '../../../operations/output/output-store.ts';
import { outputFolder } from '../../../operations/record-folders.ts';
import type { PseudoTerminal } from '../../../ports/terminals/pseudo-terminal.ts';
import type { TerminalStart } from '../../../ports/terminals.ts';
import type { HeldTerminalParts } from './held-session.ts';
import { ShellFiles } from '../../shells/shell-files.ts';
import { startOf, type ShellStart } from '../../shells/shell-integration.ts';
import { shellKindOf, type BoundedShellKind } from '../../shells/shell-kind.ts';
import { makeTerminalFolder } from '../terminal-folder.ts';

const TOKEN_BYTES = 16;
/** The terminal type that the emulator implements. */
const TERM = 'xterm-256color';

/** A started shell in a terminal, with its files. */
export interface OpenedSession {
  readonly id: string;
  readonly folder: string;
  readonly kind: BoundedShellKind;
  readonly start: ShellStart;
  readonly token: string;
  readonly files: ShellFiles;
  readonly store: OutputStore;
  readonly pty: PseudoTerminal;
}

/** Removes its files if it fails. @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED */
export async function openSession(parts: HeldTerminalParts, start: TerminalStart): Promise<OpenedSession> {
  const kind = shellKindOf(start.shell);
  if (kind === 'none') throw unknownShell(start.shell);
  const { id, folder } = makeTerminalFolder(parts.stateFolder);
  const shellFolder = join(parts.shellFolder, id);
  let files: ShellFiles | undefined;
  try {
    files = new ShellFiles(shellFolder);
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const shell = startOf(kind, start.shell, inTerminal(start.environment), { folder: shellFolder, token });
    files.writeHooks(shell.files);
    const { confinement, cwd, size } = start;
    const pty = await parts.processes.open(
      { ...confinement, read: [...confinement.read, shellFolder] },
      { command: shell.command, environment: shell.environment, cwd, size, operationId: id },
    );
    const store = new OutputStore({ folder: outputFolder(folder), budgetBytes: start.budgetBytes });
    return { id, folder, kind, start: shell, token, files, store, pty };
  } catch (error) {
    throw openFailed({ folder, files }, error);
  }
}

/** Removes its files. @returns the error to throw */
export function openFailed(
  { folder, files }: { readonly folder: string; readonly files: ShellFiles | undefined },
  error: unknown,
): DeskterityError {
  files?.removeAll();
  rmSync(folder, { recursive: true, force: true });
  if (error instanceof DeskterityError) return error;
  return new DeskterityError('ACTION_FAILED', 'The terminal could not be opened.', {
    suggestion: `Run ${mentionCommand('doctor')} to find the cause.`,
    platformDetail: error instanceof Error ? error.message : String(error),
    delivered: false,
    cause: error,
  });
}

/** Removes variables that describe the user's own terminal. */
function inTerminal(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { COLUMNS: _columns, LINES: _lines, ...rest } = environment;
  return { ...rest, TERM };
}

function unknownShell(shell: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The beginning and end of commands in ${shell} cannot be detected, so it is not supported.`,
    {
      suggestion: 'Set SHELL to bash, zsh, fish or a POSIX shell such as dash or ksh.',
      delivered: false,
    },
  );
}
