import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DeskterityError } from '../../../model/errors.ts';
import { installCommand, packagesForPrograms, readOsRelease } from '../system-packages.ts';
import type { NeededProgram } from '../system-packages.ts';

/** The programs a private desktop is made of, as paths. */
export interface DesktopPrograms {
  readonly xServer: string;
  readonly windowManager: string;
  readonly busDaemon: string;
}

export interface ProgramSearch {
  readonly path: string;
  readonly dataFolders: string;
  /** Text of /etc/os-release; read when absent. */
  readonly osRelease?: string | undefined;
}

/** @throws DeskterityError DISPLAY_UNAVAILABLE naming the packages of this distribution when a program is not installed. */
export function findPrograms(search: ProgramSearch): DesktopPrograms {
  const xServer = findProgram('Xvfb', search.path);
  const windowManager = findProgram('openbox', search.path);
  const busDaemon = findProgram('dbus-daemon', search.path);
  const accessibility = search.dataFolders
    .split(':')
    .some((folder) => existsSync(path.join(folder, 'dbus-1/services/org.a11y.Bus.service')));
  if (xServer !== undefined && windowManager !== undefined && busDaemon !== undefined && accessibility) {
    return { xServer, windowManager, busDaemon };
  }
  const missing: NeededProgram[] = [];
  if (xServer === undefined) missing.push('Xvfb');
  if (windowManager === undefined) missing.push('openbox');
  if (busDaemon === undefined) missing.push('dbus-daemon');
  if (!accessibility) missing.push('at-spi-bus-launcher');
  throw missingPrograms(missing, search.osRelease ?? osReleaseText());
}

/** The path of an executable on `searchPath` (with the usual folders behind it). */
export function findProgram(name: string, searchPath: string): string | undefined {
  const folders = [...searchPath.split(':'), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  for (const folder of folders) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

function osReleaseText(): string {
  for (const file of ['/etc/os-release', '/usr/lib/os-release']) {
    if (existsSync(file)) return readFileSync(file, 'utf8');
  }
  return '';
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
