import { existsSync } from 'node:fs';
import path from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { findProgram } from '../../node/find-program.ts';
import { readText } from '../../node/quiet-files.ts';
import { installCommand, packagesForPrograms, readOsRelease } from '../system-packages.ts';
import type { NeededProgram } from '../system-packages.ts';

/** Paths of the programs that make up a private desktop. */
export interface DesktopPrograms {
  /** @throws Error for a program that was not asked for */
  of(program: NeededProgram): string;
}

const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

export interface ProgramSearch {
  readonly path: string;
  readonly dataFolders: string;
  /** Folders to search after `path`; default the usual ones, which a user's PATH may lack. */
  readonly folders?: readonly string[] | undefined;
  /** Text of /etc/os-release; default the file's. */
  readonly osRelease?: string | undefined;
}

/** @throws DeskterityError DISPLAY_UNAVAILABLE naming this distribution's packages if a program is not installed */
export function findPrograms(needed: readonly NeededProgram[], search: ProgramSearch): DesktopPrograms {
  const folders = [search.path, ...(search.folders ?? USUAL_FOLDERS)].join(':');
  const found = new Map<NeededProgram, string>();
  for (const program of [...needed, 'dbus-daemon' as const]) {
    const file = findProgram(program, folders);
    if (file !== undefined) found.set(program, file);
  }
  const accessibility = search.dataFolders
    .split(':')
    .some((folder) => existsSync(path.join(folder, 'dbus-1/services/org.a11y.Bus.service')));
  const missing = [...needed, 'dbus-daemon' as const].filter((program) => !found.has(program));
  if (!accessibility) missing.push('at-spi-bus-launcher');
  if (missing.length > 0)
    throw missingPrograms(
      missing,
      search.osRelease ?? readText('/etc/os-release') ?? readText('/usr/lib/os-release') ?? '',
    );
  return {
    of: (program) => {
      const file = found.get(program);
      if (file === undefined) throw new Error(`${program} was not looked for.`);
      return file;
    },
  };
}

function missingPrograms(missing: readonly NeededProgram[], osRelease: string): DeskterityError {
  const { family } = readOsRelease(osRelease);
  const suggestion =
    family === undefined
      ? `Install ${missing.join(', ')} with your package manager.`
      : `Run "${installCommand(family, packagesForPrograms(missing, family))}" as root.`;
  return new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `A private desktop needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not installed.`,
    { suggestion },
  );
}
