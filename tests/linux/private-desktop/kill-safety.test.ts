import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../../src/platform/paths.ts';
import { NOTHING, Owner, pause, processesRunning, useOwnerProgram } from './support.ts';

const LIMIT_MS = 3000;
/** For programs to start on a loaded machine. */
const SOON = { timeout: 15_000 };
const REPEATS = Number(process.env['DESKTERITY_REPEATS'] ?? '1');
/** Moments after the desktop's folder appears; it is ready about 130 ms later on an idle machine. */
const MOMENTS = [0, 4, 8, 15, 25, 35, 50, 65, 80, 100, 120, 150, 200, 400];

useOwnerProgram();
const owners: Owner[] = [];
afterEach(() => {
  for (const owner of owners.splice(0)) owner.process.kill('SIGKILL');
});

async function startOwner(...args: Parameters<typeof Owner.start>): Promise<Owner> {
  const owner = await Owner.start(...args);
  owners.push(owner);
  return owner;
}

describe('an owner that is killed', () => {
  it('leaves nothing behind, whatever it ran', async () => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const owner = await startOwner(['programs']);
      const { environment, display } = await owner.ready();
      await expect.poll(() => owner.remains().processes.length, SOON).toBeGreaterThan(8);
      const before = owner.remains();
      expect(before.folders).toHaveLength(1);
      expect(before.sockets).toHaveLength(1);
      owner.process.kill('SIGKILL');
      expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
      expect(existsSync(`/tmp/.X11-unix/X${display.slice(1)}`)).toBe(false);
      expect(processesRunning('sleep 1005')).toEqual([]);
      expect(processesRunning(environment['XDG_RUNTIME_DIR'] ?? '')).toEqual([]);
    }
  });

  it('leaves no browser process', async () => {
    const owner = await startOwner(['browsers']);
    const { environment } = await owner.ready();
    const home = environment['HOME'] ?? '';
    await expect.poll(() => processesRunning(home).length, SOON).toBeGreaterThan(3);
    owner.process.kill('SIGKILL');
    expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
    expect(processesRunning(home)).toEqual([]);
  });

  it('also ends a desktop inside its desktop', async () => {
    const outer = await startOwner();
    const { environment } = await outer.ready();
    const inner = await startOwner(['programs'], { env: environment });
    const report = await inner.ready();
    expect(report.environment['DESKTERITY_PRIVATE_DESKTOP']).not.toBe(
      environment['DESKTERITY_PRIVATE_DESKTOP'],
    );
    outer.process.kill('SIGKILL');
    expect(await outer.gone(LIMIT_MS)).toEqual(NOTHING);
    expect(await inner.gone(LIMIT_MS)).toEqual(NOTHING);
  });

  it('before its desktop is ready leaves nothing behind', async () => {
    const owner = await startOwner();
    await pause(40);
    owner.process.kill('SIGKILL');
    expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
  });

  it.each(MOMENTS)('%d ms after its folder appeared leaves nothing behind', async (moment) => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const owner = await startOwner();
      await owner.begun();
      await pause(moment + repeat);
      owner.process.kill('SIGKILL');
      expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
    }
  });

  it('does not touch the desktop of another owner', async () => {
    const [first, second] = await Promise.all([startOwner(['programs']), startOwner(['programs'])]);
    const [one, other] = [await first.ready(), await second.ready()];
    expect(one.display).not.toBe(other.display);
    expect(one.environment['DBUS_SESSION_BUS_ADDRESS']).not.toBe(
      other.environment['DBUS_SESSION_BUS_ADDRESS'],
    );
    // Long-lived ones; a bus daemon has short-lived copies of itself while it starts a service, and one shell exits.
    const lasting = () =>
      second
        .remains()
        .processes.filter((line) => /Xvfb|openbox|galculator|sleep 1/.test(line) && !line.includes('exit 0'));
    await expect.poll(() => lasting().length, SOON).toBeGreaterThanOrEqual(5);
    const services = lasting();
    first.process.kill('SIGKILL');
    expect(await first.gone(LIMIT_MS)).toEqual(NOTHING);
    expect(second.remains().processes).toEqual(expect.arrayContaining(services));
    expect(isAlive(second.process.pid ?? 0)).toBe(true);
    second.process.kill('SIGTERM');
    expect(await second.gone(LIMIT_MS)).toEqual(NOTHING);
  });

  it('has another supervisor soon after its own was killed', async () => {
    const owner = await startOwner(['programs']);
    const { id } = await owner.ready();
    await expect.poll(() => owner.remains().processes.length, SOON).toBeGreaterThan(8);
    const supervisors = () =>
      processesRunning(`deskterity-desktop-supervisor ${id} `).map((line) => parseInt(line, 10));
    const [first = 0] = supervisors();
    process.kill(first, 'SIGKILL');
    await expect.poll(() => supervisors().filter((pid) => pid !== first), SOON).toHaveLength(1);
    // It was started with what the first one knew.
    owner.process.kill('SIGKILL');
    expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
    expect(processesRunning('sleep 1005')).toEqual([]);
  });

  it('is cleaned up by the next start when its supervisor was killed with it', async () => {
    const owner = await startOwner(['programs']);
    const { id } = await owner.ready();
    const supervisors = processesRunning(`deskterity-desktop-supervisor ${id} `);
    expect(supervisors).toHaveLength(1);
    // Stopped first, as it would start another one.
    owner.process.kill('SIGSTOP');
    process.kill(Number.parseInt(supervisors[0] ?? '', 10), 'SIGKILL');
    owner.process.kill('SIGKILL');
    // Time in which it could have been cleaned up.
    await pause(300);
    expect(owner.remains().folders).toHaveLength(1);
    const next = await startOwner();
    await next.ready();
    expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
    // Only a live supervisor can recognise the one without environment and parent.
    for (const line of processesRunning('sleep 1005')) process.kill(Number.parseInt(line, 10));
    expect(next.remains().folders).toHaveLength(1);
    next.process.kill('SIGKILL');
    expect(await next.gone(LIMIT_MS)).toEqual(NOTHING);
  });
});

describe('without root', () => {
  const isRoot = process.getuid?.() === 0;

  it.skipIf(!isRoot)(
    'starts and is cleaned up for an ordinary user (skipped unless run as root, which can become one)',
    async () => {
      const home = mkdtempSync(path.join(tmpdir(), 'user-home-'));
      chmodSync(home, 0o777);
      try {
        const env = {
          PATH: process.env['PATH'] ?? '/usr/bin:/bin',
          DESKTERITY_TEST_HOME: path.join(home, 'h'),
        };
        const owner = await startOwner(['programs'], { env, cwd: '/' }, [
          'setpriv',
          '--reuid=65534',
          '--regid=65534',
          '--clear-groups',
        ]);
        const report = await owner.ready();
        expect(report.environment['HOME']).toBe(path.join(home, 'h'));
        await expect.poll(() => owner.remains().processes.length, SOON).toBeGreaterThan(8);
        owner.process.kill('SIGKILL');
        expect(await owner.gone(LIMIT_MS)).toEqual(NOTHING);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );
});
