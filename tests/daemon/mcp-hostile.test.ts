import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeClientFrame } from '../../src/wire/daemon-protocol.ts';
import type { ClientFrame } from '../../src/wire/client-frames.ts';
import { dailyLogFile } from '../../src/platform/paths.ts';
import { INITIALIZE, piped, untilKeptBy } from './mcp-support.ts';
import { usePretender } from './pretender.ts';
import { envelope, useLab, versionOf } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();
const { pretend, seen } = usePretender(lab);

const PING = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const OPTIONS = { toolsets: ['core'], isReadOnly: false, structured: 'always', session: undefined } as const;
const MCP: ClientFrame = { type: 'mcp', options: OPTIONS };

function logOf(): string {
  return readFileSync(dailyLogFile({ HOME: join(lab().folder, 'home') }, new Date()), 'utf8');
}

describe('a client that sends', () => {
  it('junk, partial lines and a split line gets errors and is still served', async () => {
    const desk = piped(lab());
    await desk.greet();
    desk.write('junk\n\n[1,2]\n');
    desk.write(Buffer.from([0xff, 0xfe, 10]));
    const line = JSON.stringify(PING('pieces'));
    for (const letter of line) desk.write(letter);
    desk.write('\n');
    expect(await desk.answer('pieces')).toMatchObject({ result: {} });
    expect(desk.messages.filter(({ error }) => error !== undefined).length).toBeGreaterThanOrEqual(3);
    // Its input ends in the middle of a line.
    desk.write(line.slice(0, 10));
    expect(await desk.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('lists within lists within lists gets an error with the id and is still served', async () => {
    const desk = piped(lab());
    await desk.greet();
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const params = `{"name":"desktop_workflow","arguments":{"steps":${deep}}}`;
    desk.write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}\n`);
    expect(await desk.answer(7)).toMatchObject({
      error: { message: expect.stringContaining('within each other') },
    });
    desk.send(PING(8));
    expect(await desk.answer(8)).toMatchObject({ result: {} });
    expect((await desk.end()).exitCode).toBe(0);
  });

  it('a huge line gets an error and is still served', async () => {
    const desk = piped(lab());
    await desk.greet();
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 20; count += 1) desk.write(megabyte);
    desk.write('\n');
    desk.send(PING(1));
    expect(await desk.answer(1)).toMatchObject({ result: {} });
    expect(await desk.answer(null)).toMatchObject({ error: { message: expect.stringContaining('longer') } });
    expect((await desk.end()).exitCode).toBe(0);
  });

  it('and does not read is eventually disconnected; others are answered', async () => {
    const desk = piped(lab());
    await desk.greet();
    desk.child.stdout?.pause();
    // Answers of a megabyte each.
    for (let id = 0; id < 150; id += 1) desk.send(PING(`${id}${'x'.repeat(1024 * 1024)}`));
    const other = piped(lab());
    expect(await other.greet()).toMatchObject({ result: {} });
    await untilKeptBy(lab(), /^1 MCP client$/);
    desk.child.stdout?.resume();
    expect((await desk.ended()).exitCode).toBe(11);
    expect(desk.stderr).toMatch(/^desk mcp: DAEMON_UNAVAILABLE: [^\n]+\n$/);
    expect((await other.end()).exitCode).toBe(0);
  });

  it('and does not read for a while eventually gets everything; until then a signal ends it', async () => {
    const [slow, stuck] = [piped(lab()), piped(lab())];
    for (const desk of [slow, stuck]) {
      await desk.greet();
      desk.child.stdout?.pause();
      for (let id = 0; id < 20; id += 1) desk.send(PING(`${id}${'x'.repeat(1024 * 1024)}`));
      desk.send(PING('last'));
    }
    await untilKeptBy(lab(), /^2 MCP clients$/);
    stuck.child.kill('SIGTERM');
    await until(() => stuck.child.exitCode !== null, 'it has ended');
    expect(stuck.child.exitCode).toBe(0);
    slow.child.stdout?.resume();
    expect(await slow.end()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(slow.messages.filter(({ id }) => id !== undefined)).toHaveLength(22);
  });

  it('and is killed during a call has it cancelled and leaves nothing behind', async () => {
    const desk = piped(lab());
    await desk.greet();
    desk.call(1, 'desktop_wait', { ms: 60_000 });
    desk.send(PING(2));
    await desk.answer(2);
    desk.child.kill('SIGKILL');
    await until(() => /"command":"wait".*"error":"CANCELLED"/.test(logOf()), 'the call is cancelled');
    await untilKeptBy(lab(), undefined);
    const sessions = envelope(await lab().desk(['session', 'list']));
    expect(JSON.stringify(sessions)).not.toContain('"mcp');
  });
});

describe('a connection for MCP', () => {
  it('that is handed over is a raw pipe', async () => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    client.send(MCP);
    await client.frame('piped');
    client.socket.removeAllListeners('data');
    let said = '';
    client.socket.on('data', (piece) => (said += String(piece)));
    client.socket.write(`${JSON.stringify(INITIALIZE)}\n`);
    await until(() => said.endsWith('\n'), 'an answer');
    expect(JSON.parse(said)).toMatchObject({ id: 'initialize', result: {} });
    client.socket.end();
    await until(() => client.isClosed, 'the daemon has closed its side');
    await untilKeptBy(lab(), undefined);
  });

  it.each([
    ['more bytes with the frame', [MCP], Buffer.from([0])],
    ['another frame after it', [MCP, { type: 'ask' }], Buffer.alloc(0)],
    [
      'a call under way',
      [{ type: 'execute', id: 1, session: 's', command: 'wait', input: { ms: 5000 } }, MCP],
      Buffer.alloc(0),
    ],
    ['lines that did not wait', [MCP], Buffer.from(`${JSON.stringify(INITIALIZE)}\n`)],
  ] as const)('with %s is refused', async (_, frames, rest) => {
    const version = await versionOf(lab());
    const client = await lab().raw();
    client.hello(version);
    client.socket.write(Buffer.concat([...frames.map((frame) => encodeClientFrame(frame)), rest]));
    expect(await client.frame('refused')).toMatchObject({ code: 'INVALID_ARGUMENT' });
    await until(() => client.isClosed, 'the connection is closed');
    expect(client.frames.map(({ type }) => type)).not.toContain('piped');
    await untilKeptBy(lab(), undefined);
  });

  it('of another version is not served', async () => {
    await versionOf(lab());
    const client = await lab().raw();
    client.hello('9.9.9+other');
    client.send(MCP);
    expect(await client.frame('skew')).toMatchObject({ isIdle: true });
    client.send({ type: 'ask' });
    await client.frame('self');
    expect(client.frames.map(({ type }) => type)).toEqual(['skew', 'self']);
    client.end();
  });

  it('that ends before it has sent anything is closed', async () => {
    // The first client: the MCP server is not loaded yet.
    expect(await lab().desk(['mcp'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await lab().desk(['mcp'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await lab().desk(['mcp', '--no-daemon'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    await untilKeptBy(lab(), undefined);
  });

  it('that disconnects before it has sent anything leaves nothing behind', async () => {
    const version = await versionOf(lab());
    for (let count = 0; count < 20; count += 1) {
      const client = await lab().raw();
      client.hello(version);
      client.send(MCP);
      if (count % 2 === 0) client.end();
      else client.socket.end();
    }
    await untilKeptBy(lab(), undefined);
    expect(logOf()).not.toContain('failed');
  });
});

describe('a daemon of another version', () => {
  const skew = { type: 'skew', version: '0.0.1+old', pid: 4242 } as const;

  it('that is idle is replaced silently', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'hello') reply.say({ ...skew, isIdle: true });
      if (frame.type === 'retire') reply.leave();
    });
    const desk = piped(lab());
    expect(await desk.greet()).toMatchObject({ result: {} });
    expect(await desk.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('without MCP is replaced too', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'hello') reply.say({ ...skew, isIdle: true });
      if (frame.type === 'mcp') reply.hangUp();
      if (frame.type === 'retire') reply.leave();
    });
    const desk = piped(lab());
    expect(await desk.greet()).toMatchObject({ result: {} });
    expect(await desk.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('that is busy is explained on one line', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'hello' || frame.type === 'retire')
        reply.say({ ...skew, isIdle: false, why: '1 private desktop' });
    });
    const ran = await piped(lab()).ended();
    expect(ran).toMatchObject({ exitCode: 11, stdout: '' });
    expect(ran.stderr).toMatch(
      /^desk mcp: DAEMON_UNAVAILABLE: [^\n]*0\.0\.1\+old[^\n]*1 private desktop[^\n]*\n$/,
    );
  });
});

describe('a daemon that', () => {
  it('is shutting down is not waited for: the next one serves', async () => {
    await pretend((frame, reply) => {
      if (frame.type !== 'mcp') return;
      reply.say({ type: 'leaving', pid: 4242 });
      reply.leave();
    });
    const desk = piped(lab());
    expect(await desk.greet()).toMatchObject({ result: {} });
    expect((await desk.end()).exitCode).toBe(0);
  });

  it('refuses a call is quoted', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'mcp')
        reply.say({ type: 'refused', code: 'INVALID_ARGUMENT', message: 'No.', suggestion: 'Ask\nagain.' });
    });
    const ran = await piped(lab()).ended();
    expect(ran).toEqual({
      exitCode: 5,
      stdout: '',
      stderr: 'desk mcp: INVALID_ARGUMENT: No. Ask again.\n',
    });
  });

  it('exits twice before it serves is not retried for ever', async () => {
    await pretend((frame, reply) => frame.type === 'mcp' && reply.hangUp());
    const ran = await piped(lab()).ended();
    expect(ran).toMatchObject({ exitCode: 11, stdout: '', stderr: expect.stringContaining('UNAVAILABLE') });
    expect(seen.filter(({ type }) => type === 'mcp')).toHaveLength(2);
  });

  it('serves MCP receives the caller and the session', async () => {
    await pretend((frame, reply) => {
      if (frame.type === 'mcp') reply.say({ type: 'piped' });
      if (frame.type === 'execute')
        reply.say({ type: 'answer', id: frame.id, exitCode: 0, stdout: '{}', stderr: '' });
    });
    const desk = piped(lab(), ['mcp', '--session', 'mine', '--read-only'], { MY_OWN: 'x' });
    await until(() => seen.some(({ type }) => type === 'mcp'), 'the frame that asks to be served');
    expect(seen.filter(({ type }) => type !== 'execute')).toEqual([
      expect.objectContaining({
        type: 'hello',
        cwd: lab().folder,
        environment: expect.objectContaining({ MY_OWN: 'x' }),
      }),
      {
        type: 'mcp',
        options: { toolsets: ['core'], isReadOnly: true, session: 'mine' },
      },
    ]);
    desk.child.kill('SIGTERM');
    expect((await desk.ended()).exitCode).toBe(0);
  });
});
