import type { CallOptions, PermissionReport } from '../../../ports/desktop.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { AccessibilityBus } from '../atspi/bus/accessibility-bus.ts';
import { X11Connection } from '../display/x11/connection.ts';

type Check = PermissionReport['checks'][number];

/**
 * What reading and working this desktop needs, and whether it is there. With `request` accessibility is switched on for the desktop:
 * the setting persists, which is why nothing else ever does it on a user's own desktop.
 */
export async function checkPermissions(
  environment: Readonly<Record<string, string | undefined>>,
  options: CallOptions & { readonly request: boolean },
): Promise<PermissionReport> {
  const checks = [
    ...(await checkDisplay(environment, options)),
    ...(await checkAccessibility(environment, options)),
  ];
  return { granted: checks.every((check) => check.ok), checks };
}

/** The same over connections that are there: opening others costs more than all the rest of a greeting. @throws DeskterityError */
export async function checkConnected(
  { x11, bus }: { readonly x11: X11Connection; readonly bus: AccessibilityBus },
  options: CallOptions,
): Promise<PermissionReport> {
  const [windowManager, isEnabled] = await Promise.all([
    x11.windowManagerName(options),
    bus.isEnabled(options),
  ]);
  const checks = [...displayChecks(x11.display, windowManager), ...accessibilityChecks(isEnabled)];
  return { granted: checks.every((check) => check.ok), checks };
}

async function checkDisplay(
  environment: Readonly<Record<string, string | undefined>>,
  options: CallOptions,
): Promise<Check[]> {
  const display = environment['DISPLAY'];
  if (!display) {
    return [
      {
        name: 'display',
        ok: false,
        detail: 'DISPLAY is not set.',
        fix: 'Run inside a desktop session, or start a private desktop: npm run desktop -- COMMAND.',
      },
    ];
  }
  try {
    const x11 = await X11Connection.connect(display, { ...options, xauthority: environment['XAUTHORITY'] });
    const windowManager = await x11.windowManagerName(options).finally(() => x11.close());
    return displayChecks(display, windowManager);
  } catch (error) {
    return [failed('display', error)];
  }
}

function displayChecks(display: string, windowManager: string | undefined): Check[] {
  return [
    { name: 'display', ok: true, detail: `X11 display ${display}.` },
    windowManager === undefined
      ? {
          name: 'window-manager',
          ok: false,
          detail: 'No EWMH window manager is running.',
          fix: 'Start one, such as openbox.',
        }
      : { name: 'window-manager', ok: true, detail: `${windowManager}.` },
  ];
}

async function checkAccessibility(
  environment: Readonly<Record<string, string | undefined>>,
  options: CallOptions & { readonly request: boolean },
): Promise<Check[]> {
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

function accessibilityChecks(isEnabled: boolean): Check[] {
  return [
    { name: 'accessibility-bus', ok: true, detail: 'The accessibility bus answers.' },
    isEnabled
      ? { name: 'accessibility-enabled', ok: true, detail: 'Applications are told to show their trees.' }
      : {
          name: 'accessibility-enabled',
          ok: false,
          detail: 'Accessibility is off: Firefox, Chromium and Qt 6 applications show no tree.',
          fix: 'Run "desk permissions --request" (the setting persists), then restart Qt and Chromium applications.',
        },
  ];
}

function failed(name: string, error: unknown): Check {
  if (error instanceof DeskterityError)
    return { name, ok: false, detail: error.message, fix: error.suggestion };
  return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
}
