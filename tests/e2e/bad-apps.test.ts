import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startHostileProcess, type HostileProcess } from '../../fixtures/hostile/hostile-process.ts';
import { ODD_NAMES, type ScenarioName } from '../../fixtures/hostile/atspi-app.ts';
import { ERROR_EXIT_CODES } from '../../src/model/effects/errors.ts';
import { usePlace } from './harness.ts';
import { flatten, Found, ListedApps, Snapshot } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { inTime } from './support/in-time.ts';
import type { Reply } from './support/reply.ts';

const place = usePlace();
const hostiles: HostileProcess[] = [];
afterEach(async () => {
  await Promise.all(hostiles.splice(0).map((hostile) => hostile.stop()));
});

const DEADLINE = 4000;

async function snapshotOf(scenario: ScenarioName, ...flags: string[]): Promise<Reply> {
  const address = place().desktop.accessibilityBusAddress;
  const hostile = await startHostileProcess({ address, scenario, deadlineMs: 20_000 });
  hostiles.push(hostile);
  const args = ['snapshot', '--app', String(hostile.pid), '--timeout', String(DEADLINE), ...flags];
  return inTime(await place().desk(args), DEADLINE);
}

describe('an application with', () => {
  it('nothing wrong is read like any other', async () => {
    const { tree, complete } = (await snapshotOf('plain')).ok(Snapshot);
    expect(flatten(tree).map((node) => node.name)).toContain('Button 1');
    expect(complete).toBe(true);
  });

  it('a cycle is read once', async () => {
    const nodes = flatten((await snapshotOf('cycle')).ok(Snapshot).tree);
    expect(nodes.filter((node) => node.name === 'Shared')).toHaveLength(1);
    expect(nodes.length).toBeLessThan(10);
  });

  it('100,000 children is cut, and the answer reports it', async () => {
    const reply = await snapshotOf('many_children');
    const { tree, complete, elided } = reply.ok(Snapshot);
    expect(complete && elided === 0).toBe(false);
    expect(flatten(tree).length).toBeLessThanOrEqual(20_001);
    const short = await place().desk([...reply.args, '--max-tokens', '500', '--format', 'outline']);
    expect(short.stdout.length).toBeLessThan(4000);
  });

  it('10,000 levels is read to an end', async () => {
    const { tree, complete, elided } = (await snapshotOf('deep')).ok(Snapshot);
    expect(complete && elided === 0).toBe(false);
    expect(flatten(tree).length).toBeLessThan(1000);
  });

  it('children that never answer is read except for these', async () => {
    const { tree, complete, incomplete_reasons } = (await snapshotOf('silent_children')).ok(Snapshot);
    expect(flatten(tree).map((node) => node.name)).toContain('Beside');
    expect(complete).toBe(false);
    expect(incomplete_reasons?.join(' ')).toMatch(/answer|respond/);
  });

  it('no answer at all is reported as unresponsive', async () => {
    const reply = await snapshotOf('silent');
    expect(['APP_UNRESPONSIVE', 'WINDOW_NOT_FOUND']).toContain(codeOf(reply));
    const { apps } = (await place().desk(['list-apps'])).ok(ListedApps);
    expect(apps.find(({ pid }) => pid === hostiles[0]?.pid)).toMatchObject({ responsive: false });
  });

  it('replies of other types is read as far as they can be understood', async () => {
    const { tree, complete } = (await snapshotOf('wrong_signatures')).ok(Snapshot);
    expect(flatten(tree).map((node) => node.name)).toContain('Beside');
    expect(complete).toBe(false);
  });

  it('false counts and dangling children is read as far as possible', async () => {
    const counted = (await snapshotOf('false_count', '--whole-tree')).ok(Snapshot);
    expect(flatten(counted.tree).map((node) => node.name)).toContain('True 6');
    const dangling = (await snapshotOf('dangling')).ok(Snapshot);
    expect(flatten(dangling.tree).map((node) => node.name)).toContain('Real');
  });

  it('odd names is shown with the names escaped', async () => {
    const reply = await snapshotOf('odd_names');
    expect(reply.ok(Snapshot).complete).toBe(true);
    const outline = await place().desk([...reply.args, '--format', 'outline']);
    // Names that look like our own lines stay inside quotes on one line.
    expect(outline.stdout).toContain(String.raw`"@e1 button \"Fake\" [focused]"`);
    expect(DECEPTIVE.exec(outline.stdout)).toBeNull();
    expect(DECEPTIVE.exec(reply.stdout)).toBeNull();
    const lines = outline.stdout.trimEnd().split('\n').slice(0, -1);
    expect(lines.filter((line) => /^ *(window|button) /.test(line))).toHaveLength(lines.length);
    expect(lines.length).toBeLessThanOrEqual(ODD_NAMES.length + 1);
  });

  it('a name of ten megabytes is shown with the name cut', async () => {
    const reply = await snapshotOf('huge_name');
    expect(flatten(reply.ok(Snapshot).tree).map((node) => node.name)).toContain('Small');
    expect(reply.stdout.length).toBeLessThan(100_000);
  });

  it('a sudden end results in a typed error or a partial tree', async () => {
    const reply = await snapshotOf('dies');
    expect(isHonest(reply)).toBe(true);
  });

  it('an action that falsely reports success is never confirmed', async () => {
    const found = (await snapshotOf('plain')).ok(Snapshot);
    const button = flatten(found.tree).find((node) => node.name === 'Button 1');
    const reply = await place().desk(['click', button?.ref ?? '']);
    expect(reply.receipt).toMatchObject({ effect: 'unverified', delivered: true });
  });
});

