import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startFixture, type Fixture, type FixtureEvent } from '../../fixtures/driver.ts';
import { openApp } from '../../src/app/open-app.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { serveLines } from '../../src/surfaces/mcp/connections/serve-lines.ts';
import { openConnection } from '../../src/surfaces/mcp/tools/open-connection.ts';
import { LineClientTransport, streamPair } from '../surfaces/mcp/support/line-client.ts';
import { ListedApps } from './support/answers.ts';

const DEADLINE_MS = 20_000;
const Data = z.record(z.string(), z.unknown());
const State = z.object({ text: z.string().nullish(), value: z.unknown(), checked: z.unknown() });

/** A real application, and the official client, which checks each answer against the schema of its tool. */
const client = new Client({ name: 'test', version: '1' });
const endings: (() => Promise<unknown>)[] = [];
const called = new Set<string>();
let fixture: Fixture;

beforeAll(async () => {
  const desktop = await PrivateDesktop.start({ deadlineMs: DEADLINE_MS });
  const { environment } = desktop;
  const caller = { environment, cwd: '/' };
  const app = openApp({ ...caller, version: '0.0.0', isPersistent: true, sessionsIn: 'memory' });
  fixture = await startFixture('gtk3', { environment, deadlineMs: DEADLINE_MS });
  const [near, far] = streamPair();
  const options = { toolsets: ['ax'], isReadOnly: false, structured: undefined, session: undefined };
  const served = serveLines({
    stream: far,
    version: '0.0.0',
    open: () => openConnection({ app, caller, version: '0.0.0', options, hasSessionArgument: false }),
  });
  endings.push(
    () => client.close(),
    () => served,
    () => fixture.stop(),
    () => app.close(),
    () => desktop.stop(),
  );
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const { apps } = ListedApps.parse(await app.call('default', 'list-apps', { timeout_ms: DEADLINE_MS }));
    if (apps.some((one) => one.pid === fixture.pid && one.accessible)) break;
    if (performance.now() > end) throw new Error('the application never became readable');
    await sleep(50);
  }
  await client.connect(new LineClientTransport(near));
});
afterAll(async () => {
  for (const end of endings) await end();
});

async function call(name: string, input: Record<string, unknown> = {}) {
  called.add(name);
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  if (isError === true) throw new Error(`${name}: ${text}`);
  return { text, content, data: Data.parse(structuredContent ?? {}) };
}

const stateOf = async (widget: string) => State.parse(await fixture.control('get', { widget }));
const happened = (widget: string, event: string) =>
  fixture.waitForEvent((seen: FixtureEvent) => seen.widget === widget && seen.event === event, 5000);

