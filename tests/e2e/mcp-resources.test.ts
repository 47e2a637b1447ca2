import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_KINDS, type Fixture, type FixtureKind } from '../../fixtures/driver.ts';
import type { App } from '../../src/app/app.ts';
import { openApp } from '../../src/app/open-app.ts';
import { openClientCalls } from '../../src/surfaces/mcp/tools/client-calls.ts';
import { clientResources, type ClientResources } from '../../src/surfaces/mcp/resources/client-resources.ts';
import type { Unwatch } from '../../src/surfaces/mcp/connections/connection.ts';
import { usePlace } from './harness.ts';

/** Longer than any debounce and the read that follows it. */
const SETTLED_MS = 1200;
/** Before this time, only events can have caused a notification. */
const SILENCE_MS = 5000;
const NOTIFIED_WITHIN_MS = 15_000;
const CLIPBOARD = 'deskterity://clipboard';
const VOICE = { signal: new AbortController().signal };

const place = usePlace();

/** Counts the notifications of a subscription. */
class Notifications {
  count = 0;
  private end: Unwatch | undefined;

  static async of(resources: ClientResources, uri: string): Promise<Notifications> {
    const notifications = new Notifications();
    notifications.end = await resources.watch(uri, () => (notifications.count += 1));
    return notifications;
  }

  /** The notifications since the last call, once `more` have come and no other followed for a while. */
  async next(more: number): Promise<number> {
    const before = this.count;
    const end = performance.now() + NOTIFIED_WITHIN_MS;
    while (this.count - before < more) {
      if (performance.now() > end) throw new Error(`${this.count - before} notifications instead of ${more}`);
      await sleep(20);
    }
    await sleep(SETTLED_MS);
    return this.count - before;
  }

  stop(): void {
    this.end?.();
  }
}

/** Everything that one client holds, on the desktop of this file. */
function client(): { app: App; resources: ClientResources; close: () => Promise<void> } {
  const { environment } = place().desktop;
  const caller = { environment, cwd: place().folder };
  const app = openApp({ ...caller, version: '0', isPersistent: true, sessionsIn: 'memory' });
  const calls = openClientCalls({ app, caller, session: undefined });
  return {
    app,
    resources: clientResources(calls, { version: '0' }),
    close: async () => {
      await calls.close();
      await app.close();
    },
  };
}

async function json(resources: ClientResources, uri: string): Promise<string> {
  const [content] = (await resources.read(uri, VOICE)).contents;
  return content !== undefined && 'text' in content ? content.text : '';
}

async function readEach(resources: ClientResources, uris: readonly string[]): Promise<void> {
  for (const uri of uris) await resources.read(uri, VOICE);
}

/** Microseconds of processor time that this process has used since. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** One application and one client for the tests of a group. */
function useScene(kind: FixtureKind) {
  let scene: (ReturnType<typeof client> & { readonly fixture: Fixture; readonly uris: Uris }) | undefined;
  beforeAll(async () => {
    const fixture = await place().fixture(kind);
    const app = `deskterity://app/${fixture.pid}`;
    const uris = { tree: `${app}/tree`, state: `${app}/state`, picture: `${app}/screenshot` };
    scene = { ...client(), fixture, uris };
    // A toolkit still changes a few things after its window is shown.
    await sleep(SETTLED_MS);
  });
  afterAll(async () => {
    await scene?.close();
    await scene?.fixture.stop();
  });
  return () => {
    if (scene === undefined) throw new Error('the application has not started yet');
    return scene;
  };
}

interface Uris {
  readonly tree: string;
  readonly state: string;
  readonly picture: string;
}

