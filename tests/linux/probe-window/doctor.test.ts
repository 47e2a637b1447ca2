import { mentionCommand } from '../../../src/model/text/mention.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../../src/engine/doctor/doctor.ts';
import type { DoctorCheck } from '../../../src/model/effects/doctor.ts';
import { BusConnection, Variant } from '../../../src/platform/linux/dbus/index.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { TestServer } from '../x11/x-server.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const LIMIT_MS = 30_000;

/** All tests share its buses; the displays differ. */
let place: PrivateDesktop;
const servers: TestServer[] = [];

beforeAll(async () => {
  place = await PrivateDesktop.start({ deadlineMs: 30_000 });
});
afterAll(async () => {
  for (const server of servers) server.stop();
  await place.stop();
});

async function examined(change: Environment): Promise<Map<string, DoctorCheck>> {
  const desktop = new LinuxDesktop({ ...place.environment, ...change });
  try {
    const checks = await examine({ desktop, clock: createClock() }, { deadlineMs: LIMIT_MS });
    return new Map(checks.map((check) => [check.name, check]));
  } finally {
    await desktop.close();
  }
}

/** On a display of another kind. */
async function onServer(
  options: NonNullable<Parameters<typeof TestServer.start>[0]>,
): Promise<Map<string, DoctorCheck>> {
  const server = await TestServer.start(options);
  servers.push(server);
  const found = await examined({ DISPLAY: server.display, XAUTHORITY: undefined });
  expect(server.run('xwininfo', '-root', '-tree')).not.toContain('Deskterity probe');
  return found;
}

function outcomes(
  found: ReadonlyMap<string, DoctorCheck>,
  ...names: string[]
): (DoctorCheck['outcome'] | undefined)[] {
  return names.map((name) => found.get(name)?.outcome);
}

const THROUGH_ACCESSIBILITY = ['read-tree', 'press', 'set-value', 'events'];

it('without a window manager, windows cannot be moved or given the keyboard', async () => {
  const found = await onServer({ manager: false });
  expect(found.get('window-manager')).toMatchObject({
    outcome: 'broken',
    fix: expect.stringContaining('openbox'),
  });
  expect(found.get('move-window')).toMatchObject({ outcome: 'refused', step: 'move it' });
  expect(outcomes(found, ...THROUGH_ACCESSIBILITY, 'list-windows', 'capture', 'clean-up')).toEqual(
    Array(7).fill('works'),
  );
});

it('a second pointer clicks while that of the user stays where it is', async () => {
  const found = await onServer({});
  expect(found.get('own-seat')).toMatchObject({ outcome: 'works', optional: true });
});

it('without the XTEST extension, keyboard and pointer are refused, and the rest works', async () => {
  const found = await onServer({ without: ['XTEST'] });
  for (const name of ['pointer', 'keyboard', 'typing'])
    expect(found.get(name)).toMatchObject({
      outcome: 'refused',
      step: 'take keyboard and pointer',
      fix: expect.stringContaining('XTEST'),
    });
  expect(outcomes(found, ...THROUGH_ACCESSIBILITY, 'focus-window', 'clean-up')).toEqual(
    Array(6).fill('works'),
  );
});

it('without the Composite extension, covered windows cannot be captured', async () => {
  const found = await onServer({ without: ['Composite'] });
  expect(found.get('capture')).toMatchObject({
    outcome: 'broken',
    step: 'take a picture while it is covered',
  });
  expect(outcomes(found, ...THROUGH_ACCESSIBILITY, 'move-window')).toEqual(Array(5).fill('works'));
});

describe('without accessibility', () => {
  it('without a bus nothing is tried, and the report says what to install', async () => {
    const found = await examined({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' });
    expect(outcomes(found, 'display', 'window-manager', 'private-desktop')).toEqual(Array(3).fill('works'));
    for (const name of ['accessibility-bus', 'probe-window'])
      expect(found.get(name)).toMatchObject({
        outcome: 'broken',
        fix: expect.stringContaining('at-spi2-core'),
      });
    expect(outcomes(found, ...THROUGH_ACCESSIBILITY, 'keyboard')).toEqual(Array(5).fill('skipped'));
  });

  it('when it is switched off, applications have no tree but our own window does', async () => {
    const address = place.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '';
    const bus = await BusConnection.connect(address, { deadlineMs: 2000 });
    const set = (isOn: boolean): Promise<void> =>
      bus.setProperty(
        ...(['org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Status', 'IsEnabled'] as const),
        new Variant('b', isOn),
        { deadlineMs: 2000 },
      );
    await set(false);
    try {
      const found = await examined({ NO_AT_BRIDGE: '1', GTK_A11Y: 'none' });
      expect(found.get('accessibility-enabled')).toMatchObject({
        outcome: 'broken',
        fix: expect.stringContaining(mentionCommand('permissions', { request: true })),
      });
      expect(found.get('environment')).toMatchObject({
        outcome: 'refused',
        optional: true,
        detail:
          'NO_AT_BRIDGE turns accessibility off in GTK 3 applications, GTK_A11Y turns accessibility off in GTK 4 applications.',
        fix: expect.stringContaining('unset NO_AT_BRIDGE GTK_A11Y'),
      });
      expect(outcomes(found, ...THROUGH_ACCESSIBILITY)).toEqual(Array(4).fill('works'));
    } finally {
      await set(true);
      bus.close();
    }
  });
});

it('without a display, that is reported', async () => {
  const found = await examined({ DISPLAY: undefined, PATH: '/nonexistent', XDG_DATA_DIRS: '/nonexistent' });
  expect(found.get('display')).toMatchObject({ outcome: 'broken', detail: 'DISPLAY is not set.' });
  expect(found.get('probe-window')).toMatchObject({ outcome: 'broken', step: 'show the window' });
  expect(found.get('private-desktop')).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('at-spi-bus-launcher'),
  });
});
