import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { textOf, useClients, type Era, type McpDesk } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);
const WAIT = { timeout: 10_000, interval: 50 };
const FLAGS = ['--toolsets', 'all,ax,terminator'];
const Status = z.looseObject({ security_mode: z.string() });

/** Outside of the folder that tools are confined to. */
let settings: string;
afterAll(() => rm(settings, { recursive: true, force: true }));
/** Written as editors do: a new file in the place of the old one. */
async function policy(text: string): Promise<void> {
  const folder = join(settings, 'deskterity');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'policy.new'), text, { mode: 0o600 });
  await rename(join(folder, 'policy.new'), join(folder, 'policy.toml'));
}

let form: Fixture;
beforeAll(async () => {
  settings = await mkdtemp(join(tmpdir(), 'deskterity-modes-'));
  form = await place().fixture('gtk3');
});
beforeEach(() => policy(''));

const open = (era: Era, flags = FLAGS): Promise<McpDesk> =>
  connect({ era, way: 'stdio', flags, environment: { XDG_CONFIG_HOME: settings } });

async function listed({ client }: McpDesk): Promise<string[]> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
  return tools.map(({ name }) => name);
}

/** How often the client was told that its tools have changed. */
async function toolChanges({ client, settings: { era } }: McpDesk): Promise<() => number> {
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1;
  });
  // In the legacy protocol, every client that has the list is notified when it changes.
  if (era === 'modern') await client.listen({ toolsListChanged: true });
  return () => changes;
}

const ACTING = ['desktop_click', 'desktop_fill', 'desktop_workflow', 'desktop_clipboard_set', 'ax_click'];
const RUNNING = ['terminal', 'terminator.execute', 'sandboxed_shell', 'run_tool', 'tools_call'];

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  it('is told of a new mode, sees other tools, and cannot call those it no longer sees', async () => {
    const desk = await open(era);
    const changes = await toolChanges(desk);
    expect(await listed(desk)).toEqual(expect.arrayContaining([...ACTING, ...RUNNING]));
    expect(await desk.data(Status, 'desktop_status')).toMatchObject({ security_mode: 'normal' });

    await policy('mode = "sandboxed"\n');
    await expect.poll(changes, WAIT).toBe(1);
    const now = await listed(desk);
    expect(now.filter((name) => [...ACTING, ...RUNNING].includes(name))).toEqual([]);
    expect(now).toEqual(expect.arrayContaining(['desktop_snapshot', 'ax_find', 'ax_connect']));
    expect(await desk.data(Status, 'desktop_status')).toMatchObject({ security_mode: 'sandboxed' });
    expect(await desk.read('deskterity://system/status')).toContain('"security_mode":"sandboxed"');
    const { prompts } = await desk.client.listPrompts(undefined, { cacheMode: 'refresh' });
    expect(prompts.map(({ name }) => name)).not.toContain('test-app');

    const before = await form.events();
    const input = { ref: 'role:button', app: String(form.pid), query: 'Press' };
    for (const name of ['desktop_click', 'ax_click', 'terminal']) {
      const refused = await desk.call(name, input);
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toMatch(/POLICY_DENIED.*mode sandboxed.*\n.*[Cc]hange the mode/);
    }
    expect(await form.events()).toEqual(before);

    await policy('mode = "normal"\n');
    await expect.poll(changes, WAIT).toBe(2);
    expect(await listed(desk)).toEqual(expect.arrayContaining(ACTING));
  });
});

it('a client that may only read is in the mode sandboxed', async () => {
  const desk = await open('modern', ['--read-only']);
  expect(await listed(desk)).not.toContain('desktop_click');
  expect(textOf(await desk.call('desktop_click', { ref: '@e1' }))).toContain('mode sandboxed');
  expect(await desk.read('deskterity://system/status')).toContain('"security_mode":"sandboxed"');
});

/** What a client of the legacy era was told, by logger and level. */
function heard({ client }: McpDesk): (logger: string, level: string) => unknown[] {
  const said: { level: string; logger?: string | undefined; data: unknown }[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void said.push(params));
  return (logger, level) =>
    said.filter((one) => one.logger === logger && one.level === level).map(({ data }) => data);
}

it('calls that are too many are an alert to the client', async () => {
  const environment = { XDG_CONFIG_HOME: settings, DESKTERITY_RATE_LIMIT_RPM: '1' };
  const desk = await connect({ era: 'legacy', way: 'stdio', environment });
  const alerts = heard(desk);
  const calls = Array.from({ length: 8 }, () => desk.call('desktop_list_windows'));
  expect((await Promise.all(calls)).map((one) => textOf(one)).join('\n')).toContain('RATE_LIMITED');
  await expect
    .poll(() => alerts('deskterity.audit', 'alert'), WAIT)
    .toMatchObject([{ kind: 'denied', command: 'list-windows', result: 'RATE_LIMITED' }]);
});

it('what is refused is an alert to the client, and a new mode a notice', async () => {
  await policy('[applications]\ndenied = ["python3*"]\n');
  const desk = await open('legacy');
  const of = heard(desk);
  const app = String(form.pid);
  const reading = await desk.call('desktop_snapshot', { app });
  expect(textOf(reading)).toContain('POLICY_DENIED');
  const click = () => desk.call('desktop_click', { ref: `app:${app} >> role:button` });
  expect((await click()).isError).toBe(true);
  await expect(desk.client.readResource({ uri: `deskterity://app/${app}/tree` })).rejects.toThrow('policy');
  await expect(desk.watch(`deskterity://app/${app}/tree`)).rejects.toThrow('policy');
  const alert = (command: string) => ({ kind: 'denied', command, result: 'POLICY_DENIED' });
  await expect
    .poll(() => of('deskterity.audit', 'alert'), WAIT)
    .toMatchObject([alert('snapshot'), alert('click'), alert('snapshot'), alert('snapshot')]);
  expect(JSON.stringify(of('deskterity.audit', 'alert'))).not.toContain(form.title);

  await desk.client.listTools();
  await policy('mode = "sandboxed"\n');
  await expect.poll(() => of('deskterity.policy', 'notice'), WAIT).toEqual([{ security_mode: 'sandboxed' }]);
  expect((await click()).isError).toBe(true);
  await expect.poll(() => of('deskterity.audit', 'alert').at(-1), WAIT).toMatchObject({ command: 'click' });
});
