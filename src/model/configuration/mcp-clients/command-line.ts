import { mentionParameter } from '../../text/mention.ts';
import type { McpClient } from './clients.ts';
import type { CommandLine } from './server-entry.ts';

/** The names of our program. The first is short, so another program may have it. */
export const PROGRAM_NAMES = ['desk', 'deskterity'] as const;

/** A program of one of our names that the caller's shell would find. */
export interface FoundProgram {
  readonly name: (typeof PROGRAM_NAMES)[number];
  readonly folder: string;
  /** Its file, with symbolic links resolved. */
  readonly file: string;
}

export interface StartRequest {
  readonly client: Pick<McpClient, 'title' | 'isTerminalProgram'>;
  readonly platform: string;
  /** In the order the shell would find them. */
  readonly found: readonly FoundProgram[];
  /** The running program; absent if it runs from source. */
  readonly program: { readonly node: string; readonly script: string } | undefined;
  /** Whether the command must not depend on the `PATH`. */
  readonly isAbsolute: boolean;
  /** Whether other users and machines read the configuration: their paths differ. */
  readonly isShared: boolean;
  readonly args: readonly string[];
}

/** Folders that are in the `PATH` of every program. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

/**
 * How a client starts Deskterity: by name, which survives an update, if that is certain to be found; else by Node and the file. `note` says what
 * may go wrong.
 */
export function startLine(request: StartRequest): CommandLine & { readonly note?: string } {
  const { client, platform, program, isAbsolute, isShared, args } = request;
  const own = request.found.find(
    ({ name, file }) => name === 'deskterity' || file === program?.script || /[\\/]desk\.cjs$/.test(file),
  );
  if (isShared && !isAbsolute) {
    const name = own?.name ?? PROGRAM_NAMES[0];
    const note = `Everyone who uses this project needs Deskterity's "${name}" in the PATH; it is not in yours.`;
    return { command: name, args, ...(own === undefined ? { note } : {}) };
  }
  // Windows does not start scripts by name.
  if (own !== undefined && !isAbsolute && platform !== 'win32') {
    const isSure = client.isTerminalProgram || SYSTEM_FOLDERS.includes(own.folder);
    const note = `${client.title} must have ${own.folder} in its PATH; if it does not find "${own.name}", install again with ${mentionParameter('absolute')}.`;
    return { command: own.name, args, ...(isSure ? {} : { note }) };
  }
  if (program !== undefined)
    return {
      command: program.node,
      args: [program.script, ...args],
      ...(isAbsolute || platform === 'win32'
        ? {}
        : {
            note: 'Deskterity\'s "desk" is not in your PATH, so the entry names Node and the file; install again if either moves.',
          }),
    };
  return {
    command: 'desk',
    args,
    note: 'Deskterity is not installed here; "desk" must be in the PATH of the client.',
  };
}
