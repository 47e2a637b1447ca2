import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PipedDesk } from './mcp-support.ts';
import { useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab({ hasHolder: true, isShared: true });

const Serving = z.looseObject({ url: z.string() });

async function serve(...flags: readonly string[]) {
  for (const name of ['web', 'api']) await mkdir(join(lab().folder, name), { recursive: true });
  const desk = new PipedDesk(
    lab().spawn(['mcp', '--http', '--port', '0', '--toolsets', 'operations', ...flags]),
  );
  await until(() => desk.stdout.endsWith('\n') || desk.exitCode !== undefined, 'it serves', 20_000);
  return { desk, url: Serving.parse(JSON.parse(desk.stdout)).url };
}

const folder = (name: string) => join(lab().folder, name);

/** Runs a command line as a client at an address, and disconnects. */
async function run(url: string, command: string, root?: string): Promise<string> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: root === undefined ? { pin: '2026-07-28' } : 'legacy' },
      capabilities: root === undefined ? {} : { roots: {} },
    },
  );
  if (root !== undefined)
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: pathToFileURL(root).href }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const answer = await client.callTool({ name: 'sandboxed_shell', arguments: { command } });
  await client.close();
  return JSON.stringify(answer.content);
}

it('paths with folders of their own confine commands to them, and an echo is printed on request', async () => {
  const { desk, url } = await serve(
    '--folder',
    `web=${folder('web')}`,
    '--folder',
    `api=${folder('api')}`,
    '--echo',
  );
  const command = `touch here; touch ${folder('api')}/strange; pwd`;
  expect(await run(`${url}/@web`, command)).toContain(folder('web'));
  expect(['web/here', 'api/here', 'api/strange', 'here'].map((path) => existsSync(folder(path)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(await run(`${url}/@api/operations`, command)).toContain(folder('api'));
  expect(existsSync(folder('api/strange'))).toBe(true);
  await until(() => desk.stderr.includes('← STDOUT:'), 'the echo');
  expect(desk.stderr).toMatch(/→ STDIN: \{\n/);
  desk.child.kill('SIGINT');
  expect((await desk.ended()).exitCode).toBe(0);
});

it('sessions work in the first root of their client, if they are to, and not outside the folder of the server', async () => {
  const { desk, url } = await serve('--session-isolation', '--sandbox-scope', folder('web'));
  await mkdir(folder('web/inner'));
  await run(url, 'touch rooted', folder('web/inner'));
  expect(existsSync(folder('web/inner/rooted'))).toBe(true);
  await run(url, `touch rooted; touch ${folder('api')}/outside`, folder('api'));
  expect(['web/rooted', 'api/rooted', 'api/outside'].map((path) => existsSync(folder(path)))).toEqual([
    true,
    false,
    false,
  ]);
  expect(desk.stderr).not.toContain('STDIN');
  desk.child.kill('SIGINT');
  await desk.ended();
});

it('a folder inside another one cannot be replaced by a link that leads out', async () => {
  await mkdir(folder('web/sub'), { recursive: true });
  const sub = ['--folder', `all=${folder('web')}`, '--folder', `sub=${folder('web/sub')}`];
  const { desk, url } = await serve(...sub);
  await run(`${url}/@sub`, 'touch before');
  expect(existsSync(folder('web/sub/before'))).toBe(true);
  await run(`${url}/@all`, 'mv sub old; ln -s ../api sub');
  expect(await run(`${url}/@sub`, 'touch escaped')).toContain('POLICY_DENIED');
  expect(await run(`${url}/@sub/operations`, 'touch escaped')).toContain('has been replaced');
  expect(['web/old/before', 'api/escaped'].map((path) => existsSync(folder(path)))).toEqual([true, false]);
  desk.child.kill('SIGINT');
  await desk.ended();
});

it.each([
  ['web', 'NAME=DIR'],
  ['web=/no/such/folder', 'does not exist'],
  ['../x=/tmp', 'NAME=DIR'],
  [['web=/tmp', 'WEB=/tmp'], 'twice'],
])('--folder %s is refused', async (folders, why) => {
  const flags = [folders].flat().flatMap((each) => ['--folder', each]);
  const ran = await lab().desk(['mcp', '--http', '--port', '0', ...flags]);
  expect([ran.exitCode, ran.stdout]).toEqual([5, expect.stringContaining(why)]);
});
