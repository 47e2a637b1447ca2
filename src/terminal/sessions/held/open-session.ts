import { mentionCommand } from '../../../model/text/mention.ts';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { OutputStore } from '../../../operations/output/output-store.ts';
import type { PseudoTerminal } from '../../../ports/terminals/pseudo-terminal.ts';
import type { TerminalStart } from '../../../ports/terminals.ts';
import type { HeldTerminalParts } from './held-session.ts';
import { ShellFiles } from '../../shells/shell-files.ts';
import { startOf } from '../../shells/shell-integration.ts';
import type { ShellStart } from '../../shells/shell-integration.ts';
import { shellKindOf } from '../../shells/shell-kind.ts';
import type { BoundedShellKind } from '../../shells/shell-kind.ts';
import { makeTerminalFolder, shownFolder } from '../terminal-folder.ts';

const TOKEN_BYTES = 16;
/** What the emulator is. */
const TERM = 'xterm-256color';

/** A shell that has been started in a terminal, and its places on the disk. */
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

/** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED; nothing is left of it then */
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
    const store = new OutputStore({ folder: shownFolder(folder), budgetBytes: start.budgetBytes });
    return { id, folder, kind, start: shell, token, files, store, pty };
  } catch (error) {
    throw noTerminal({ folder, files }, error);
  }
}

/** Takes away what is on the disk of it. @returns the error to be thrown */
export function noTerminal(
  { folder, files }: { readonly folder: string; readonly files: ShellFiles | undefined },
  error: unknown,
): DeskterityError {
  files?.removeAll();
  rmSync(folder, { recursive: true, force: true });
  if (error instanceof DeskterityError) return error;
  return new DeskterityError('ACTION_FAILED', 'The terminal could not be opened.', {
    suggestion: `Run ${mentionCommand('doctor')} to see what is wrong with this machine.`,
    platformDetail: error instanceof Error ? error.message : String(error),
    delivered: false,
    cause: error,
  });
}

/** Of the terminal that a user happens to sit at nothing holds for this one. */
function inTerminal(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { COLUMNS: _columns, LINES: _lines, ...rest } = environment;
  return { ...rest, TERM };
}

function unknownShell(shell: string): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `In ${shell} commands have no beginning and no end that can be seen, so it is not used.`,
    {
      suggestion: 'Set SHELL to bash, zsh, fish or a POSIX shell such as dash or ksh.',
      delivered: false,
    },
  );
}
