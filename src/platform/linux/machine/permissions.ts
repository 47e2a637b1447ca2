import { mentionCommand } from '../../../model/text/mention.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { PermissionReport } from '../../../ports/desktop/desktop.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { AccessibilityBus } from '../atspi/bus/accessibility-bus.ts';
import type { Checks, Display, DisplayConnection } from '../display/display.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import { DISPLAY_SERVERS } from '../private-desktop/display-server.ts';
import { findPrograms } from '../private-desktop/programs.ts';

type Check = Checks[number];

/**
 * Checks what is needed to read and operate this desktop. `request` turns accessibility on: that setting persists, so nothing else does
 * this on a user's own desktop.
 */
export async function checkPermissions(
  { display, environment }: { readonly display: Display; readonly environment: Environment },
  options: CallOptions & { readonly request: boolean },
): Promise<PermissionReport> {
  const checks = [
    ...(await checkDisplay(display, options)),
    ...(await checkAccessibility(environment, options)),
  ];
  return { granted: isGranted(checks), checks };
}

/** The same over existing connections: opening new ones would cost more than the rest of the handshake. @throws DeskterityError */
export async function checkConnected(
  { display, bus }: { readonly display: DisplayConnection; readonly bus: AccessibilityBus },
  options: CallOptions,
): Promise<PermissionReport> {
  const [displayChecks, isEnabled] = await Promise.all([display.check(options), bus.isEnabled(options)]);
  const checks = [...displayChecks, ...accessibilityChecks(isEnabled)];
  return { granted: isGranted(checks), checks };
}

function isGranted(checks: Checks): boolean {
  return checks.every(({ ok, optional }) => ok || optional === true);
}

async function checkDisplay(display: Display, options: CallOptions): Promise<Checks> {
  try {
    const connection = await display.connect(options);
    return await connection.check(options).finally(() => connection.close());
  } catch (error) {
    return [failed('display', error)];
  }
}

async function checkAccessibility(
  environment: Environment,
  options: CallOptions & { readonly request: boolean },
): Promise<Checks> {
  let bus: AccessibilityBus;
  try {
    bus = await AccessibilityBus.connect(environment['DBUS_SESSION_BUS_ADDRESS'], options);
  } catch (error) {
    return [failed('accessibility-bus', error)];
  }
  try {
    if (options.request && !(await bus.isEnabled(options))) await bus.enable(options);
    return accessibilityChecks(await bus.isEnabled(options));
  } catch (error) {
    return [failed('accessibility-enabled', error)];
  } finally {
    bus.close();
  }
}

function accessibilityChecks(isEnabled: boolean): Checks {
  return [
    { name: 'accessibility-bus', ok: true, detail: 'The accessibility bus answers.' },
    isEnabled
      ? { name: 'accessibility-enabled', ok: true, detail: 'Applications expose their trees.' }
      : {
          name: 'accessibility-enabled',
          ok: false,
          detail: 'Accessibility is off: Firefox, Chromium and Qt 6 applications expose no tree.',
          fix: `Run ${mentionCommand('permissions', { request: true })} (the setting persists), then restart Qt and Chromium applications.`,
        },
  ];
}

function failed(name: string, error: unknown): Check {
  if (error instanceof DeskterityError)
    return { name, ok: false, detail: error.message, fix: error.suggestion };
  return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
}

/** Variables that turn accessibility off in the applications of one toolkit. */
const DISABLING: readonly (readonly [
  name: string,
  isDisabling: (value: string) => boolean,
  toolkit: string,
])[] = [
  ['NO_AT_BRIDGE', (value) => value !== '' && value !== '0', 'GTK 3'],
  ['GTK_A11Y', (value) => value === 'none' || value === 'test', 'GTK 4'],
  ['QT_ACCESSIBILITY', (value) => value === '0', 'Qt 5'],
  ['ACCESSIBILITY_ENABLED', (value) => value === '0', 'Chromium'],
  ['GNOME_ACCESSIBILITY', (value) => value === '0', 'Firefox'],
  ['SAL_USE_VCLPLUGIN', (value) => value !== '' && value !== 'gtk3', 'LibreOffice'],
];

/** Checks of installed programs and of variables that matter to desktops. */
export function machineChecks(environment: Environment): readonly Check[] {
  return [privateDesktop(environment), variables(environment)];
}

function privateDesktop(environment: Environment): Check {
  const name = 'private-desktop';
  try {
    findPrograms(DISPLAY_SERVERS.x11.needed, {
      path: environment['PATH'] ?? '',
      dataFolders: environment['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share',
    });
    return { name, ok: true, detail: 'All programs for private desktops are installed.' };
  } catch (error) {
    return failed(name, error);
  }
}

function variables(environment: Environment): Check {
  const name = 'environment';
  const found = DISABLING.filter(([variable, isDisabling]) => isDisabling(environment[variable] ?? ''));
  if (found.length === 0)
    return { name, ok: true, detail: 'No environment variable turns accessibility off in applications.' };
  const said = found.map(
    ([variable, , toolkit]) => `${variable} turns accessibility off in ${toolkit} applications`,
  );
  return {
    name,
    ok: false,
    detail: `${said.join(', ')}.`,
    fix: `Run "unset ${found.map(([variable]) => variable).join(' ')}", also where your session sets it, and restart the applications.`,
  };
}
