import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { otherLiveDisplays } from '../../src/platform/linux/desktops.ts';
import { builtProgram } from '../e2e/support/build.ts';
import { startUserDesktop, type UserDesktopStage } from './user-desktop-stage.ts';

const Windows = z.object({
  private_desktop: z.string().optional(),
  windows: z.array(z.object({ title: z.string() })),
});
const Status = z.object({
  desktop: z.object({ display: z.string(), private: z.boolean(), found: z.boolean().optional() }),
});
const Facts = z.object({
  experimental: z.object({
    'deskterity/desktop': z.looseObject({ display: z.string().optional(), found: z.boolean().optional() }),
  }),
});

let program: Awaited<ReturnType<typeof builtProgram>>;
let alive: readonly string[] = [];
const stages: UserDesktopStage[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  // The desktops of tests that run beside this one end soon.
  const latest = Date.now() + 10_000;
  do alive = await otherLiveDisplays({});
  while (alive.length > 0 && Date.now() < latest && (await sleep(200, true)));
});

beforeEach(async ({ skip }) => {
  skip(alive.length > 0, `a desktop of this user is alive and would be found: ${alive.join(', ')}`);
  program = await builtProgram();
  mkdirSync(path.join(program.folder, 'home'));
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await promisify(execFile)(process.execPath, [program.entry, 'daemon', 'stop', '--force'], { env: bare() });
  await Promise.all(stages.splice(0).map((stage) => stage.stop()));
  await rm(program.folder, { recursive: true, force: true });
});

/** What the official client gives a server, with a home of its own; the temporary folder keeps it from a daemon of the developer's. */
function bare(): Record<string, string> {
  return { ...getDefaultEnvironment(), HOME: path.join(program.folder, 'home'), TMPDIR: program.folder };
}

async function stage(title: string): Promise<UserDesktopStage> {
  const started = await startUserDesktop(title);
  stages.push(started);
  return started;
}

async function connect(more: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'bare', version: '1' });
  clients.push(client);
  const args = [program.entry, 'mcp', '--toolsets', 'core,verify', '--structured', 'always'];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...bare(), ...more },
      cwd: program.folder,
    }),
  );
  return client;
}

async function windows(client: Client): Promise<z.output<typeof Windows>> {
  const result = await client.callTool({ name: 'desktop_list_windows', arguments: {} });
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return Windows.parse(result.structuredContent);
}

it('the one desktop that the user has is worked on, and is named', async () => {
  const { display } = await stage('Of the user');
  const client = await connect();
  const facts = Facts.parse(client.getServerCapabilities()).experimental['deskterity/desktop'];
  expect(facts).toMatchObject({ display, found: true });
  await expect
    .poll(async () => (await windows(client)).windows, { timeout: 10_000 })
    .toMatchObject([{ title: 'Of the user' }]);
  expect((await windows(client)).private_desktop).toBeUndefined();
  const status = await client.callTool({ name: 'desktop_status', arguments: {} });
  expect(Status.parse(status.structuredContent).desktop).toEqual({ display, private: false, found: true });
  expect(JSON.stringify(status.content)).toContain('found automatically');
});

it('of two desktops none is chosen, and both are named', async () => {
  const both = await Promise.all([stage('First'), stage('Second')]);
  const client = await connect();
  const result = await client.callTool({ name: 'desktop_list_windows', arguments: {} });
  expect(result.isError).toBe(true);
  const text = JSON.stringify(result.content);
  expect(text).toContain('DISPLAY_UNAVAILABLE');
  for (const { display } of both) expect(text).toContain(display);
  // The name is enough: its key and its bus are found.
  const named = await connect({ DISPLAY: both[1].display });
  await expect
    .poll(async () => (await windows(named)).windows, { timeout: 10_000 })
    .toMatchObject([{ title: 'Second' }]);
});

it('without one a private desktop is used, and every answer names it', async () => {
  const client = await connect();
  const answer = await windows(client);
  expect(answer.windows).toEqual([]);
  expect(answer.private_desktop).toMatch(/^:\d+$/);
});
