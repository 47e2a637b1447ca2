import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TerminalsPort } from '../../src/ports/terminals.ts';
import { HOLDER_PROTOCOL } from '../../src/wire/holder-protocol.ts';
import { isAlive, kill } from '../operations/support/operations-lab.ts';
import {
  executesIn,
  ran,
  request,
  running,
  useTerminalsLab,
  WAITS,
} from '../terminal/support/terminals-lab.ts';
import { until } from '../until.ts';

const lab = useTerminalsLab();
const Opened = z.object({ id: z.string(), pid: z.int() });

describe('when the daemon is killed', () => {
  it('terminals and their programs continue, and another daemon finds them all', async () => {
    const daemon = lab().daemon();
    const { id, pid } = Opened.parse(await daemon.call('open', lab().start()));
    await daemon.call('run', id, request('X=kept; echo ready'));
    void daemon.call('run', id, request('sleep 0.8; echo done')).catch(() => undefined);
    await until(() => running('sleep 0.8').length > 0, 'it runs');
    await daemon.kill();
    const terminals = lab().terminals();
    const [found] = await terminals.list();
    expect(found).toMatchObject({ id, pid, state: 'running', running: 'sleep 0.8; echo done' });
    await until(async () => (await terminals.facts(id)).state === 'idle', 'it has ended');
    expect((await terminals.output(id, { cursor: 0, maxTokens: 2000 })).text).toContain('done\n');
    expect((await ran(terminals, id, 'echo $X')).output).toBe('kept');
    expect(lab().base.holders()).toHaveLength(1);
  });
});

describe('what the shell of a killed holder had to read', () => {
  const folders = (): string[] => readdirSync(join(dirname(lab().socket), 'shells'));

  const lose = async (): Promise<{ terminals: TerminalsPort; id: string }> => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    expect(folders()).toEqual([id]);
    const [holder = 0] = lab().base.holders();
    kill(holder);
    await until(async () => (await terminals.list()).length === 0, 'it is lost');
    return { terminals, id };
  };

  it('is removed when its terminal is closed', async () => {
    const { terminals, id } = await lose();
    await terminals.close(id, WAITS);
    expect(folders()).toEqual([]);
  });

  it('is removed when another terminal is opened', async () => {
    const { terminals } = await lose();
    const { id: next } = await terminals.open(lab().start({ tag: 'next' }));
    expect(folders()).toEqual([next]);
  });
});

