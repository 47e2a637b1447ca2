import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { INITIALIZE, PipedDesk, untilKeptBy } from './mcp-support.ts';
import { envelope, kill, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();

const Serving = z.looseObject({ ok: z.literal(true), command: z.literal('mcp'), url: z.string() });
const TOKEN = 'tok-1234567890-abcdefghijklmnop';

/** `desk mcp --http` on a free port, once it has printed its address. */
async function serve(
  flags: readonly string[] = [],
  changes: NodeJS.ProcessEnv = {},
  own: readonly string[] = [],
): Promise<{ readonly desk: PipedDesk; readonly url: string }> {
  const desk = new PipedDesk(lab().spawn([...flags, 'mcp', '--http', '--port', '0', ...own], changes));
  await until(() => desk.stdout.endsWith('\n') || desk.exitCode !== undefined, 'it serves', 20_000);
  return { desk, url: Serving.parse(JSON.parse(desk.stdout)).url };
}

async function ask(url: string, token?: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(INITIALIZE),
  });
  await response.body?.cancel();
  return response.status;
}

async function isServed(url: string): Promise<boolean> {
  return ask(url).then(
    () => true,
    () => false,
  );
}

describe.each([[[]], [['--no-daemon']]])('desk %j mcp --http', (flags) => {
  it('serves until it is interrupted', async () => {
    const { desk, url } = await serve(flags);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await ask(url)).toBe(200);
    desk.child.kill('SIGINT');
    expect(await desk.ended()).toMatchObject({ exitCode: 0, stderr: '' });
    await until(() => desk.exitCode !== undefined, 'it has ended');
    if (flags.length === 0) await untilKeptBy(lab(), undefined);
    expect(await isServed(url)).toBe(false);
  });

  it('requires the token of the variable and never prints it', async () => {
    const { desk, url } = await serve(flags, { DESKTERITY_HTTP_TOKEN: TOKEN });
    expect([await ask(url), await ask(url, 'wrong'), await ask(url, TOKEN)]).toEqual([401, 401, 200]);
    desk.child.kill('SIGTERM');
    const ran = await desk.ended();
    expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
    const home = join(lab().folder, 'home');
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const kept = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    expect(kept.join('')).not.toContain(TOKEN);
  });

  it('refuses unsafe or missing options', async () => {
    const refused = async (...more: readonly string[]) => {
      const ran = await lab().desk([...flags, 'mcp', '--http', ...more]);
      return [ran.exitCode, envelope(ran).error?.code];
    };
    expect(await refused('--bind', '0.0.0.0', '--port', '0')).toEqual([10, 'UNAUTHORIZED']);
    expect(await refused('--port', '65536')).toEqual([5, 'INVALID_ARGUMENT']);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await refused('--port', String(port))).toEqual([11, 'CONFLICT']);
    await new Promise((resolve) => server.close(resolve));
    if (flags.length === 0) await untilKeptBy(lab(), undefined);
  });
});

it('the toolsets of the command line are the most that any path offers', async () => {
  const { desk, url } = await serve([], {}, ['--toolsets', 'core,verify']);
  const answers = await Promise.all(
    ['', '/core', '/verify,core', '/all', '/core,input', '/inspect'].map((path) => ask(`${url}${path}`)),
  );
  expect(answers).toEqual([200, 200, 200, 404, 404, 404]);
  desk.child.kill('SIGINT');
  await desk.ended();
});

it('the token can be in a file', async () => {
  const file = join(lab().folder, 'token');
  writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
  const child = lab().spawn(['mcp', '--http', '--port', '0', '--token-file', file, '--format', 'text']);
  const desk = new PipedDesk(child);
  await until(() => desk.stdout.endsWith('\n'), 'it serves');
  const url = desk.stdout.trim();
  expect([await ask(url), await ask(url, TOKEN)]).toEqual([401, 200]);
  child.kill('SIGINT');
  expect(await desk.ended()).toMatchObject({ exitCode: 0, stdout: `${url}\n`, stderr: '' });
});

it.each([
  ['is missing', undefined],
  ['is empty', '\n'],
  ['has two lines', 'one\ntwo\n'],
  ['is some other file', 'x'.repeat(10_000)],
])('a token file that %s is refused before anything is served', async (_, text) => {
  const file = join(lab().folder, 'token');
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  const ran = await lab().desk(['mcp', '--http', '--port', '0', '--token-file', file]);
  expect(ran.exitCode).toBe(5);
  expect(envelope(ran).error?.message).toContain('--token-file');
  expect(lab().daemons()).toEqual([]);
});

it('the server keeps the daemon running, which reports it', async () => {
  const { desk, url } = await serve();
  await untilKeptBy(lab(), /^1 HTTP server$/);
  // The process that started it was killed.
  desk.child.kill('SIGKILL');
  await untilKeptBy(lab(), undefined);
  expect(await isServed(url)).toBe(false);
});

it.each(['killed', 'stopped'])(
  'a daemon that is %s takes the server with it, which is told about',
  async (how) => {
    const { desk, url } = await serve();
    if (how === 'killed') kill(lab().daemonPid);
    else await lab().desk(['daemon', 'stop']);
    const ran = await desk.ended();
    expect(ran.exitCode).toBe(11);
    // The failure is a second document, after the one with the address.
    expect(ran.stdout.trim().split('\n').at(-1)).toContain('DAEMON_UNAVAILABLE');
    expect(await isServed(url)).toBe(false);
  },
);
