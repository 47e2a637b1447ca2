import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFixture, type Fixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { BusMonitor, hasBusMonitor } from './support/bus-monitor.ts';
import { Desk } from './support/desk.ts';
import { untilReadable } from './support/until-readable.ts';

/** `Properties.GetAll` ends Qt 5.15 and 6.4 applications. Qt has no private socket, so the bus sees everything we say. */
describe.each(['qt5', 'qt6'] satisfies FixtureKind[])('%s', (kind) => {
  let desktop: PrivateDesktop;
  let fixture: Fixture;
  let desk: Desk;
  beforeAll(async () => {
    desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
    fixture = await startFixture(kind, { environment: desktop.environment, deadlineMs: 20_000 });
    desk = new Desk(desktop);
    await untilReadable(desk, fixture.pid);
  });
  afterAll(async () => {
    await desk.close();
    await fixture.stop();
    await desktop.stop();
  });

  it('never has all properties requested at once, and survives', async ({ skip }) => {
    skip(!hasBusMonitor, 'dbus-monitor is not installed');
    const monitor = await BusMonitor.start(desktop.accessibilityBusAddress);
    const app = String(fixture.pid);
    const ref = await desk.ref(fixture.pid, 'Press', 'button');
    for (const [command, input] of [
      ['list-apps', { with_windows: true }],
      ['list-windows', {}],
      ['snapshot', { app, include_actions: true, include_bounds: true, whole_tree: true }],
      ['find', { app, query: 'Press' }],
      ['get', { property: 'attributes', ref }],
      ['get', { property: 'tree-stats', app }],
      ['is', { state: 'visible', ref }],
      ['focused', { app }],
      ['wait', { element: ref }],
      ['click', { ref }],
      ['set-value', { ref: await desk.ref(fixture.pid, 'Volume', 'slider'), value: '12' }],
    ] as const)
      expect(await desk.call(command, input)).toMatchObject({ ok: true });
    const calls = await monitor.settled();
    await monitor.stop();
    // The monitor did hear us: reading states and pressing went through the bus it listens on.
    expect(calls.filter(({ member }) => member === 'GetState').length).toBeGreaterThan(50);
    expect(calls.filter(({ member }) => member === 'DoAction')).toHaveLength(1);
    expect(calls.filter(({ member }) => member === 'GetAll')).toEqual([]);
    expect(calls.filter(({ member }) => member === 'GetMatches')).toEqual([]);
    expect(await fixture.control('state')).toMatchObject({ pressed: 1 });
  });
});
