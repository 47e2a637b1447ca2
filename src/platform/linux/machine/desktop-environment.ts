export type Environment = Readonly<Record<string, string | undefined>>;

/** Every process of a private desktop carries this variable; its value is the desktop's id. */
export const PRIVATE_DESKTOP_MARKER = 'DESKTERITY_PRIVATE_DESKTOP';

/** The display that an environment names: `:1.0` is `:1`. */
export function displayIn(environment: Environment): string | undefined {
  const display = environment['DISPLAY'];
  return display ? displayName(display) : environment['WAYLAND_DISPLAY'] || undefined;
}

export function displayName(display: string): string {
  const [, host = '', number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return display;
  return `${/^unix\/?$/.test(host) ? '' : host}:${Number(number)}`;
}

/** What leads a program to a desktop, and therefore never comes from anywhere else. */
const LEADS_TO_DESKTOP = /^(DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|AT_SPI_.*|WAYLAND_DISPLAY)$/;

/**
 * The environment of a program on a desktop: the caller's variables where there are any, but always this desktop's display and buses. A
 * private desktop has an environment of its own, HOME included, and takes nothing from a caller outside it.
 */
export function programEnvironment(
  desktop: Environment,
  caller: Environment | undefined,
): Record<string, string> {
  const marker = desktop[PRIVATE_DESKTOP_MARKER];
  const isOutside = marker !== undefined && caller?.[PRIVATE_DESKTOP_MARKER] !== marker;
  if (caller === undefined || isOutside) return defined(desktop, () => true);
  return {
    // The marker of another, private desktop would have the program ended with that one.
    ...defined(caller, (name) => !LEADS_TO_DESKTOP.test(name) && name !== PRIVATE_DESKTOP_MARKER),
    ...defined(desktop, (name) => LEADS_TO_DESKTOP.test(name) || name === PRIVATE_DESKTOP_MARKER),
  };
}

function defined(variables: Environment, wanted: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
  );
  return Object.fromEntries(entries);
}
