import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { INITIALIZE, MODERN, piped, PipedDesk, untilKeptBy } from './mcp-support.ts';
import { ended, envelope, isAlive, kill, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();

const Tools = z.object({ result: z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }) });
const LIST = { jsonrpc: '2.0', id: 'list', method: 'tools/list' } as const;

describe.each([
  [['mcp']],
  [['mcp', 'serve']],
  [['--mcp']],
  [[]],
  [['--no-daemon', 'mcp']],
  [['--no-daemon', '--mcp']],
])('desk %j', (args) => {
  it('serves a legacy client until its input ends and prints nothing else', async () => {
    const desk = piped(lab(), args);
    expect(await desk.greet()).toMatchObject({
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'deskterity' } },
    });
    desk.send(LIST);
    const { result } = Tools.parse(await desk.answer('list'));
    expect(result.tools.map(({ name }) => name)).toContain('desktop_snapshot');
    expect(await desk.end()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(desk.messages).toHaveLength(2);
  });

  it('serves a modern client', async () => {
    const desk = piped(lab(), args);
    desk.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: MODERN });
    expect(await desk.answer(1)).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } });
    desk.send({ ...LIST, params: MODERN });
    expect(Tools.parse(await desk.answer('list')).result.tools.length).toBeGreaterThan(5);
    expect(await desk.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('answers requests sent before its input ended', async () => {
    const desk = piped(lab(), args);
    desk.send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' });
    desk.call(7, 'desktop_wait', { ms: 300 });
    expect(await desk.end()).toMatchObject({ exitCode: 0, stderr: '' });
    const answered = desk.messages.filter(({ id }) => id !== undefined);
    expect(answered.map(({ id }) => id)).toEqual(['initialize', 7]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is ended at once by %s', async (signal) => {
    const desk = piped(lab(), args);
    await desk.greet();
    desk.call(1, 'desktop_wait', { ms: 60_000 });
    desk.child.kill(signal);
    expect(await desk.ended()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('without arguments and without a pipe', () => {
  it('the help is printed', async () => {
    expect((await lab().desk([])).stdout).toContain('Usage: desk <command>');
    const input = join(lab().folder, 'input');
    writeFileSync(input, '');
    const child = spawn('/bin/sh', ['-c', `exec "$NODE" ${join(lab().program, 'desk.cjs')} <${input}`], {
      env: { ...lab().environment(), NODE: process.execPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect((await ended(child)).stdout).toContain('Usage: desk <command>');
  });

  it('a file as input is served on request', async () => {
    const input = join(lab().folder, 'input');
    writeFileSync(input, `${JSON.stringify(INITIALIZE)}\n`);
    const child = spawn('/bin/sh', ['-c', `exec "$NODE" ${join(lab().program, 'desk.cjs')} mcp <${input}`], {
      env: { ...lab().environment(), NODE: process.execPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ran = await ended(child);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'initialize', result: {} });
  });
});

describe('what it offers', () => {
  async function toolsOf(...flags: readonly string[]): Promise<string[]> {
    const desk = piped(lab(), ['mcp', ...flags]);
    await desk.greet();
    desk.send(LIST);
    const { result } = Tools.parse(await desk.answer('list'));
    await desk.end();
    return result.tools.map(({ name }) => name);
  }

  it('is chosen by flags', async () => {
    expect(await toolsOf('--read-only')).not.toContain('desktop_click');
    const all = await toolsOf('--toolsets', 'core,all');
    expect(all).toContain('desktop_session_list');
    expect(await toolsOf()).not.toContain('desktop_session_list');
  });

  it.each([
    [
      ['mcp', '--toolsets', 'core,nonsense'],
      '"nonsense"; expected one of core, input, windows, verify, operations, terminal, all, inspect, terminator, ax',
    ],
    [['mcp', '--toolsets', ''], '""; expected one of core'],
    [['mcp', '--port', '80'], '--port requires --http'],
    [['mcp', '--nonsense'], 'has no flag --nonsense'],
    [['mcp', 'nonsense'], 'does not expect the argument "nonsense"'],
    [['--mcp', '--toolsets'], '--toolsets needs a value'],
  ])('by invalid flags (%j) is refused outside the protocol, on one line', async (args, message) => {
    const ran = await lab().desk(args);
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
    expect(ran.stderr).toMatch(/^desk mcp: INVALID_ARGUMENT: [^\n]+\n$/);
    expect(ran.stderr).toContain(message);
    expect(lab().daemons()).toEqual([]);
  });
});

describe('the daemon', () => {
  it('stays for its clients, names them, and exits after them', async () => {
    const idle = { DESKTERITY_DAEMON_IDLE_TIMEOUT_MS: '1000' };
    const [one, two] = [piped(lab(), ['mcp'], idle), piped(lab(), ['mcp'], idle)];
    await Promise.all([one.greet(), two.greet()]);
    await untilKeptBy(lab(), /^2 MCP clients$/);
    const pid = lab().daemonPid ?? 0;
    await one.end();
    await untilKeptBy(lab(), /^1 MCP client$/);
    // Longer than an idle daemon stays.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(isAlive(pid)).toBe(true);
    expect((await two.end()).exitCode).toBe(0);
    await until(() => !isAlive(pid), 'it has left');
  });

  it('that is killed is reported on one line', async () => {
    const desk = piped(lab());
    await desk.greet();
    kill(lab().daemonPid);
    const ran = await desk.ended();
    expect(ran.exitCode).toBe(11);
    expect(ran.stderr).toMatch(/^desk mcp: DAEMON_UNAVAILABLE: [^\n]+\n$/);
    expect(desk.messages).toHaveLength(1);
  });

  it('that is stopped ends its clients properly', async () => {
    const desk = piped(lab());
    await desk.greet();
    desk.call(1, 'desktop_wait', { ms: 60_000 });
    await untilKeptBy(lab(), /MCP client/);
    const pid = lab().daemonPid ?? 0;
    expect(envelope(await lab().desk(['daemon', 'stop']))).toMatchObject({ stopped: true, killed: false });
    expect(isAlive(pid)).toBe(false);
    const ran = await desk.ended();
    expect(ran).toMatchObject({ exitCode: 11, stderr: expect.stringContaining('DAEMON_UNAVAILABLE') });
  });

  it('is started once by many simultaneous clients and serves all', async () => {
    const all = Array.from({ length: 50 }, () => piped(lab()));
    await Promise.all(all.map((desk) => desk.greet()));
    await untilKeptBy(lab(), /^50 MCP clients$/);
    all.forEach((desk) => desk.send(LIST));
    await Promise.all(all.map((desk) => desk.answer('list')));
    const ran = await Promise.all(all.map((desk) => desk.end()));
    expect(ran.filter(({ exitCode, stderr }) => exitCode !== 0 || stderr !== '')).toEqual([]);
    expect(lab().daemons()).toHaveLength(1);
    await untilKeptBy(lab(), undefined);
  }, 120_000);

  it('that cannot be started is reported on one line', async () => {
    writeFileSync(join(lab().folder, 'file'), '');
    const changes = { XDG_RUNTIME_DIR: undefined, TMPDIR: join(lab().folder, 'file') };
    const ran = await piped(lab(), ['mcp'], changes).end();
    expect(ran).toMatchObject({ exitCode: 11, stdout: '' });
    expect(ran.stderr).toMatch(/^desk mcp: DAEMON_UNAVAILABLE: [^\n]+--no-daemon[^\n]*\n$/);
  });
});

it('a full disk for its answers is reported', async () => {
  const child = spawn('/bin/sh', ['-c', `exec "$NODE" ${join(lab().program, 'desk.cjs')} mcp >/dev/full`], {
    env: { ...lab().environment(), NODE: process.execPath },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const desk = new PipedDesk(child);
  desk.send(INITIALIZE);
  const ran = await desk.ended();
  expect(ran).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('cannot write') });
});
