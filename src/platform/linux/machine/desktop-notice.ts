import { DeskterityError } from '../../../model/effects/errors.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopNotice } from '../../../ports/platform.ts';
import { BusConnection, Variant } from '../dbus/index.ts';

const SERVICE = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
} as const;
/** Desktop Notifications Specification: the server chooses the timeout. */
const DEFAULT_TIMEOUT = -1;
const NORMAL = new Variant('y', 1);

/**
 * Shows a notification through the notification service on a session bus.
 * @throws DeskterityError BUS_UNAVAILABLE without a session bus or a notification service on it
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
    const [capabilities] = await bus.call({ ...SERVICE, member: 'GetCapabilities' }, options);
    const text = Array.isArray(capabilities) && capabilities.includes('body-markup') ? escaped(body) : body;
    const hints = new Map([['urgency', NORMAL]]);
    const args = ['Deskterity', 0, '', summary, text, [], hints, DEFAULT_TIMEOUT];
    await bus.call({ ...SERVICE, member: 'Notify', signature: 'susssasa{sv}i', args }, options);
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : String(error), error);
  } finally {
    bus?.close();
  }
}

/** For services that read the body as markup; the summary is always plain text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unavailable(detail: string, cause?: unknown): DeskterityError {
  return new DeskterityError('BUS_UNAVAILABLE', 'The desktop notification could not be shown.', {
    suggestion: 'Set terminal.notify to none, or start a notification service such as dunst or mako.',
    platformDetail: detail,
    cause,
  });
}
