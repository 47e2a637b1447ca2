import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import type { ProgramReadsRequest } from '../../../../ports/sandbox.ts';

/**
 * What version managers and installers keep below the home: programs and libraries, and no settings, keys or tokens. Of folders that hold those,
 * too, only the parts without them.
 */
const KEPT_IN_HOME = [
  '.asdf',
  '.bun/bin',
  '.bun/install',
  '.cargo/bin',
  '.dotnet/dotnet',
  '.dotnet/host',
  '.dotnet/packs',
  '.dotnet/sdk',
  '.dotnet/shared',
  '.dotnet/tools',
  '.elan',
  '.fnm',
  '.ghcup',
  '.goenv',
  '.jdks',
  '.jenv',
  '.juliaup',
  '.local/pipx',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx',
  '.local/share/pnpm',
  '.local/share/pypoetry/venv',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.nodenv',
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.rustup/settings.toml',
  '.rustup/toolchains',
  '.sdkman/candidates',
  '.volta',
] as const;

/** Where a variable says that such a folder is elsewhere, what of it is read. */
const KEPT_BY_VARIABLE: Readonly<Record<string, readonly string[]>> = {
  ASDF_DATA_DIR: ['.'],
  NVM_DIR: ['.'],
  PYENV_ROOT: ['.'],
  RBENV_ROOT: ['.'],
  RUSTUP_HOME: ['toolchains', 'settings.toml'],
  VOLTA_HOME: ['.'],
};

/** What lies beside programs and is of no use without them. */
const BESIDE_PROGRAMS = ['lib', 'lib64', 'libexec'];

/** Something by which a folder that programs were installed into is known to hold nothing else: Conda, Python, Go, Java, Ruby. */
const MARKS_OF_INSTALLATIONS = ['conda-meta', 'pyvenv.cfg', 'pkg/tool', 'lib/modules', 'specifications'];

/** Folders of folders of all programs: keyrings and logs among them. */
const TOO_WIDE = new Set(['.local/share', '.local/state']);

/** Looking takes a millisecond, and many commands may be started at once. */
const FRESH_MS = 2000;

let latest:
  | { readonly key: string; readonly at: number; readonly answer: Promise<readonly string[]> }
  | undefined;

/**
 * Folders of the home that confined programs may read: those of the PATH, and what version managers keep there. Without them a compiler or
 * interpreter that was installed for one user could not be run. Absolute, with links resolved, sorted; as they were within the last two seconds.
 */
export async function programReads(request: ProgramReadsRequest): Promise<readonly string[]> {
  const { environment, withheld } = request;
  const names = ['HOME', 'PATH', ...Object.keys(KEPT_BY_VARIABLE)];
  const key = JSON.stringify([names.map((name) => environment[name]), withheld]);
  if (latest?.key !== key || performance.now() - latest.at > FRESH_MS)
    latest = { key, at: performance.now(), answer: lookUp(request) };
  return latest.answer;
}

async function lookUp({ environment, withheld }: ProgramReadsRequest): Promise<readonly string[]> {
  const [home] = await there([environment['HOME'] ?? '']);
  if (home === undefined) return [];
  const own = await there(withheld);
  const found = await Promise.all([
    there(KEPT_IN_HOME.map((place) => join(home, place))),
    there(keptByVariable(environment)),
    ...(environment['PATH'] ?? '').split(delimiter).map(async (path) => programFolder(home, path)),
  ]);
  const paths = [...new Set(found.flat())]
    .filter((path) => isBelow(home, path))
    .filter((path) => !own.some((folder) => isIn(path, folder) || isIn(folder, path)));
  return paths.filter((path) => !paths.some((other) => isBelow(other, path))).toSorted();
}

function keptByVariable(environment: ProgramReadsRequest['environment']): string[] {
  return Object.entries(KEPT_BY_VARIABLE).flatMap(([name, parts]) => {
    const folder = environment[name] ?? '';
    return isAbsolute(folder) ? parts.map((part) => join(folder, part)) : [];
  });
}

/** A folder of the PATH, with what its programs need beside them. */
async function programFolder(home: string, path: string): Promise<readonly string[]> {
  const [folder] = await there([path]);
  if (folder === undefined || !isBelow(home, folder) || isTooWide(home, folder)) return [];
  const around = dirname(folder);
  if (around === home) return [folder];
  if (basename(around) === 'node_modules') return [around];
  const marks = await there(MARKS_OF_INSTALLATIONS.map((mark) => join(around, mark)));
  if (marks.length > 0 && !isTooWide(home, around)) return [around];
  return [folder, ...(await there(BESIDE_PROGRAMS.map((name) => join(around, name))))];
}

/** The home itself, and hidden folders in it, which are of programs that may keep anything there. */
function isTooWide(home: string, folder: string): boolean {
  const way = relative(home, folder);
  return way === '' || TOO_WIDE.has(way) || /^\.[^/]*$/.test(way);
}

/** Those that are there, with links resolved. */
async function there(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => (isAbsolute(path) ? realpath(path).catch(() => undefined) : undefined)),
  );
  return found.filter((path) => path !== undefined);
}

function isIn(folder: string, path: string): boolean {
  return folder === path || isBelow(folder, path);
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder;
}
