import type { Confinement } from '../../../../model/tools/confinement.ts';
import type { SystemReads } from '../landlock/system-reads.ts';

/** Descriptor from which bubblewrap reads the system call filter. */
export const FILTER_DESCRIPTOR = 3;

/**
 * The bubblewrap command that runs `command` in its own namespaces, under the same rules as Landlock. In addition, chmod, stat and inotify
 * do not reach outside, where nothing is mounted. A thread confined by Landlock cannot start it, as Landlock forbids mounting.
 * @param program path of bwrap
 */
export function bubblewrapCommand(
  program: string,
  confinement: Confinement,
  system: SystemReads,
  command: readonly string[],
  { cwd, descriptors }: { readonly cwd: string; readonly descriptors?: ReadonlyMap<string, number> },
): [string, ...string[]] {
  return [
    program,
    '--unshare-all',
    ...(confinement.network ? ['--share-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...mounts(confinement, system, descriptors).flat(),
    '--remount-ro',
    '/',
    '--seccomp',
    String(FILTER_DESCRIPTOR),
    '--chdir',
    cwd,
    '--',
    ...command,
  ];
}

/** Outer folders before inner ones, as a later mount hides everything below it. */
function mounts(
  confinement: Confinement,
  system: SystemReads,
  descriptors: ReadonlyMap<string, number> | undefined,
): string[][] {
  const bind = (option: '--bind' | '--ro-bind', path: string): string[] => {
    const descriptor = descriptors?.get(path);
    // Bubblewrap would follow a link at the path, which could have been put there meanwhile.
    if (descriptor !== undefined) return [`${option}-fd`, String(descriptor), path];
    return [option === '--bind' ? option : '--ro-bind-try', path, path];
  };
  const { scope, read, write } = confinement;
  const readable = system.rules.filter(({ access }) => access !== 'device').map(({ path }) => path);
  const plain = readable.filter(
    (path) => path !== '/proc' && !system.partial.some((folder) => path.startsWith(`${folder}/`)),
  );
  const placed: [string, string[]][] = [
    // Read-only, as root could change kernel settings in it.
    ['/proc', ['--proc', '/proc', '--remount-ro', '/proc']],
    ['/dev', ['--dev', '/dev']],
    ['/tmp', ['--tmpfs', '/tmp']],
    ...system.links.map(({ path, target }): [string, string[]] => [path, ['--symlink', target, path]]),
    ...[...plain, ...system.partial].map((path): [string, string[]] => [path, ['--ro-bind-try', path, path]]),
    ...read.map((path): [string, string[]] => [path, bind('--ro-bind', path)]),
    ...system.withheld.map(({ path, kind }): [string, string[]] => [
      path,
      kind === 'folder' ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path],
    ]),
    ...[scope, ...write].map((path): [string, string[]] => [path, bind('--bind', path)]),
  ];
  return placed.toSorted(([a], [b]) => depthOf(a) - depthOf(b)).map(([, mount]) => mount);
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
