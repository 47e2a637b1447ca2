import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { BusMonitor, hasBusMonitor } from './support/bus-monitor.ts';
import { Desk } from './support/desk.ts';
import { untilReadable } from './support/until-readable.ts';

const Snapshot = z.looseObject({ ok: z.literal(true), complete: z.literal(true), node_count: z.number() });

/**
 * A GTK 3 handler that runs a dialog in a main loop of its own wedges the connection its action came on. All calls here share one process and
 * its connections, so an action on the connection we read from would leave every later read without an answer.
 */
describe('an action that opens a nested main loop', () => {
  let desktop: PrivateDesktop;
  let fixture: Fixture;
  let desk: Desk;
  beforeAll(async () => {
    desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
    fixture = await startFixture('gtk3', { environment: desktop.environment, deadlineMs: 20_000 });
    desk = new Desk(desktop);
    await untilReadable(desk, fixture.pid);
  });
  afterAll(async () => {
    await desk.close();
    await fixture.stop();
    await desktop.stop();
  });

  it('does not affect reading, and its dialog can be operated', async () => {
    const app = String(fixture.pid);
    const read = { app, window: fixture.title, timeout_ms: 1500 };
    await desk.parse('snapshot', read, Snapshot);
    const ref = await desk.ref(fixture.pid, 'Run dialog', 'button');
    expect(await desk.call('click', { ref })).toMatchObject({ ok: true, effect: 'confirmed' });
    for (let round = 0; round < 3; round++)
      expect((await desk.parse('snapshot', read, Snapshot)).node_count).toBeGreaterThan(20);
    const dialog = { window: 'Confirm run', query: 'OK', role: 'button', by: 'exact' };
    const Found = z.looseObject({ matches: z.array(z.looseObject({ ref: z.string() })).length(1) });
    const [ok] = (await desk.parse('find', dialog, Found)).matches;
    expect(await desk.call('click', { ref: ok?.ref })).toMatchObject({ ok: true });
    const closed = await fixture.waitForEvent((event) => event.event === 'dialog-closed', 3000);
    expect(closed).toMatchObject({ widget: 'nested_dialog', value: 'ok' });
  });

  it('is never sent over the bus daemon if the toolkit has a private socket', async ({ skip }) => {
    skip(!hasBusMonitor, 'dbus-monitor is not installed');
    const monitor = await BusMonitor.start(desktop.accessibilityBusAddress);
    const ref = await desk.ref(fixture.pid, 'Press', 'button');
    expect(await desk.call('click', { ref })).toMatchObject({ ok: true });
    const calls = await monitor.settled();
    await monitor.stop();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ member }) => member === 'DoAction')).toEqual([]);
    expect(await fixture.control('state')).toMatchObject({ pressed: 1 });
  });
});