it('each tool of the dialect does on a real application what it says', async () => {
  const { tools } = await client.listTools();
  const app = 'shop';
  expect(await call('ax_is_accessible')).toMatchObject({ data: { enabled: true } });
  expect((await call('ax_connect', { app: String(fixture.pid), alias: app })).data).toMatchObject({
    connected: true,
    pid: fixture.pid,
    windows: 1,
    alias: app,
  });
  expect((await call('ax_list_apps')).data).toMatchObject({
    apps: expect.arrayContaining([expect.objectContaining({ pid: fixture.pid, connected: true })]),
  });
  expect((await call('ax_list_windows', { app })).data).toMatchObject({
    windows: [{ index: 0, title: fixture.title }],
  });

  const press = (await call('ax_find', { app, query: 'Press' })).data;
  expect(press).toMatchObject({ found: true, role: 'button', strategy: 'title_exact', enabled: true });
  const [x = 0, y = 0] = z.array(z.int()).parse(press['position']);
  const [width = 0, height = 0] = z.array(z.int()).parse(press['size']);
  await call('ax_click', { app, query: 'button:Press' });
  await happened('press', 'clicked');
  const before = (await fixture.events()).filter(({ event }) => event === 'clicked').length;
  await call('ax_click_at', { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) });
  await expect
    .poll(async () => (await fixture.events()).filter(({ event }) => event === 'clicked').length)
    .toBe(before + 1);
  await expect(call('ax_click', { app, query: 'Press', click_type: 'double' })).rejects.toThrow(
    /Suggestion: /,
  );

  const notes = { app, query: 'Notes' };
  await call('ax_set_value', { ...notes, value: 'Grace' });
  expect(await stateOf('notes')).toMatchObject({ text: 'Grace' });
  expect((await call('ax_get_value', notes)).data).toMatchObject({ found: true, value: 'Grace' });
  await call('ax_type', { ...notes, text: 'Ada', clear_first: true });
  expect(await stateOf('notes')).toMatchObject({ text: 'Ada' });
  expect((await call('ax_assert', { ...notes, assertions: { value: 'Ada' } })).data).toMatchObject({
    passed: true,
  });
  expect((await call('ax_undo', { count: 1 })).data).toMatchObject({
    undone: 1,
    skipped: 0,
    actions: [{ tool: 'ax_type', status: 'undone' }],
  });
  expect(await stateOf('notes')).toMatchObject({ text: 'Grace' });

  const steps = [
    { tool: 'ax_set_value', args: { ...notes, value: 'Rolled' } },
    { tool: 'ax_click', args: { app, query: 'Nowhere' }, on_fail: 'rollback' },
  ];
  await expect(call('ax_workflow', { steps })).rejects.toThrow(/"success":false[^]*"rolled_back":true/);
  expect(await stateOf('notes')).toMatchObject({ text: 'Grace' });
  const copied = [
    { tool: 'ax_get_value', args: notes },
    { tool: 'ax_clipboard', args: { action: 'write', text: '{{step_0.value}}' } },
  ];
  expect((await call('ax_workflow', { steps: copied })).data).toMatchObject({
    success: true,
    steps_completed: 2,
  });
  expect((await call('ax_clipboard', { action: 'read' })).data).toEqual({ success: true, text: 'Grace' });

  await call('ax_click', { ...notes, mode: 'focus' });
  await call('ax_key_press', { app, key: 'a', modifiers: ['cmd'] });
  await call('ax_key_press', { app, key: 'z' });
  await expect.poll(async () => (await stateOf('notes')).text).toBe('z');

  const tree = z
    .object({ tree: Data })
    .parse(JSON.parse((await call('ax_get_tree', { app, max_depth: 3 })).text));
  expect(tree.tree).toMatchObject({ role: 'window', title: fixture.title });
  expect(JSON.parse((await call('ax_get_attributes', notes)).text)).not.toEqual({});
  const shot = await call('ax_screenshot', { app, region: { x: 0, y: 0, w: 40, h: 30 } });
  expect(shot.content.map(({ type }) => type)).toContain('image');
  await call('ax_wait_idle', { app });
  const info = (await call('ax_session_info')).data;
  expect(info).toMatchObject({ connected_apps: [expect.any(String)], security_mode: 'normal' });
  expect(info['action_count']).toBeGreaterThan(4);

  const volume = (await call('ax_find', { app, query: 'AXSlider' })).data;
  const [left = 0, top = 0] = z.array(z.int()).parse(volume['position']);
  const [wide = 0, high = 0] = z.array(z.int()).parse(volume['size']);
  const middle = top + Math.floor(high / 2);
  const at = { from_x: left + Math.floor(wide * 0.3), from_y: middle, to_x: left + wide - 2, to_y: middle };
  await call('ax_drag', { app, ...at });
  expect((await stateOf('volume')).value).toBeGreaterThan(30);

  await call('ax_click', { app, query: 'Many rows', mode: 'focus' });
  const shown = async () => (await call('ax_get_tree', { app, compact: true, max_depth: 20 })).text;
  const rows = await shown();
  await call('ax_scroll', { app, direction: 'down', amount: 400, query: 'listbox:Rows' });
  await expect.poll(shown).not.toBe(rows);
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});