describe.each(FIXTURE_KINDS)('%s', (kind) => {
  const scene = useScene(kind);

  it('notifies subscribers of the tree once about a changed element, and not subscribers of the state', async () => {
    const { fixture, resources, uris, app } = scene();
    const [tree, state] = await Promise.all([
      Notifications.of(resources, uris.tree),
      Notifications.of(resources, uris.state),
    ]);
    await fixture.control('rename', { widget: 'press', label: 'Renamed' });
    expect(await tree.next(1)).toBe(1);
    expect(await json(resources, uris.tree)).toContain('"Renamed"');
    await fixture.control('rename', { widget: 'press', label: 'Press' });
    expect(await tree.next(1)).toBe(1);
    expect(state.count).toBe(0);
    tree.stop();
    state.stop();
    await fixture.control('rename', { widget: 'press', label: 'Unheard' });
    await sleep(SETTLED_MS);
    expect(tree.count).toBe(2);
    await fixture.control('rename', { widget: 'press', label: 'Press' });
    expect(app.keptBy()).toEqual([]);
  });

  it('notifies subscribers of the state once about a new title', async () => {
    const { fixture, resources, uris } = scene();
    const state = await Notifications.of(resources, uris.state);
    // Toolkits without an event for it were not silent long enough to be polled.
    await sleep(SILENCE_MS / 5);
    await fixture.control('set_title', { title: `${kind} renamed` });
    const started = performance.now();
    expect(await state.next(1)).toBe(1);
    expect(performance.now() - started).toBeLessThan(SILENCE_MS - SETTLED_MS);
    expect(JSON.parse(await json(resources, uris.state))).toMatchObject({
      pid: fixture.pid,
      windows: [{ title: `${kind} renamed` }],
    });
    state.stop();
  });

  it('returns the picture as PNG', async () => {
    const { resources, uris } = scene();
    const [content] = (await resources.read(uris.picture, VOICE)).contents;
    expect(content).toMatchObject({ uri: uris.picture, mimeType: 'image/png' });
    const blob = content !== undefined && 'blob' in content ? content.blob : '';
    expect(Buffer.from(blob, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  it('notifies once when an application starts and once when it is killed', async () => {
    const { resources } = scene();
    const apps = await Notifications.of(resources, 'deskterity://apps');
    const other = await place().fixture(kind, 'another');
    expect(await apps.next(apps.count === 0 ? 1 : 0)).toBeLessThanOrEqual(1);
    expect(apps.count).toBe(1);
    const own = await Notifications.of(resources, `deskterity://app/${other.pid}/state`);
    // The notification may come before this test learns of its end.
    const notifications = Promise.all([apps.next(1), own.next(1)]);
    process.kill(other.pid, 'SIGKILL');
    expect(await notifications).toEqual([1, 1]);
    await other.exited;
    await expect(resources.read(`deskterity://app/${other.pid}/state`, VOICE)).rejects.toMatchObject({
      code: -32602,
    });
    apps.stop();
    own.stop();
  });
});

describe('under load and at rest', () => {
  const scene = useScene('gtk3');

  it('turns a hundred changes in a row into few reads and reports the last one', async () => {
    const { fixture, resources, uris } = scene();
    const tree = await Notifications.of(resources, uris.tree);
    const started = performance.now();
    for (let count = 1; count <= 100; count++)
      await fixture.control('rename', { widget: 'press', label: `Press ${count}` });
    const took = performance.now() - started;
    const told = await tree.next(1);
    expect(told).toBeLessThanOrEqual(Math.ceil((took + SETTLED_MS) / 500) + 1);
    expect(await json(resources, uris.tree)).toContain('"Press 100"');
    await fixture.control('rename', { widget: 'press', label: 'Press' });
    await tree.next(1);
    tree.stop();
  });

  it('notifies of a dialog that opens, and tells it in the events of the application and in the journal', async () => {
    const { fixture, resources } = scene();
    const uri = `deskterity://app/${fixture.pid}/events`;
    const events = await Notifications.of(resources, uri);
    await fixture.control('open_dialog');
    await events.next(1);
    const text = await json(resources, uri);
    expect(JSON.parse(text)).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({ type: 'dialog_appeared', title: 'Confirm' }),
      ]),
    });
    const journal = (await resources.list(VOICE)).find(({ name }) => name === 'session-journal')?.uri ?? '';
    expect(await json(resources, journal)).toContain('dialog_appeared');
    await fixture.control('close_dialog', { response: 'cancel' });
    await events.next(1);
    events.stop();
  });

  it('sends nothing and does almost nothing at rest, and notifies once about what another program copies', async () => {
    const { resources, uris } = scene();
    const watched = [uris.tree, uris.state, 'deskterity://apps', 'deskterity://system/status'];
    await readEach(resources, [...watched, CLIPBOARD]);
    const reading = process.cpuUsage();
    await readEach(resources, [...watched, CLIPBOARD]);
    const oneReading = spentSince(reading);
    const all = await Promise.all(watched.map((uri) => Notifications.of(resources, uri)));
    const clipboard = await Notifications.of(resources, CLIPBOARD);
    await sleep(SETTLED_MS);
    const before = process.cpuUsage();
    // Longer than the silence that leads to polling.
    await sleep(8000);
    const atRest = spentSince(before);
    expect([...all, clipboard].map(({ count }) => count)).toEqual([0, 0, 0, 0, 0]);
    // In this time each is polled once, the clipboard three times. A machine's speed changes both figures alike.
    expect(atRest / oneReading).toBeLessThan(6);
    expect((await place().desk(['clipboard', 'set', 'from elsewhere'])).exitCode).toBe(0);
    await expect.poll(() => clipboard.count).toBe(1);
    expect(JSON.parse(await json(resources, CLIPBOARD))).toMatchObject({
      kind: 'text',
      text: 'from elsewhere',
      has_image: false,
    });
    expect(all.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
    for (const notifications of [...all, clipboard]) notifications.stop();
  });
});
