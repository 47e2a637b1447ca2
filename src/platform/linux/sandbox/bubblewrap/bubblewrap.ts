import type { Confinement } from '../../../../model/tools/confinement.ts';
import type { SystemReads } from '../landlock/system-reads.ts';

/** Descriptor at which bubblewrap reads the filter of system calls. */
export const FILTER_DESCRIPTOR = 3;

/**
 * The command that runs `command` in namespaces of its own by bubblewrap, held to the same rules as by Landlock; and chmod, stat and inotify
 * end at the sandbox, too, as the rest is not there. It cannot be started by a thread that Landlock confines: mounting is forbidden there.
 * @param program path of bwrap
 */
export function bubblewrapCommand(
  program: string,
  confinement: Confinement,
  system: SystemReads,
  command: readonly string[],
  cwd: string,
): [string, ...string[]] {
  return [
    program,
    '--unshare-all',
    ...(confinement.network ? ['--share-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...mounts(confinement, system).flat(),
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

/** Those of outer folders before those of inner ones: a later mount hides what is below it. */
function mounts(confinement: Confinement, system: SystemReads): string[][] {
  const { scope, read, write } = confinement;
  const readable = system.rules.filter(({ access }) => access !== 'device').map(({ path }) => path);
  const plain = readable.filter(
    (path) => path !== '/proc' && !system.inPart.some((folder) => path.startsWith(`${folder}/`)),
  );
  const placed: [string, string[]][] = [
    // Root could change the settings of the kernel in it.
    ['/proc', ['--proc', '/proc', '--remount-ro', '/proc']],
    ['/dev', ['--dev', '/dev']],
    ['/tmp', ['--tmpfs', '/tmp']],
    ...system.links.map(({ path, target }): [string, string[]] => [path, ['--symlink', target, path]]),
    ...[...plain, ...system.inPart, ...read].map((path): [string, string[]] => [
      path,
      ['--ro-bind-try', path, path],
    ]),
    ...system.withheld.map(({ path, kind }): [string, string[]] => [
      path,
      kind === 'folder' ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path],
    ]),
    ...[scope, ...write].map((path): [string, string[]] => [path, ['--bind', path, path]]),
  ];
  return placed.toSorted(([a], [b]) => depthOf(a) - depthOf(b)).map(([, mount]) => mount);
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
