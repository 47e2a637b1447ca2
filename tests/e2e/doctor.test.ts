import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { DoctorCheck } from '../../src/model/effects/doctor.ts';
import { usePlace } from './harness.ts';

const place = usePlace();
const Answer = z.object({
  healthy: z.boolean(),
  summary: z.object({ works: z.int(), refused: z.int(), broken: z.int(), skipped: z.int() }),
  checks: z.array(DoctorCheck),
});
/** For a run of two seconds or less, on a loaded machine. */
const LIMIT_MS = 10_000;

/** What a person at this desktop would notice. */
async function surroundings(): Promise<string[]> {
  const [pointer, active, windows, { stdout: clipboard }] = await Promise.all([
    place().run('xdotool', ['getmouselocation']),
    place().run('xprop', ['-root', '_NET_ACTIVE_WINDOW']),
    place().run('xprop', ['-root', '_NET_CLIENT_LIST']),
    place().desk(['clipboard', 'get']),
  ]);
  return [pointer.replace(/ window:.*/su, ''), active, windows, clipboard];
}

it('proves everything on a complete desktop and restores it', async () => {
  const fixture = await place().fixture('gtk3');
  await place().desk(['focus-window', '--app', String(fixture.pid)]);
  await place().run('xdotool', ['mousemove', '7', '9']);
  await place().desk(['clipboard', 'set', 'theirs']);
  const before = await surroundings();
  const reply = await place().desk(['doctor']);
  const { healthy, summary, checks } = reply.ok(Answer);
  const failed = checks.filter(({ outcome }) => outcome !== 'works');
  expect({ failed, healthy, exitCode: reply.exitCode }).toEqual({ failed: [], healthy: true, exitCode: 0 });
  expect(summary).toEqual({ works: checks.length, refused: 0, broken: 0, skipped: 0 });
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'press',
      'events',
      'capture',
      'clipboard',
      'pointer',
      'keyboard',
      'typing',
      'sandbox',
      'operations',
      'tools',
      'daemon',
    ]),
  );
  // A working sandbox, and the holder of the operations in it.
  const detailOf = (name: string) => checks.find((check) => check.name === name)?.detail ?? '';
  expect(detailOf('sandbox')).toMatch(/^Landlock ABI \d+, .*Not restricted: chmod/);
  const holder = /Process (\d+), \d+ MiB runs/.exec(detailOf('operations'))?.[1];
  expect(read(`/proc/${holder}/cmdline`)).toContain('holder.js');
  expect(reply.durationMs).toBeLessThan(LIMIT_MS);
  expect(await surroundings()).toEqual(before);
});

it('reports where it breaks without a window manager', async () => {
  const { id } = place().desktop;
  const manager = readdirSync('/proc').find(
    (pid) =>
      /^\d+$/.test(pid) &&
      read(`/proc/${pid}/comm`).trim() === 'openbox' &&
      read(`/proc/${pid}/environ`).includes(`DESKTERITY_PRIVATE_DESKTOP=${id}`),
  );
  process.kill(Number(manager));
  const reply = await place().desk(['doctor', '--format', 'text']);
  expect(reply.exitCode).toBe(1);
  expect(reply.stdout).toMatch(/^not healthy: /);
  expect(reply.stdout).toMatch(/broken +window-manager .*\n +fix: Start one, such as openbox/);
  expect(reply.stdout).toMatch(/refused move-window +at "move it": No window manager/);
  expect(reply.stdout).toMatch(/works +press /);
});

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
