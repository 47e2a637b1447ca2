import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopNotification } from '../../../ports/notifications.ts';
import { BusConnection, type MethodCallMessage } from '../dbus/index.ts';

const NOTIFICATIONS = 'org.freedesktop.Notifications';
const NOTIFY = 'Notify';
const RULE = `type='method_call',interface='${NOTIFICATIONS}',member='${NOTIFY}'`;

/**
 * Calls `listener` with each notification that programs ask the session bus to show. It monitors these calls on a connection of its own and owns no
 * name, so the desktop's own notification service, if there is one, does not notice.
 * @throws BusError if the bus does not let us monitor it
 */
export async function watchNotifications(
  address: string,
  listener: (notice: DesktopNotification | 'lost') => void,
  options: CallOptions,
): Promise<() => void> {
  const connection = await BusConnection.connect(address, options);
  let isOver = false;
  connection.onClose(() => {
    if (!isOver) listener('lost');
  });
  const end = (): void => {
    isOver = true;
    connection.close();
  };
  try {
    await connection.monitor(
      [RULE],
      (call) => {
        const notice = toNotification(call);
        if (notice !== undefined) listener(notice);
      },
      options,
    );
    return end;
  } catch (error) {
    end();
    throw error;
  }
}

/** The first of the arguments `susssasa{sv}i`; `undefined` for any other call: no program may crash this one. */
export function toNotification(
  call: Pick<MethodCallMessage, 'interface' | 'member' | 'signature' | 'reader'>,
): DesktopNotification | undefined {
  if (call.interface !== NOTIFICATIONS || call.member !== NOTIFY || !call.signature.startsWith('susss'))
    return undefined;
  try {
    const reader = call.reader();
    const app = reader.readString();
    reader.readUint32();
    reader.skipString();
    return { app, title: reader.readString(), text: reader.readString() };
  } catch {
    return undefined;
  }
}
