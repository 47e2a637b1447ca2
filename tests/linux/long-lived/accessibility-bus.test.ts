import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessibilityBus } from '../../../src/platform/linux/atspi/bus/accessibility-bus.ts';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import { PrivateBus } from '../dbus/support/private-bus.ts';

const CALL = { deadlineMs: 5000 };
let session: PrivateBus;
let accessibility: PrivateBus;
const opened: BusConnection[] = [];

beforeEach(async () => {
  [session, accessibility] = await Promise.all([PrivateBus.start(), PrivateBus.start()]);
});

afterEach(async () => {
  for (const connection of opened.splice(0)) connection.close();
  await Promise.all([session.stop(), accessibility.stop()]);
});

/** Somebody who calls himself the accessibility bus's launcher. */
async function launcher(): Promise<BusConnection> {
  const connection = await BusConnection.connect(session.address, CALL);
  opened.push(connection);
  connection.onMethodCall((call) =>
    call.member === 'GetAddress' ? { signature: 's', values: [accessibility.address] } : undefined,
  );
  const DBUS = {
    destination: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
  };
  await connection.call({ ...DBUS, member: 'RequestName', signature: 'su', args: ['org.a11y.Bus', 0] }, CALL);
  return connection;
}

describe('AccessibilityBus', () => {
  it('is lost when another launcher takes over, although its own bus still responds', async () => {
    const first = await launcher();
    const bus = await AccessibilityBus.connect(session.address, CALL);
    const losses: string[] = [];
    bus.onLoss((reason) => losses.push(reason.message));
    first.close();
    await bus.processId(bus.connection.uniqueName ?? '', CALL);
    expect(losses).toEqual([]);
    await launcher();
    await expect.poll(() => losses).toEqual(['The accessibility bus was restarted.']);
    expect(bus.connection.closed).toBe(false);
    bus.onLoss((reason) => losses.push(reason.code));
    expect(losses.at(-1)).toBe('BUS_UNAVAILABLE');
    bus.close();
  });

  it('is lost with the session bus, and does not report a loss when it is closed', async () => {
    await launcher();
    const [lost, closed] = await Promise.all([
      AccessibilityBus.connect(session.address, CALL),
      AccessibilityBus.connect(session.address, CALL),
    ]);
    const losses: string[] = [];
    lost.onLoss(() => losses.push('lost'));
    closed.onLoss(() => losses.push('closed'));
    closed.close();
    await session.stop();
    await expect.poll(() => losses).toEqual(['lost']);
    lost.close();
  });
});