it('a command leaves no listener on the signal of its call, which Node would keep for it', async () => {
  const terminals = lab().terminals();
  const { id } = await terminals.open(lab().start());
  const { signal } = new AbortController();
  await terminals.run(id, request('true'), signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('two clients at once', () => {
  it('that open the same terminal get one; commands run one after the other or are refused', async () => {
    const daemons = [lab().daemon(), lab().daemon(), lab().daemon()];
    const start = lab().start();
    const ids = await Promise.all(
      daemons.map(async (daemon) => Opened.parse(await daemon.call('open', start)).id),
    );
    expect(new Set(ids).size).toBe(1);
    const [id = ''] = ids;
    expect(lab().base.strays()).toHaveLength(1);
    const answers = await Promise.all(
      daemons.map(async (daemon, index) =>
        daemon.call('run', id, request(`sleep 0.2; echo ${index} >> log`)).catch(String),
      ),
    );
    const busy = answers.filter((answer) => typeof answer === 'string' && answer.includes('is busy'));
    expect(busy).toHaveLength(2);
    expect(readFileSync(join(lab().base.scope, 'log'), 'utf8')).toMatch(/^\d\n$/);
  });

  it('of different builds have separate terminals by name and see each other’s', async () => {
    const [one, other] = [lab().terminals(), lab().terminals({ build: 'other' })];
    const { id } = await one.open(lab().start());
    expect((await other.open(lab().start())).id).toBe(id);
    const { id: second } = await other.open(lab().start({ tag: 'second' }));
    expect(lab().base.holders()).toHaveLength(2);
    expect((await one.list()).map((each) => each.id)).toEqual([second, id]);
    expect((await ran(one, second, 'echo across')).output).toBe('across');
    await one.close(second, WAITS);
    expect(await other.find({ ...lab().start().name, tag: 'second' })).toBeUndefined();
  });
});

describe('when the holder is killed', () => {
  it('its terminals have ended, are not listed, and their remains can be ended', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    await ran(terminals, id, 'echo shown; (setsid sh -c "trap \'\' HUP; sleep 300" &)');
    const waiting = ran(terminals, id, 'sleep 301').catch((error: unknown) => error);
    const view = await terminals.view(id);
    let heard = 0;
    view.watch(() => (heard += 1));
    const attached = await terminals.attach(id, {
      size: { columns: 120, rows: 40 },
      onBytes: () => undefined,
      signal: new AbortController().signal,
    });
    await until(() => running('sleep 301').length > 0, 'it runs');
    const [holder = 0] = lab().base.holders();
    kill(holder);
    expect(await waiting).toMatchObject({
      kind: 'lost',
      exitCode: undefined,
      terminal: { id, state: 'exited' },
    });
    expect(await attached.ended).toMatchObject({ kind: 'exited' });
    await until(() => !view.isAlive(), 'the view has noticed');
    expect(heard).toBeGreaterThan(0);
    expect(await terminals.list()).toEqual([]);
    expect(await terminals.find(lab().start().name)).toBeUndefined();
    expect((await terminals.output(id, { tail: 10, maxTokens: 500 })).text).toContain('shown');
    expect(running('sleep 300').length).toBeGreaterThan(0);
    await terminals.close(id, WAITS);
    expect(lab().base.strays()).toEqual([]);
    const { id: next } = await terminals.open(lab().start());
    expect(next).not.toBe(id);
    expect((await ran(terminals, next, 'echo next')).output).toBe('next');
  });

  it('in the middle of a command, the command is lost with what it had written, and never runs twice', async () => {
    const terminals = lab().terminals();
    const execute = executesIn(lab(), terminals);
    await execute('echo before');
    const answered = execute('echo ran >> log; echo half; sleep 302');
    const log = join(lab().base.scope, 'log');
    await until(() => existsSync(log), 'it has begun');
    const [opened] = await terminals.list();
    await until(
      async () =>
        (await terminals.output(opened?.id ?? '', { tail: 1, maxTokens: 500 })).text.includes('half'),
      'its output is kept',
    );
    for (const holder of lab().base.holders()) kill(holder);
    const { answer } = await answered;
    expect(answer).toMatchObject({ success: false, lost: true, state: 'exited' });
    expect(answer.output).toMatch(/^(?!.*before)[^]*half$/);
    expect(readFileSync(log, 'utf8')).toBe('ran\n');
    expect(await terminals.list()).toEqual([]);
    expect(lab().base.holders()).toEqual([]);
    // A command that was never sent is run by a new terminal.
    expect((await execute('echo next')).answer).toMatchObject({ success: true, output: 'next' });
  });

  it('one that is asked to exit ends its terminals and leaves nothing behind', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    await ran(terminals, id, '(setsid sh -c "trap \'\' HUP TERM INT; sleep 300; sleep 300" &)');
    const [holder = 0] = lab().base.holders();
    kill(holder, 'SIGTERM');
    await until(() => !isAlive(holder), 'it has left');
    expect(lab().base.strays()).toEqual([]);
    expect(lab().shellFiles()).toEqual([]);
    const file = join(lab().base.stateFolder, 'terminals', id, 'terminal.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('ended_at');
  });

  it('one with a terminal stays without clients; without a terminal it exits', async () => {
    const terminals = lab().terminals({ idleMs: 150, restMs: 50 });
    const { id } = await terminals.open(lab().start());
    const [holder = 0] = lab().base.holders();
    // Longer than a holder without clients stays.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(isAlive(holder)).toBe(true);
    expect((await ran(terminals, id, 'echo here')).output).toBe('here');
    await terminals.close(id, WAITS);
    await until(() => !isAlive(holder), 'it has left');
  });
});

async function raw(...lines: readonly (string | Buffer)[]): Promise<Socket> {
  const socket = connect(lab().socket);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  for (const line of lines) socket.write(line);
  return socket;
}

describe('a client of the holder', () => {
  it('may send garbage about terminals without affecting others', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    const hello = `${JSON.stringify({ type: 'hello', protocol: HOLDER_PROTOCOL, token: lab().token })}\n`;
    const ask = (value: unknown) => `${JSON.stringify({ type: 'ask', id: 1, ask: value })}\n`;
    const size = { columns: 0, rows: 1e9 };
    const sockets = await Promise.all([
      raw(ask({ do: 'list' })),
      raw(hello, ask(null)),
      raw(hello, ask({ do: 'nothing' })),
      raw(hello, ask({ do: 'run', terminal: id })),
      raw(hello, ask({ do: 'run', terminal: id, request: { command: 'touch bad', waitMs: -1 } })),
      raw(hello, ask({ do: 'resize', terminal: id, size })),
      raw(hello, ask({ do: 'facts', terminal: '../../etc' })),
      raw(hello, ask({ do: 'write', terminal: id, bytes: 7, byPerson: true })),
      raw(hello, ask({ do: 'open', start: { ...lab().start(), environment: { A: 1 } } })),
      raw(hello, '{"type":"leave","id":99}\n', '{"type":"ask","id":2,"ask":[]}\n'),
      raw(hello, randomBytes(300_000)),
      raw(hello, ask({ do: 'attach', terminal: id, size: { columns: 80, rows: 24 } })),
      raw(hello, ask({ do: 'watch', terminal: id })),
    ]);
    const [holder = 0] = lab().base.holders();
    // Neither the attached nor the watching clients read their output.
    const { output } = await ran(terminals, id, 'seq 200000', { lines: 1 });
    expect(output).toBe('200000');
    for (const socket of sockets) socket.destroy();
    expect((await ran(terminals, id, 'echo still')).output).toBe('still');
    expect(lab().base.holders()).toEqual([holder]);
    expect(existsSync(join(lab().base.scope, 'bad'))).toBe(false);
  });

  it('that disconnects before it is attached is not counted', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    // Output arrives before the attachment is counted.
    await ran(terminals, id, 'yes', { isBackground: true, waitMs: 50 });
    const hello = `${JSON.stringify({ type: 'hello', protocol: HOLDER_PROTOCOL, token: lab().token })}\n`;
    const attach = { do: 'attach', terminal: id, size: { columns: 80, rows: 24 } };
    for (let count = 0; count < 30; count += 1) {
      const socket = await raw(`${hello}${JSON.stringify({ type: 'ask', id: 1, ask: attach })}\n`);
      socket.destroySoon();
    }
    await terminals.kill(id, WAITS);
    await until(async () => (await terminals.facts(id)).attached === 0, 'nobody is attached');
    expect(lab().base.holders()).toHaveLength(1);
  });

  it('is refused a shell without command boundaries and a missing program', async () => {
    const terminals = lab().terminals();
    await expect(terminals.open(lab().start({ shell: '/usr/bin/tcsh' }))).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      suggestion: expect.stringContaining('SHELL'),
    });
    await expect(terminals.open(lab().start({ shell: '/nowhere/bash' }))).rejects.toMatchObject({
      code: 'ACTION_FAILED',
    });
    expect(await terminals.list()).toEqual([]);
    expect(lab().shellFiles()).toEqual([]);
  });
});
