import { accessSync, constants } from 'node:fs';
import { constants as osConstants } from 'node:os';
import type { Kernel } from '../libc-library.ts';
import { descriptorMoves } from './descriptor-moves.ts';

export interface SpawnDetails {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Open descriptors for standard output, standard error and 3 onwards; standard input is empty. With a terminal, only 3 onwards. */
  readonly descriptors: readonly number[];
  /** Path of the terminal that becomes its controlling terminal and standard input, output and error. */
  readonly terminal?: string | undefined;
}

/**
 * Starts a program in its own session from the calling thread, whose confinement it inherits. Unlike Node's fork, which copies all page
 * tables, the time does not depend on the size of this process.
 * @returns its pid, or the negative error number
 */
export type PosixSpawn = (details: SpawnDetails) => number;

const SET_SIGNAL_DEFAULTS = 0x04;
const SET_SIGNAL_MASK = 0x08;
const SET_SESSION = 0x80;
/** Larger than these structures in any C library; their content is opaque. */
const OPAQUE_BYTES = 1024;
const SIGNAL_SET_BYTES = 128;

const { EACCES, EINVAL, ENOENT, ENOEXEC, ENOTDIR } = osConstants.errno;

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
const SHELL = '/bin/sh';

export function posixSpawn(kernel: Kernel): PosixSpawn {
  const spawn = kernel.library('posix_spawn', 6);
  const actions = {
    init: kernel.library('posix_spawn_file_actions_init', 1),
    open: kernel.library('posix_spawn_file_actions_addopen', 5),
    close: kernel.library('posix_spawn_file_actions_addclose', 2),
    duplicate: kernel.library('posix_spawn_file_actions_adddup2', 3),
    enter: kernel.library('posix_spawn_file_actions_addchdir_np', 2),
    destroy: kernel.library('posix_spawn_file_actions_destroy', 1),
  };
  const attributes = spawnAttributes(kernel);
  const start = (file: string, words: readonly string[], details: SpawnDetails): number => {
    const fileActions = new Uint8Array(OPAQUE_BYTES);
    const pid = new Int32Array(1);
    actions.init(fileActions);
    try {
      const { terminal, descriptors } = details;
      const input = terminal ?? '/dev/null';
      // The first terminal that a session leader opens becomes its controlling terminal.
      const mode = terminal === undefined ? constants.O_RDONLY : constants.O_RDWR;
      actions.open(fileActions, 0, text(input), mode, 0);
      const given = terminal === undefined ? descriptors : [0, 0, ...descriptors];
      for (const move of descriptorMoves(given)) {
        if ('close' in move) actions.close(fileActions, move.close);
        else actions.duplicate(fileActions, move.from, move.to);
      }
      actions.enter(fileActions, text(details.cwd));
      const environment = Object.entries(details.environment).map(([name, value]) => `${name}=${value}`);
      const problem = spawn(
        pid,
        text(file),
        fileActions,
        attributes,
        textList(kernel, words),
        textList(kernel, environment),
      );
      return problem === 0 ? (pid[0] ?? 0) : -problem;
    } finally {
      actions.destroy(fileActions);
    }
  };
  return (details) => {
    const { command, environment } = details;
    if ([...command, details.cwd, ...Object.entries(environment).flat()].some((it) => it.includes('\0')))
      return -EINVAL;
    const [program, ...rest] = command;
    let problem = ENOENT;
    for (const file of candidates(program, environment['PATH'] ?? DEFAULT_PATH)) {
      const pid = start(file, command, details);
      if (pid > 0) return pid;
      // A script without a "#!" line.
      if (pid === -ENOEXEC) return start(SHELL, [SHELL, file, ...rest], details);
      // Like a shell: continue the search after a file that may not be executed.
      if (pid === -EACCES) problem = EACCES;
      else if (pid !== -ENOENT && pid !== -ENOTDIR) return pid;
    }
    return -problem;
  };
}

/** Default signal handling: Node ignores SIGPIPE, which programs would inherit. */
function spawnAttributes(kernel: Kernel): Uint8Array {
  const attributes = new Uint8Array(OPAQUE_BYTES);
  const none = new Uint8Array(SIGNAL_SET_BYTES);
  const all = new Uint8Array(SIGNAL_SET_BYTES).fill(0xff, 0, 8);
  kernel.library('posix_spawnattr_init', 1)(attributes);
  kernel.library('posix_spawnattr_setflags', 2)(
    attributes,
    SET_SIGNAL_DEFAULTS | SET_SIGNAL_MASK | SET_SESSION,
  );
  kernel.library('posix_spawnattr_setsigmask', 2)(attributes, none);
  kernel.library('posix_spawnattr_setsigdefault', 2)(attributes, all);
  return attributes;
}

function candidates(program: string, searchPath: string): string[] {
  if (program.includes('/')) return [program];
  return searchPath
    .split(':')
    .map((folder) => `${folder === '' ? '.' : folder}/${program}`)
    .filter((file) => canBeRun(file));
}

function canBeRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function text(value: string): Uint8Array {
  return Buffer.from(`${value}\0`);
}

/** A null-terminated array of string pointers. */
function textList(kernel: Kernel, values: readonly string[]): BigUint64Array {
  return new BigUint64Array([...values.map((value) => kernel.address(text(value))), 0n]);
}
