import { basename, isAbsolute } from 'node:path';
import type { Environment } from '../../../model/sessions/caller.ts';

/** The variables that identify the user's desktop and its session bus. */
export const DESKTOP_VARIABLES = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'SWAYSOCK',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'DBUS_SESSION_BUS_ADDRESS',
] as const;

/** Set for every process of a private desktop; its value is the desktop's id, by which the supervisor finds them. */
export const PRIVATE_DESKTOP_MARKER = 'DESKTERITY_PRIVATE_DESKTOP';

/** Set for the dialogs in which we ask the user, so that no act reaches them. */
export const DIALOG_MARKER = 'DESKTERITY_DIALOG';

/**
 * Whether an environment leads to a Wayland display that we work by itself. Where an X display is named, too, that is an Xwayland: it is used for
 * compositors that are neither sway nor KWin nor Mutter.
 */
export function namesWayland(environment: Environment): boolean {
  const {
    WAYLAND_DISPLAY: display,
    XDG_RUNTIME_DIR: folder,
    SWAYSOCK: sway,
    DISPLAY: xDisplay,
  } = environment;
  return Boolean(
    display &&
    (folder || isAbsolute(display)) &&
    (sway || namesKde(environment) || namesGnome(environment) || !xDisplay),
  );
}

/** Whether an environment is that of KDE Plasma, whose compositor is KWin. */
export function namesKde(environment: Environment): boolean {
  return namesDesktop(environment, 'KDE');
}

/** Whether an environment is that of GNOME, whose compositor is Mutter. */
export function namesGnome(environment: Environment): boolean {
  return namesDesktop(environment, 'GNOME');
}

function namesDesktop(environment: Environment, name: string): boolean {
  return (environment['XDG_CURRENT_DESKTOP'] ?? '').split(':').includes(name);
}

/** The display named in an environment, without its screen: `:1.0` is `:1`. */
export function displayIn(environment: Environment): string | undefined {
  if (namesWayland(environment)) return basename(environment['WAYLAND_DISPLAY'] ?? '');
  const display = environment['DISPLAY'];
  return display ? displayName(display) : environment['WAYLAND_DISPLAY'] || undefined;
}

export function displayName(display: string): string {
  const [, host = '', number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return display;
  return `${/^unix\/?$/.test(host) ? '' : host}:${Number(number)}`;
}

/** Variables that select a desktop; always those of the desktop that a program starts on. */
const SELECTS_DESKTOP = /^(DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|AT_SPI_.*|WAYLAND_DISPLAY|SWAYSOCK)$/;

/**
 * The environment of a program on a desktop: the caller's variables if known, but always this desktop's display and buses. A private
 * desktop has its own environment, including HOME, and takes nothing from a caller outside it.
 */
export function programEnvironment(
  desktop: Environment,
  caller: Environment | undefined,
): Record<string, string> {
  const marker = desktop[PRIVATE_DESKTOP_MARKER];
  const isOutside = marker !== undefined && caller?.[PRIVATE_DESKTOP_MARKER] !== marker;
  if (caller === undefined || isOutside) return definedVariables(desktop);
  return {
    // With the marker of another private desktop, the program would end when that desktop does.
    ...definedVariables(caller, (name) => !SELECTS_DESKTOP.test(name) && name !== PRIVATE_DESKTOP_MARKER),
    ...definedVariables(desktop, (name) => SELECTS_DESKTOP.test(name) || name === PRIVATE_DESKTOP_MARKER),
  };
}

/** The wanted variables that have a value. */
export function definedVariables(
  variables: Environment,
  wanted: (name: string) => boolean = () => true,
): Record<string, string> {
  const entries = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
  );
  return Object.fromEntries(entries);
}
