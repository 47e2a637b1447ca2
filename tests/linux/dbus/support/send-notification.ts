import { BusConnection, Variant } from '../../../../src/platform/linux/dbus/index.ts';

const SERVICE = 'org.freedesktop.Notifications';
const DEADLINE = { deadlineMs: 10_000 };

/** Does what an application does to show a notification; where no service runs, it is refused, as for applications. */
export async function sendNotification(
  busAddress: string | undefined,
  summary: string,
  body = '',
): Promise<void> {
  const bus = await BusConnection.connect(busAddress ?? '', DEADLINE);
  try {
    const hints = new Map([['urgency', new Variant('y', 1)]]);
    const args = ['Contract', 0, '', summary, body, [], hints, -1];
    const call = { destination: SERVICE, path: '/org/freedesktop/Notifications', interface: SERVICE };
    await bus
      .call({ ...call, member: 'Notify', signature: 'susssasa{sv}i', args }, DEADLINE)
      .catch(() => undefined);
  } finally {
    bus.close();
  }
}
