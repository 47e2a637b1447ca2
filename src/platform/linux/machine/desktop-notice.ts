import { DeskterityError } from '../../../model/effects/errors.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import type { DesktopNotice } from '../../../ports/platform.ts';
import { BusConnection, Variant } from '../dbus/index.ts';

const SERVICE = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
} as const;
/** Of the specification: as long as the service thinks right. */
const USUAL_TIME = -1;
const NORMAL = new Variant('y', 1);

/**
 * Shows the user of a session bus a notice by the service that their desktop has for it.
 * @throws DeskterityError BUS_UNAVAILABLE where there is no such bus, or nothing on it that shows notices
 */
export async function showDesktopNotice(
  busAddress: string | undefined,
  { summary, body }: DesktopNotice,
  options: CallOptions,
): Promise<void> {
  if (!busAddress) throw unavailable('DBUS_SESSION_BUS_ADDRESS is not set.');
  let bus: BusConnection | undefined;
  try {
    bus = await BusConnection.connect(busAddress, options);
    const [abilities] = await bus.call({ ...SERVICE, member: 'GetCapabilities' }, options);
    const text = Array.isArray(abilities) && abilities.includes('body-markup') ? escaped(body) : body;
    const hints = new Map([['urgency', NORMAL]]);
    const args = ['Deskterity', 0, '', summary, text, [], hints, USUAL_TIME];
    await bus.call({ ...SERVICE, member: 'Notify', signature: 'susssasa{sv}i', args }, options);
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : String(error), error);
  } finally {
    bus?.close();
  }
}

/** Where the service takes the body for markup; it never takes the summary for that. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unavailable(detail: string, cause?: unknown): DeskterityError {
  return new DeskterityError('BUS_UNAVAILABLE', 'No notice could be shown on the desktop.', {
    suggestion: 'Set terminal.notify to none, or start a program that shows notices, such as dunst or mako.',
    platformDetail: detail,
    cause,
  });
}
