import { BusError, Variant, type BusConnection } from '../../../dbus/index.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';

export const SHELL_NAME = 'org.gnome.Shell';
const SHELL_PATH = '/org/gnome/Shell';

/** Its name and version; the compositor may also be Mutter alone, without a shell. */
export async function compositorOf(bus: BusConnection, options: CallOptions): Promise<string> {
  const version = await shellProperty(bus, 'ShellVersion', options);
  return typeof version === 'string' && /^[\w.-]{1,20}$/.test(version) ? `GNOME Shell ${version}` : 'Mutter';
}

/** Whether the overview is shown, in which windows are elsewhere than they are. */
export async function isInOverview(bus: BusConnection, options: CallOptions): Promise<boolean> {
  return (await shellProperty(bus, 'OverviewActive', options)) === true;
}

async function shellProperty(bus: BusConnection, name: string, options: CallOptions): Promise<unknown> {
  try {
    const value = await bus.getProperty(SHELL_NAME, SHELL_PATH, SHELL_NAME, name, options);
    return value instanceof Variant ? value.value : value;
  } catch (error) {
    if (error instanceof BusError && !error.errorName.startsWith('local.')) return undefined;
    throw error;
  }
}