describe('an application that', () => {
  it('is frozen uses up its own deadline and nobody else’s', async () => {
    const [frozen, other] = await Promise.all([
      place().fixture('gtk3', 'Frozen'),
      place().fixture('qt6', 'Other'),
    ]);
    const bench = new Bench(place(), frozen);
    const ref = await bench.ref('press');
    process.kill(frozen.pid, 'SIGSTOP');
    try {
      const own = await place().desk(['snapshot', '--app', String(frozen.pid), '--timeout', '1500']);
      const text = await place().desk(['get', 'text', ref, '--timeout', '1500']);
      const click = await place().desk(['click', ref, '--timeout', '1500']);
      const others = await place().desk(['snapshot', '--app', String(other.pid), '--timeout', '4000']);
      expect(codeOf(inTime(own, 1500))).toBe('APP_UNRESPONSIVE');
      expect(codeOf(inTime(text, 1500))).toBe('APP_UNRESPONSIVE');
      expect(inTime(click, 1500).error('APP_UNRESPONSIVE').retryable).toBe(true);
      expect(others.ok(Snapshot).complete).toBe(true);
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
    }
    expect((await place().desk(['find', 'Press', '--app', String(frozen.pid)])).ok(Found).count).toBe(1);
    await Promise.all([frozen.stop(), other.stop()]);
  });

  it('is killed during a read results in partial trees and typed errors', async () => {
    const victim = await place().fixture('qt5', 'Victim');
    const args = ['snapshot', '--app', String(victim.pid), '--whole-tree', '--timeout', '3000'];
    const running = Array.from({ length: 4 }, () => place().desk(args));
    // Usually during the read; the answers must be correct at any moment.
    await new Promise((resolve) => setTimeout(resolve, 350));
    process.kill(victim.pid, 'SIGKILL');
    for (const reply of await Promise.all(running)) expect(isHonest(inTime(reply, 3000))).toBe(true);
    expect(codeOf(await place().desk(args))).toBe('APP_NOT_FOUND');
    await victim.stop();
  });
});

it('ends at the deadline on a bus that accepts connections and never answers', async () => {
  const socket = join(place().folder, 'silent-bus');
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const environment = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
  const reply = await place().desk(['list-apps', '--timeout', '1000'], environment);
  expect(['BUS_UNAVAILABLE', 'TIMEOUT']).toContain(codeOf(inTime(reply, 1000)));
  server.close();
});

const DECEPTIVE = /(?!\n)\p{Cc}|[\u200B\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]/u;

/** A whole tree, a partial one that is marked as such, or one of our errors. */
function isHonest(reply: Reply): boolean {
  if (reply.exitCode === 0) return reply.ok(Snapshot).tree.role === 'window';
  return reply.exitCode !== ERROR_EXIT_CODES.INTERNAL && codeOf(reply) !== '';
}

function codeOf(reply: Reply): string {
  return /"error":\{"code":"(\w+)"/.exec(reply.stdout)?.[1] ?? '';
}
