import { readFileSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { NOTHING, Owner, pause, processesRunning, useOwnerProgram } from '../private-desktop/support.ts';

const LIMIT_MS = 3000;
const START = { deadlineMs: 20_000, display: 'wayland' } as const;
/** Moments after the desktop's folder appears. */
const MOMENTS = [0, 8, 20, 40, 80, 150, 300];

useOwnerProgram();
const owners: Owner[] = [];
afterEach(() => {
  for (const owner of owners.splice(0)) owner.process.kill('SIGKILL');
});

async function startOwner(args: readonly string[]): Promise<Owner> {
  const owner = await Owner.start(args);
  owners.push(owner);
  return owner;
}

describe('a private Wayland desktop', () => {
  it('gives its programs a Wayland display, their own buses, and no X display', async () => {
    await using place = await PrivateDesktop.start({ ...START, inherit: { ...process.env, DISPLAY: ':0' } });
    expect(place.display).toMatch(/^wayland-\d+$/);
    expect(place.environment).toMatchObject({
      WAYLAND_DISPLAY: place.display,
      XDG_SESSION_TYPE: 'wayland',
      GDK_BACKEND: 'wayland',
      QT_QPA_PLATFORM: 'wayland',
      DBUS_SESSION_BUS_ADDRESS: expect.stringContaining(place.environment['XDG_RUNTIME_DIR'] ?? 'none'),
    });
    expect(place.environment['DISPLAY']).toBeUndefined();
    expect(place.environment['XAUTHORITY']).toBeUndefined();
    expect(place.accessibilityBusAddress).toContain('unix:');
  });

  it('leaves nothing behind when it is stopped, and several run at once', async () => {
    const places = await Promise.all([PrivateDesktop.start(START), PrivateDesktop.start(START)]);
    const folders = places.map(({ environment }) => environment['XDG_RUNTIME_DIR'] ?? '');
    for (const folder of folders) expect(processesRunning(folder)).not.toEqual([]);
    await Promise.all(places.map((place) => place.stop()));
    for (const folder of folders) expect(processesRunning(folder)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('runs the compositor without the rights of root', async () => {
    await using place = await PrivateDesktop.start(START);
    const [line = ''] = processesRunning(`${place.environment['XDG_RUNTIME_DIR']}/sway.conf`);
    const pid = line.split(' ')[0] ?? '';
    expect(readlinkSync(`/proc/${pid}/ns/user`)).not.toBe(readlinkSync('/proc/self/ns/user'));
    expect(/^CapEff:\t0+$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))).toBe(true);
  });

  it('ends with an owner that is killed, whatever it ran', async () => {
    const owner = await startOwner(['programs', 'wayland']);
    const { environment } = await owner.ready();
    await expect.poll(() => owner.remains().processes.length, { timeout: 15_000 }).toBeGreaterThan(7);
    owner.process.kill('SIGKILL');
    expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
    expect(processesRunning('sleep 1005')).toEqual([]);
    expect(processesRunning(environment['XDG_RUNTIME_DIR'] ?? '')).toEqual([]);
  });

  it.each(MOMENTS)('leaves nothing when its owner is killed %d ms after it began', async (moment) => {
    const owner = await startOwner(['', 'wayland']);
    await owner.begun();
    await pause(moment);
    owner.process.kill('SIGKILL');
    expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
  });
});
