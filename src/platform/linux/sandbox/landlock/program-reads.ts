import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import type { ProgramReadsRequest } from '../../../../ports/sandbox.ts';

/**
 * Folders in HOME where version managers and installers store programs and libraries, but no settings, keys or tokens; of mixed folders,
 * only the parts without those.
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

/** Variables that relocate such a folder, with the parts to read. */
const KEPT_BY_VARIABLE: Readonly<Record<string, readonly string[]>> = {
  ASDF_DATA_DIR: ['.'],
  NVM_DIR: ['.'],
  PYENV_ROOT: ['.'],
  RBENV_ROOT: ['.'],
  RUSTUP_HOME: ['toolchains', 'settings.toml'],
  VOLTA_HOME: ['.'],
};

/** Folders next to programs that contain their libraries. */
const BESIDE_PROGRAMS = ['lib', 'lib64', 'libexec'];

/** Files that identify a pure installation folder: Conda, Python, Go, Java, Ruby. */
const INSTALLATION_MARKS = ['conda-meta', 'pyvenv.cfg', 'pkg/tool', 'lib/modules', 'specifications'];

/** Folders shared by all programs, which include keyrings and logs. */
const TOO_WIDE = new Set(['.local/share', '.local/state']);

/** A lookup takes a millisecond, and many commands may start at once. */
const FRESH_MS = 2000;

let latest:
  | { readonly key: string; readonly at: number; readonly answer: Promise<readonly string[]> }
  | undefined;

/**
 * Folders in HOME that confined programs may read: those in the PATH and those of version managers. Without them, compilers and interpreters
 * installed for one user could not run. Absolute, with links resolved, sorted; up to two seconds old.
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

/** A folder from the PATH, with the libraries next to it. */
async function programFolder(home: string, path: string): Promise<readonly string[]> {
  const [folder] = await there([path]);
  if (folder === undefined || !isBelow(home, folder) || isTooWide(home, folder)) return [];
  const around = dirname(folder);
  if (around === home) return [folder];
  if (basename(around) === 'node_modules') return [around];
  const marks = await there(INSTALLATION_MARKS.map((mark) => join(around, mark)));
  if (marks.length > 0 && !isTooWide(home, around)) return [around];
  return [folder, ...(await there(BESIDE_PROGRAMS.map((name) => join(around, name))))];
}

/** HOME itself, and hidden folders in it, where programs may store anything. */
function isTooWide(home: string, folder: string): boolean {
  const way = relative(home, folder);
  return way === '' || TOO_WIDE.has(way) || /^\.[^/]*$/.test(way);
}

/** The existing paths, with links resolved. */
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
