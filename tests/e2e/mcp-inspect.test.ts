import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startFixture, type Fixture } from '../../fixtures/driver.ts';
import { openApp } from '../../src/app/open-app.ts';
import type { App } from '../../src/app/app.ts';
import { openClientCalls } from '../../src/surfaces/mcp/tools/client-calls.ts';
import { inspectTools } from '../../src/surfaces/mcp/dialects/inspect/inspect-tools.ts';
import { serveLines } from '../../src/surfaces/mcp/connections/serve-lines.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { FakeConnection } from '../surfaces/mcp/support/fake-connection.ts';
import { LineClientTransport, streamPair } from '../surfaces/mcp/support/line-client.ts';
import { ListedApps } from './support/answers.ts';

const DEADLINE_MS = 40_000;

const Element = z.object({
  path: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
  enabled: z.boolean(),
  focused: z.boolean(),
  position: z.object({ x: z.int(), y: z.int() }).nullable(),
  size: z.object({ width: z.int(), height: z.int() }).nullable(),
  actions: z.array(z.string()),
  get children() {
    return z.array(Element);
  },
});
type Element = z.output<typeof Element>;
const Tree = z.object({ pid: z.int(), tree: Element, element_count: z.int(), has_more_results: z.boolean() });
const Found = z.object({ elements: z.array(Element), count: z.int(), has_more_results: z.boolean() });
const Focused = z.object({ element: Element.nullable() });
const Windows = z.object({
  windows: z.array(
    z.object({ title: z.string(), pid: z.int(), minimized: z.boolean(), frontmost: z.boolean() }),
  ),
});
const Failure = z.object({
  operation: z.string(),
  error_type: z.string(),
  message: z.string(),
  app: z.union([z.string(), z.int()]),
  guidance: z.string(),
});
const State = z.object({ text: z.string().nullish(), checked: z.unknown(), enabled: z.boolean() });

/** A real application, and the official client, which checks each answer against its schema. */
class World {
  readonly desktop: PrivateDesktop;
  readonly app: App;
  readonly client = new Client({ name: 'test', version: '1' });
  private readonly near: ReturnType<typeof streamPair>[0];
  private readonly fixtures: Fixture[] = [];
  private readonly endings: (() => Promise<unknown>)[] = [];

  private constructor(desktop: PrivateDesktop) {
    this.desktop = desktop;
    const { environment } = desktop;
    const caller = { environment, cwd: '/' };
    this.app = openApp({ ...caller, version: '0.0.0', isPersistent: true, sessionsIn: 'memory' });
    const calls = openClientCalls({ app: this.app, caller, session: undefined });
    const [near, far] = streamPair();
    const served = serveLines({
      stream: far,
      version: '0.0.0',
      open: async () => new FakeConnection(inspectTools(calls)),
    });
    this.endings.push(
      () => this.client.close(),
      () => served,
      () => calls.close(),
      () => this.app.close(),
      () => desktop.stop(),
    );
    this.near = near;
  }

  static async start(): Promise<World> {
    const world = new World(await PrivateDesktop.start({ deadlineMs: DEADLINE_MS }));
    await world.client.connect(new LineClientTransport(world.near));
    // The client learns a tool's schema from the list.
    await world.client.listTools();
    return world;
  }

  async fixture(kind: Fixture['kind']): Promise<Fixture> {
    const { environment } = this.desktop;
    const fixture = await startFixture(kind, { environment, deadlineMs: DEADLINE_MS });
    this.fixtures.push(fixture);
    await this.untilReadable(fixture.pid);
    return fixture;
  }

  async call<T>(schema: z.ZodType<T>, name: string, input: Record<string, unknown> = {}): Promise<T> {
    const { structuredContent, isError } = await this.client.callTool({ name, arguments: input });
    if (isError === true) throw new Error(JSON.stringify(structuredContent));
    return schema.parse(structuredContent);
  }

  async stopFixtures(): Promise<void> {
    await Promise.all(this.fixtures.splice(0).map((fixture) => fixture.stop()));
  }

  async stop(): Promise<void> {
    await this.stopFixtures();
    for (const end of this.endings) await end();
  }

  /** Toolkits register on the accessibility bus a moment after their window is shown. */
  private async untilReadable(pid: number): Promise<void> {
    const end = performance.now() + DEADLINE_MS;
    for (;;) {
      const { apps } = ListedApps.parse(
        await this.app.call('default', 'list-apps', { timeout_ms: DEADLINE_MS }),
      );
      if (apps.some((app) => app.pid === pid && app.accessible)) return;
      if (performance.now() > end) throw new Error(`process ${pid} never became readable`);
      await sleep(100);
    }
  }
}

function flatten(element: Element): Element[] {
  return [element, ...element.children.flatMap((child) => flatten(child))];
}

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world.stop();
});

