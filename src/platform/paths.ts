import { existsSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** The folders that Deskterity uses; they may not exist yet. */
export interface Paths {
  /** Data that must survive a restart: sessions and their refs. */
  readonly state: string;
  /** Data that can be recreated. */
  readonly cache: string;
  /** The user's own files. */
  readonly config: string;
}

/** Folders by the XDG Base Directory Specification: relative XDG variables are ignored, and a missing HOME is looked up. */
export function resolvePaths(
  environment: Readonly<Record<string, string | undefined>>,
  home: () => string = homeFolder,
): Paths {
  const base = (variable: string, fallback: string) => {
    const value = environment[variable];
    if (value !== undefined && isAbsolute(value)) return join(value, 'deskterity');
    const own = environment['HOME'];
    return join(own !== undefined && isAbsolute(own) ? own : home(), fallback, 'deskterity');
  };
  return {
    state: base('XDG_STATE_HOME', '.local/state'),
    cache: base('XDG_CACHE_HOME', '.cache'),
    config: base('XDG_CONFIG_HOME', '.config'),
  };
}

/** The user's home from the user database; without an entry, a folder of their own in the temporary folder. */
function homeFolder(): string {
  for (const lookUp of [() => userInfo().homedir, homedir]) {
    try {
      const home = lookUp();
      if (isAbsolute(home)) return home;
    } catch {
      // A user id without an entry in the user database.
    }
  }
  return join(tmpdir(), `deskterity-${process.getuid?.() ?? 'user'}`);
}

/** The folder for log files, below the cache folder. */
export function logFolder(cacheFolder: string): string {
  return join(cacheFolder, 'logs');
}

/** The log file of a moment's local day, which `platform/node/logs` writes. */
export function dailyLogFile(
  environment: Readonly<Record<string, string | undefined>>,
  moment: Date,
): string {
  return join(logFolder(resolvePaths(environment).cache), `deskterity-${localDay(moment)}.log`);
}

/** The local day, as `2026-01-31`. */
export function localDay(moment: Date): string {
  const [year, month, day] = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map(String);
  return `${year?.padStart(4, '0')}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
}

/** Longest path a socket may have; the kernel's own limit is 107 bytes on Linux and 103 on macOS. */
const LONGEST_SOCKET_PATH = 100;

/** Parent of the users' runtime folders. */
const RUNTIME_FOLDERS = '/run/user';

/**
 * The socket of this user's daemon: one per runtime folder. Its folder may not exist yet. Programs often start with a minimal environment
 * but should still reach the daemon of the user's shells; a private TMPDIR has its own daemon.
 */
export function daemonSocket(
  environment: Readonly<Record<string, string | undefined>>,
  runtimeFolders = RUNTIME_FOLDERS,
): string {
  return runtimeSocket(environment, 'daemon.sock', runtimeFolders);
}

/** The socket of the holder with this name, in the folder of {@link daemonSocket}. */
export function holderSocket(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  runtimeFolders = RUNTIME_FOLDERS,
): string {
  return runtimeSocket(environment, `h-${name}.sock`, runtimeFolders);
}

function runtimeSocket(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  runtimeFolders: string,
): string {
  const user = process.getuid?.() ?? 'user';
  const asked = environment['TMPDIR'];
  const temporary = asked !== undefined && isAbsolute(asked) ? asked : undefined;
  const runtime =
    environment['XDG_RUNTIME_DIR'] ||
    (temporary === undefined ? usualRuntimeFolder(join(runtimeFolders, String(user))) : undefined);
  const path =
    runtime !== undefined && isAbsolute(runtime) && isOwnFolder(runtime)
      ? join(runtime, 'deskterity', name)
      : join(temporary ?? tmpdir(), `deskterity-${user}`, name);
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return path;
  return join('/tmp', `deskterity-${user}`, `${shortHash(path)}.sock`);
}

/** The folder, if other users have no access to it. */
function usualRuntimeFolder(folder: string): string | undefined {
  try {
    return (lstatSync(folder).mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates the folder of a socket if it is missing.
 * @returns why no socket in it can be used, as the end of a sentence; `undefined` if it can
 */
export function socketFolderProblem(socket: string): string | undefined {
  const folder = dirname(socket);
  try {
    makeFolder(folder);
  } catch (error) {
    return `cannot be created (${codeOf(error)})`;
  }
  return existingFolderProblem(folder);
}

/** Node's recursive mkdir never returns below /proc, which reports forbidden folders as ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The same for an existing folder: another user who can write to it could impersonate the daemon. */
export function existingFolderProblem(folder: string): string | undefined {
  try {
    const facts = lstatSync(folder);
    if (!facts.isDirectory()) return 'is not a folder';
    const user = process.getuid?.();
    if (user === undefined) return undefined;
    if (facts.uid !== user) return `belongs to another user (${facts.uid})`;
    return (facts.mode & 0o022) === 0 ? undefined : 'can be written by other users';
  } catch (error) {
    return `cannot be inspected (${codeOf(error)})`;
  }
}

/**
 * Whether a process is running. A zombie is not, although it accepts signals: in a container whose first process does not reap children, a
 * killed process keeps its pid forever.
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  const fields = statFieldsOf(pid);
  // While a thread is still exiting, files and sockets remain open, whatever the state. Some systems lack these fields.
  return fields === undefined || !/^[ZX]/.test(fields[0] ?? '') || Number(fields[17]) > 1;
}

/** When a process started, in clock ticks; distinguishes it from a later one with the same pid. `undefined` if unknown. */
export function startTimeOf(pid: number): string | undefined {
  const fields = statFieldsOf(pid);
  return fields?.[0] === 'Z' ? 'ended' : fields?.[19];
}

/** Program and arguments of a process; empty if unknown. */
export function commandLineOf(pid: number): readonly string[] {
  return readProcess(pid, 'cmdline')?.split('\0') ?? [];
}

/** The fields from the state on: the name before it, in parentheses, may contain anything. */
function statFieldsOf(pid: number): readonly string[] | undefined {
  const text = readProcess(pid, 'stat');
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function isOwnFolder(path: string): boolean {
  try {
    const facts = statSync(path);
    const user = process.getuid?.();
    return facts.isDirectory() && (user === undefined || facts.uid === user);
  } catch {
    return false;
  }
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** FNV-1a with two different seeds: enough to distinguish paths, without the cost of loading a cryptographic hash in every call. */
function shortHash(text: string): string {
  return [0x811c9dc5, 0x01000193]
    .map((start) => {
      let hash = start;
      for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
      return hash.toString(16).padStart(8, '0');
    })
    .join('');
}
