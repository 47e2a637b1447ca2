import { mentionParameter } from '../../text/mention.ts';
import type { McpClient } from './clients.ts';
import type { CommandLine } from './server-entry.ts';

/** Names that our package gives its program. The first is short, and so may be somebody else's. */
export const PROGRAM_NAMES = ['desk', 'deskterity'] as const;

/** A program of one of our names that the caller's shell would find. */
export interface FoundProgram {
  readonly name: (typeof PROGRAM_NAMES)[number];
  readonly folder: string;
  /** Its file, with every link followed. */
  readonly file: string;
}

export interface StartRequest {
  readonly client: Pick<McpClient, 'title' | 'isTerminalProgram'>;
  readonly platform: string;
  /** In the order the shell would find them. */
  readonly found: readonly FoundProgram[];
  /** This very program; absent where it runs from source. */
  readonly program: { readonly node: string; readonly script: string } | undefined;
  /** No name that has to be looked up. */
  readonly isAbsolute: boolean;
  /** Written where other people and machines read it too: their files lie elsewhere. */
  readonly isShared: boolean;
  readonly args: readonly string[];
}

/** Folders in which every program looks, whatever it was started from. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

/**
 * How a client starts Deskterity: by name, which outlives an update, where that is sure to find it; else by Node and the file, which always does.
 * `note` says what may go wrong with it.
 */
export function startLine(request: StartRequest): CommandLine & { readonly note?: string } {
  const { client, platform, program, isAbsolute, isShared, args } = request;
  const own = request.found.find(
    ({ name, file }) => name === 'deskterity' || file === program?.script || /[\\/]desk\.cjs$/.test(file),
  );
  if (isShared && !isAbsolute) {
    const name = own?.name ?? PROGRAM_NAMES[0];
    const note = `Everyone who uses this project needs "${name}" of Deskterity in the PATH; here it is not.`;
    return { command: name, args, ...(own === undefined ? { note } : {}) };
  }
  // Windows starts no script by its name alone.
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
            note: 'No "desk" of Deskterity is in your PATH, so Node and the file are named; install again when either moves.',
          }),
    };
  return {
    command: 'desk',
    args,
    note: 'Deskterity is not installed here; "desk" must be in the PATH of the client.',
  };
}