describe.each(['gtk3', 'qt6'] as const)('the dialect inspect on %s', (kind) => {
  let fixture: Fixture;
  const stateOf = async (widget: string) => State.parse(await fixture.control('get', { widget }));
  beforeAll(async () => {
    fixture = await world.fixture(kind);
  });
  afterAll(() => world.stopFixtures());

  it('reads a tree that agrees with the application', async () => {
    await fixture.control('set', { widget: 'agree', property: 'checked', value: true });
    await fixture.control('set', { widget: 'notes', property: 'text', value: 'Grace' });
    const { tree, pid, element_count } = await world.call(Tree, 'get_ui_tree', {
      app: fixture.pid,
      depth: 50,
    });
    const all = flatten(tree);
    expect({ pid, element_count }).toEqual({ pid: fixture.pid, element_count: all.length });
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length);
    expect(tree.children).toMatchObject([{ path: 'window[0]', title: fixture.title }]);
    const of = (role: string, title: string) => all.find((one) => one.role === role && one.title === title);
    for (const [widget, title] of [
      ['agree', 'Agree'],
      ['select_all', 'Select all'],
    ] as const)
      expect(of('checkbox', title)?.value).toBe(String((await stateOf(widget)).checked));
    for (const [widget, title] of [
      ['later', 'Later'],
      ['press', 'Press'],
    ] as const)
      expect(of('button', title)?.enabled).toBe((await stateOf(widget)).enabled);
    expect(all).toContainEqual(
      expect.objectContaining({ role: 'textbox', value: (await stateOf('notes')).text }),
    );
    expect(of('button', 'Press')?.size?.width).toBeGreaterThan(10);
    expect(of('button', 'Press')?.actions).not.toEqual([]);
    expect(of('button', 'Hidden')).toBeUndefined();
  });

  it('cuts the tree at the requested depth', async () => {
    const shallow = await world.call(Tree, 'get_ui_tree', { app: fixture.pid, depth: 1 });
    expect(shallow).toMatchObject({ element_count: 2, has_more_results: true });
    const buttons = await world.call(Tree, 'get_ui_tree', {
      app: fixture.pid,
      depth: 50,
      filter_roles: ['push button'],
    });
    const roles = flatten(buttons.tree).map(({ role }) => role);
    expect(roles.length).toBeGreaterThan(5);
    expect(new Set(roles.slice(1))).toEqual(new Set(['button']));
  });

  it('finds elements that meet every criterion, in their current state', async () => {
    await fixture.control('set', { widget: 'counter', property: 'label', value: 'Counted twice' });
    const found = await world.call(Found, 'find_element', { app: fixture.pid, title: 'COUNTED' });
    expect(found).toMatchObject({ count: 1, elements: [{ role: 'text', title: 'Counted twice' }] });
    const few = await world.call(Found, 'find_element', { app: fixture.pid, role: 'button', max_results: 3 });
    expect(few).toMatchObject({ count: 3, has_more_results: true });
    expect(await world.call(Found, 'find_element', { app: fixture.pid, title: 'zebra' })).toMatchObject({
      count: 0,
      has_more_results: false,
    });
  });

  it('reports the focused element', async () => {
    await fixture.control('window', { action: 'raise' });
    await fixture.control('set', { widget: 'agree', property: 'focused', value: true });
    const { elements } = await world.call(Found, 'find_element', { app: fixture.pid, title: 'Agree' });
    const [agree] = elements;
    await expect
      .poll(async () => (await world.call(Focused, 'get_focused_element', { app: fixture.pid })).element, {
        timeout: 10_000,
      })
      .toMatchObject({ role: 'checkbox', title: 'Agree', focused: true, path: agree?.path });
  });

  it('lists its window, minimized or not', async () => {
    const listed = { title: fixture.title, pid: fixture.pid };
    await expect
      .poll(() => world.call(Windows, 'list_windows', { app: fixture.pid }), { timeout: 10_000 })
      .toMatchObject({ windows: [{ ...listed, minimized: false }] });
    await fixture.control('window', { action: 'minimize' });
    await expect
      .poll(async () => (await world.call(Windows, 'list_windows', { app: fixture.pid })).windows, {
        timeout: 10_000,
      })
      .toEqual([]);
    const input = { app: fixture.pid, include_minimized: true };
    await expect
      .poll(() => world.call(Windows, 'list_windows', input), { timeout: 10_000 })
      .toMatchObject({ windows: [{ ...listed, minimized: true, frontmost: false }] });
    await fixture.control('window', { action: 'restore' });
  });

  it('reports a frozen application in time', async () => {
    await fixture.control('freeze_ms', { ms: 8000 });
    const started = performance.now();
    const answer = await world.client.callTool({ name: 'find_element', arguments: { app: fixture.pid } });
    expect(performance.now() - started).toBeLessThan(3000);
    const failure = Failure.parse(answer.structuredContent);
    expect(answer.isError).toBe(true);
    expect(failure).toMatchObject({ operation: 'find_element', app: fixture.pid });
    expect(['timeout', 'application_unresponsive']).toContain(failure.error_type);
  });
});

it('fails in the form of the dialect for an application that is not running', async () => {
  const answer = await world.client.callTool({ name: 'get_ui_tree', arguments: { app: 'No such thing' } });
  expect(answer.isError).toBe(true);
  expect(Failure.parse(answer.structuredContent)).toMatchObject({
    operation: 'get_ui_tree',
    error_type: 'application_not_found',
    app: 'No such thing',
  });
});
