import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BusConnection, Variant } from '../../../src/platform/linux/dbus/index.ts';
import { monitorNotifications } from '../../../src/platform/linux/desktop/notification-monitor.ts';
import type { DesktopNotification } from '../../../src/ports/notifications.ts';
import { sendNotification } from '../dbus/support/send-notification.ts';
import { PATIENT, PrivateBus } from '../dbus/support/private-bus.ts';

let bus: PrivateBus;
beforeAll(async () => {
  bus = await PrivateBus.start();
});
afterAll(() => bus.stop());

const SERVICE = 'org.freedesktop.Notifications';

/** The first notifications that are heard, once there are so many. */
async function listening(): Promise<{
  readonly heard: DesktopNotification[];
  readonly until: (count: number) => Promise<void>;
  readonly lost: Promise<void>;
  readonly end: () => void;
}> {
  const heard: DesktopNotification[] = [];
  let wake: () => void = () => undefined;
  let isLost: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (isLost = resolve));
  const notified = (notification: DesktopNotification): void => {
    heard.push(notification);
    wake();
  };
  const end = await monitorNotifications(bus.address, { notified, lost: () => isLost() }, PATIENT);
  const until = async (count: number): Promise<void> => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { heard, until, lost, end };
}

describe('notifications of a session bus', () => {
  it('are heard without a service, which is said', async () => {
    const { heard, until, end } = await listening();
    await sendNotification(bus.address, 'Backup <done>', '3 files');
    await until(1);
    expect(heard).toEqual([
      { app: 'Contract', summary: 'Backup <done>', body: '3 files', hasService: false },
    ]);
    end();
  });

  it('are heard beside a service, whose name stays its own and which answers', async () => {
    const service = await bus.connect();
    const daemon = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
    const names = { ...daemon, interface: 'org.freedesktop.DBus' };
    const { heard, until, end } = await listening();
    await service.call({ ...names, member: 'RequestName', signature: 'su', args: [SERVICE, 0] }, PATIENT);
    const asked: string[] = [];
    service.onMethodCall((call) => {
      if (call.interface !== SERVICE) return undefined;
      asked.push(call.member);
      return { signature: 'u', values: [7] };
    });
    await sendNotification(bus.address, 'One');
    await sendNotification(bus.address, 'Two');
    await until(2);
    expect(asked).toEqual(['Notify', 'Notify']);
    expect(heard.map(({ summary, hasService }) => [summary, hasService])).toEqual([
      ['One', true],
      ['Two', true],
    ]);
    const [owner] = await service.call(
      { ...names, member: 'GetNameOwner', signature: 's', args: [SERVICE] },
      PATIENT,
    );
    expect(owner).toBe(service.uniqueName);
    end();
    service.close();
  });

  it('of GNOME applications are heard by their title, and what is malformed is not', async () => {
    const { heard, until, end } = await listening();
    const sender = await bus.connect();
    const gtk = {
      destination: 'org.gtk.Notifications',
      path: '/org/gtk/Notifications',
      interface: 'org.gtk.Notifications',
      member: 'AddNotification',
    };
    const send = (signature: string, args: Parameters<BusConnection['call']>[0]['args']) =>
      sender.call({ ...gtk, signature, args }, PATIENT).catch(() => undefined);
    await send('s', ['only one']);
    const properties = new Map([
      ['title', new Variant('s', 'Alarm')],
      ['body', new Variant('s', 'x'.repeat(9000))],
    ]);
    await send('ssa{sv}', ['org.gnome.clocks', 'id', properties]);
    await until(1);
    expect(heard).toMatchObject([{ app: 'org.gnome.clocks', summary: 'Alarm', hasService: false }]);
    expect(heard[0]?.body.length).toBeLessThanOrEqual(4001);
    end();
  });

  it('end with their bus, and without one nothing is promised', async () => {
    const other = await PrivateBus.start();
    let isLost: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => (isLost = resolve));
    await monitorNotifications(other.address, { notified: () => undefined, lost: () => isLost() }, PATIENT);
    await other.stop();
    await lost;
    const nobody = { notified: () => undefined, lost: () => undefined };
    for (const address of [undefined, 'unix:path=/nonexistent/bus'])
      await expect(monitorNotifications(address, nobody, PATIENT)).rejects.toMatchObject({
        code: 'BUS_UNAVAILABLE',
      });
  });
});
