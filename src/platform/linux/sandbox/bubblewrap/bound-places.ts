import { closeSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import type { Confinement } from '../../../../model/tools/confinement.ts';
import { openPlace } from '../open-place.ts';
import { FILTER_DESCRIPTOR } from './bubblewrap.ts';

const HELP_MS = 5000;

/** The places of a confinement, opened and checked, for bubblewrap to mount what was opened. */
export class BoundPlaces {
  readonly descriptors: number[] = [];
  /** By path, the number in the process of bubblewrap. */
  readonly numbers = new Map<string, number>();
  isOpen = false;

  /** @throws SandboxProblem */
  open({ scope, read, write, same = [] }: Confinement): void {
    this.isOpen = true;
    for (const path of new Set([scope, ...write, ...read])) {
      const descriptor = openPlace(
        path,
        same.find((place) => place.path === path),
      );
      if (descriptor === undefined) continue;
      this.descriptors.push(descriptor);
      this.numbers.set(path, FILTER_DESCRIPTOR + this.descriptors.length);
    }
  }

  close(): void {
    for (const descriptor of this.descriptors.splice(0)) closeSync(descriptor);
  }
}

const known = new Map<string, boolean>();

/** Whether this bubblewrap can mount an open descriptor: since 0.10, and in older versions that were repaired. */
export function bindsDescriptors(program: string): boolean {
  let binds = known.get(program);
  if (binds === undefined) {
    try {
      binds = execFileSync(program, ['--help'], { encoding: 'utf8', timeout: HELP_MS }).includes(
        '--ro-bind-fd ',
      );
    } catch {
      binds = false;
    }
    known.set(program, binds);
  }
  return binds;
}

const CHECK = `place=$1 same=$2; shift 2
[ "$(/usr/bin/stat -Lc %d:%i -- "$place")" = "$same" ] && exec "$@"
echo "The folder $place has been replaced since this call was checked. Nothing was run." >&2
exit 126`;

/** The command for an older bubblewrap: a shell inside looks again, where nothing can replace what is mounted. */
export function checkedInside(
  { same = [] }: Pick<Confinement, 'same'>,
  command: readonly string[],
): readonly string[] {
  return same.reduce<readonly string[]>(
    (inner, { path, device, inode }) => ['/bin/sh', '-c', CHECK, 'sh', path, `${device}:${inode}`, ...inner],
    command,
  );
}
