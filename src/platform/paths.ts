import { existsSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** The folders Deskterity keeps things in; none of them need exist yet. */
export interface Paths {
  /** What must survive a restart: sessions and their refs. */
  readonly state: string;
  /** What can be made again. */
  readonly cache: string;
  /** What the user wrote. */
  readonly config: string;
}

/** Folders after the XDG base directory rules: a relative XDG variable is ignored, and a missing HOME is looked up. */
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

/** The user's home by the system's records; a folder of their own below the temporary one where there is no record. */
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

/** Folder of the log files below the cache folder. */
export function logFolder(cacheFolder: string): string {
  return join(cacheFolder, 'logs');
}

/** The log file of a moment's local day; `platform/node/logs` writes it. */
export function dailyLogFile(
  environment: Readonly<Record<string, string | undefined>>,
  moment: Date,
): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  const day = `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return join(logFolder(resolvePaths(environment).cache), `deskterity-${day}.log`);
}

/** Longest path a socket may have; the kernel's own limit is 107 bytes on Linux and 103 on macOS. */
const LONGEST_SOCKET_PATH = 100;

/** Where the system keeps the runtime folders of its users. */
const RUNTIME_FOLDERS = '/run/user';

/**
 * Where the daemon of this user listens: one for each runtime folder. Its folder need not exist yet. Programs that others start often get
 * but the barest environment, and shall meet the daemon of the user's shells all the same; a temporary folder of one's own keeps apart.
 */
export function daemonSocket(
  environment: Readonly<Record<string, string | undefined>>,
  runtimeFolders = RUNTIME_FOLDERS,
): string {
  return runtimeSocket(environment, 'daemon.sock', runtimeFolders);
}

/** Where the holder of this name listens; in the folder of {@link daemonSocket}. */
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

/** The folder, when nobody else can get into it. */
function usualRuntimeFolder(folder: string): string | undefined {
  try {
    return (lstatSync(folder).mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes the folder of a socket where it is missing.
 * @returns why nothing may listen or be asked there, as the end of a sentence; `undefined` when all is well
 */
export function socketFolderProblem(socket: string): string | undefined {
  const folder = dirname(socket);
  try {
    makeFolder(folder);
  } catch (error) {
    return `cannot be made (${codeOf(error)})`;
  }
  return existingFolderProblem(folder);
}

/** Node's own recursive mkdir never ends below /proc, which says ENOENT for what it does not allow. */
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

/** The same for a folder that is there: somebody else who can write in it could answer in the daemon's place. */
export function existingFolderProblem(folder: string): string | undefined {
  try {
    const facts = lstatSync(folder);
    if (!facts.isDirectory()) return 'is not a folder';
    const user = process.getuid?.();
    if (user === undefined) return undefined;
    if (facts.uid !== user) return `belongs to another user (${facts.uid})`;
    return (facts.mode & 0o022) === 0 ? undefined : 'can be written by other users';
  } catch (error) {
    return `cannot be looked at (${codeOf(error)})`;
  }
}

/**
 * Whether a process runs. One that has ended but was not yet collected by its parent does not, although signals still reach it: in a
 * container whose first process collects nobody, one that was killed keeps its number for good.
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  const fields = statFieldsOf(pid);
  // While a thread still ends, so do files and sockets still stay open, whatever the state says. Some systems do not have these fields.
  return fields === undefined || !/^[ZX]/.test(fields[0] ?? '') || Number(fields[17]) > 1;
}

/** When a process began, in ticks of the system; tells it from a later one with its number. `undefined` where that is not known. */
export function startTimeOf(pid: number): string | undefined {
  const fields = statFieldsOf(pid);
  return fields?.[0] === 'Z' ? 'ended' : fields?.[19];
}

/** Program and arguments of a process; empty where they are not known. */
export function commandLineOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** From the state on: the name before it, in parentheses, may hold anything. */
function statFieldsOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** FNV-1a, twice with different beginnings: tells paths apart; loading a cryptographic one would cost every call. */
function shortHash(text: string): string {
  return [0x811c9dc5, 0x01000193]
    .map((start) => {
      let hash = start;
      for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
      return hash.toString(16).padStart(8, '0');
    })
    .join('');
}
