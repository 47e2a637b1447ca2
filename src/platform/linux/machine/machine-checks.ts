import { DeskterityError } from '../../../model/effects/errors.ts';
import type { PermissionReport } from '../../../ports/desktop.ts';
import type { Environment } from './desktop-environment.ts';
import { findPrograms } from '../private-desktop/programs.ts';

type Check = PermissionReport['checks'][number];

/** Settings that keep a toolkit's applications from showing their trees, and whose they are. */
const DARKENING: readonly (readonly [
  name: string,
  isDarkening: (value: string) => boolean,
  whose: string,
])[] = [
  ['NO_AT_BRIDGE', (value) => value !== '' && value !== '0', 'GTK 3'],
  ['GTK_A11Y', (value) => value === 'none' || value === 'test', 'GTK 4'],
  ['QT_ACCESSIBILITY', (value) => value === '0', 'Qt 5'],
  ['ACCESSIBILITY_ENABLED', (value) => value === '0', 'Chromium'],
  ['GNOME_ACCESSIBILITY', (value) => value === '0', 'Firefox'],
  ['SAL_USE_VCLPLUGIN', (value) => value !== '' && value !== 'gtk3', 'LibreOffice'],
];

/** What is installed and set on this machine that decides about desktops. */
export function machineChecks(environment: Environment): readonly Check[] {
  return [privateDesktop(environment), variables(environment)];
}

function privateDesktop(environment: Environment): Check {
  const name = 'private-desktop';
  try {
    findPrograms({
      path: environment['PATH'] ?? '',
      dataFolders: environment['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share',
    });
    return { name, ok: true, detail: 'Everything that a private desktop is made of is installed.' };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return { name, ok: false, detail: error.message, fix: error.suggestion };
  }
}

function variables(environment: Environment): Check {
  const name = 'environment';
  const found = DARKENING.filter(([variable, isDarkening]) => isDarkening(environment[variable] ?? ''));
  if (found.length === 0)
    return { name, ok: true, detail: 'No variable keeps applications from showing their trees.' };
  const said = found.map(([variable, , whose]) => `${variable} keeps ${whose} applications dark`);
  return {
    name,
    ok: false,
    detail: `${said.join(', ')}.`,
    fix: `Run "unset ${found.map(([variable]) => variable).join(' ')}", also where your session sets it, and start the applications again.`,
  };
}
