import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OperationRecord } from '../../src/model/tools/operation.ts';
import { HOLDER_PROTOCOL } from '../../src/wire/holder-protocol.ts';
import { withFileLock } from '../../src/platform/node/file-lock.ts';
import { bytesOf, ended, isAlive, kill, useOperationsLab } from '../operations/support/operations-lab.ts';
import { until } from '../until.ts';

const lab = useOperationsLab();
const Started = z.object({ operation_id: z.string() });

function recordOf(id: string): OperationRecord {
  const file = join(lab().stateFolder, 'operations', id, 'operation.json');
  return OperationRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
}

describe('when the daemon is killed', () => {
  it('operations continue; another daemon has status, output and exit code and cancels by the same ids', async () => {
    const daemon = lab().daemon();
    const script = 'for i in 1 2 3 4 5 6; do echo tick $i; sleep 0.2; done; exit 5';
    const first = Started.parse(await daemon.call('start', lab().request(script)));
    const second = Started.parse(await daemon.call('start', lab().request('setsid sleep 300 & sleep 301')));
    await until(() => bytesOf(lab(), first.operation_id).length > 0, 'there is output');
    await daemon.kill();
    const operations = lab().operations();
    expect((await operations.status(first.operation_id)).status).toBe('running');
    const view = await ended(operations, first.operation_id);
    expect(view).toMatchObject({ status: 'failed', exit_code: 5, written: { merged: 42 } });
    const { text } = await operations.read(first.operation_id, { maxTokens: 500 });
    expect(text).toBe('tick 1\ntick 2\ntick 3\ntick 4\ntick 5\ntick 6');
    expect(lab().strays().length).toBeGreaterThan(0);
    expect((await operations.cancel(second.operation_id)).status).toBe('cancelled');
    expect(lab().strays()).toEqual([]);
    expect(lab().holders()).toHaveLength(1);
  });

  it('a pending step is run once', async () => {
    const daemon = lab().daemon();
    const { operation_id: id } = Started.parse(
      await daemon.call('start', lab().request(['sleep 0.5', 'echo x >> count'])),
    );
    await daemon.kill();
    expect((await ended(lab().operations(), id)).status).toBe('succeeded');
    expect(readFileSync(join(lab().scope, 'count'), 'utf8')).toBe('x\n');
  });
});

describe('when the holder is killed', () => {
  it('its operations are lost, are reported, and their remains can be ended', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(
      lab().request('echo begun; setsid sleep 300 & while sleep 0.1; do :; done'),
    );
    await until(() => bytesOf(lab(), id).length > 0, 'there is output');
    const told: string[] = [];
    operations.onEnd(({ operation_id, status }) => told.push(`${operation_id} ${status}`));
    // What was lost before the first check may have been lost long ago.
    await operations.list({});
    const waiting = ended(operations, id);
    const [holder = 0] = lab().holders();
    kill(holder);
    const begun = performance.now();
    expect((await waiting).status).toBe('lost');
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(recordOf(id).status).toBe('running');
    expect((await operations.read(id, { cursor: 0, maxTokens: 500 })).text).toBe('begun\n');
    expect(lab().strays().length).toBeGreaterThan(0);
    expect((await operations.cancel(id)).status).toBe('lost');
    expect(lab().strays()).toEqual([]);
    await until(() => told.length > 0, 'its end is told');
    expect(told).toEqual([`${id} lost`]);
    const next = await operations.start(lab().request('echo next'));
    expect((await ended(operations, next.operation_id)).status).toBe('succeeded');
  });

  it('an operation is also lost if another process now has the holder’s pid', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(lab().request('sleep 300'));
    const identity = lab().parts().identity;
    const elsewhere = lab().operations({
      identity: {
        self: () => identity.self(),
        isRunning: (of) => identity.isRunning({ ...of, startTime: '1' }),
      },
    });
    expect((await elsewhere.status(id)).status).toBe('lost');
    // After a reboot other processes may have the same pids.
    const later = lab().operations({
      identity: { self: () => ({ ...identity.self(), bootId: 'later' }), isRunning: () => false },
    });
    expect((await later.cancel(id)).status).toBe('lost');
    expect((await operations.status(id)).status).toBe('running');
  });

  it('in the middle of a call, the caller is told', async () => {
    const operations = lab().operations();
    await operations.start(lab().request('true'));
    const [holder = 0] = lab().holders();
    kill(holder, 'SIGSTOP');
    const call = operations.start(lab().request('true'));
    // The request is in the socket of a stopped holder by then, which is not observable.
    setTimeout(() => kill(holder), 200);
    await expect(call).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE', delivered: true });
  });
});

describe('the first holder', () => {
  it('is the only one, however many daemons start it at once', async () => {
    const daemons = Array.from({ length: 5 }, () => lab().daemon());
    const ids = await Promise.all(
      daemons.map(
        async (daemon) => Started.parse(await daemon.call('start', lab().request('sleep 300'))).operation_id,
      ),
    );
    expect(new Set(ids).size).toBe(5);
    await until(() => lab().holders().length === 1, 'the others have left');
    const [holder] = lab().holders();
    expect(new Set(ids.map((id) => recordOf(id).holder.pid))).toEqual(new Set([holder]));
  });

  it('stays when others are started for the same socket, at once or later', async () => {
    const operations = lab().operations();
    const { operation_id: id, holder } = await operations.start(lab().request('sleep 300'));
    const line = readFileSync(`/proc/${holder.pid}/cmdline`, 'utf8').split('\0').slice(1, -1);
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, line, { stdio: 'ignore', detached: true });
        return new Promise((resolve) => child.once('exit', resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(lab().holders()).toEqual([holder.pid]);
    expect((await lab().operations().cancel(id)).status).toBe('cancelled');
    // No holder is left: of several started at once, one stays.
    kill(holder.pid);
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, line, { stdio: 'ignore', detached: true }),
    );
    await until(
      () => children.filter(({ exitCode }) => exitCode === 0).length === 4,
      'all but one have left',
    );
    expect(lab().holders()).toHaveLength(1);
  });

  it.each(['the same daemon', 'another daemon'])(
    'that %s cannot find, as the state folder was removed, ends what it runs and makes way',
    async (who) => {
      const operations = lab().operations();
      await operations.start(lab().request('setsid sleep 300 & sleep 300'));
      const [old = 0] = lab().holders();
      rmSync(lab().stateFolder, { recursive: true });
      const next = who === 'the same daemon' ? operations : lab().operations();
      const { operation_id: id } = await next.start(lab().request('echo next'));
      expect((await ended(next, id)).status).toBe('succeeded');
      await until(() => !isAlive(old), 'the old one has left', 8000);
      expect(lab().strays()).toEqual([]);
      const { operation_id: another } = await lab().operations().start(lab().request('echo other'));
      expect((await ended(next, another)).status).toBe('succeeded');
      expect(lab().holders()).toHaveLength(1);
    },
    40_000,
  );

  it('that shuts down does not disturb another that takes over', async () => {
    await lab().operations().start(lab().request('true'));
    const [holder = 0] = lab().holders();
    const place = socketPath();
    await withFileLock(`${place}.lock`, async () => {
      kill(holder, 'SIGTERM');
      // Time in which it would have changed it.
      await sleep(300);
      expect(existsSync(place)).toBe(true);
    });
    await until(() => !isAlive(holder), 'it has left');
    expect(existsSync(place)).toBe(false);
  });

  it('differs by scope and by build', async () => {
    const request = lab().request('true');
    await lab().operations().start(request);
    await lab().operations({ build: 'other' }).start(request);
    await lab()
      .operations()
      .start({ ...request, scope: lab().folder });
    expect(lab().holders()).toHaveLength(3);
  });
});

/** The socket of the holder and a raw connection to it. */
async function raw(...pieces: (string | Buffer)[]): Promise<{ socket: Socket; answer: () => string }> {
  const socket = connect(socketPath());
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (piece) => (answer += piece.toString()));
  await new Promise((resolve) => socket.once('connect', resolve));
  for (const piece of pieces) socket.write(piece);
  return { socket, answer: () => answer };
}

function socketPath(): string {
  const folder = join(lab().folder, 'run', 'deskterity');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.sock')) ?? '');
}

function token(): string {
  const folder = join(lab().stateFolder, 'operations', 'holders');
  return readFileSync(
    join(folder, readdirSync(folder).find((name) => name.endsWith('.token')) ?? ''),
    'utf8',
  );
}

describe('a client of the holder', () => {
  it('must send its token, which only the user can read', async () => {
    const operations = lab().operations();
    await operations.start(lab().request('true'));
    expect(statSync(socketPath()).mode & 0o777).toBe(0o600);
    const folder = join(lab().stateFolder, 'operations', 'holders');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(lab().stateFolder, 'operations')).mode & 0o777).toBe(0o700);
    const start = { type: 'start', id: 1, request: lab().request('echo 1 > made') };
    const strangers = [
      [JSON.stringify(start)],
      [JSON.stringify({ type: 'hello', protocol: HOLDER_PROTOCOL, token: '' }), JSON.stringify(start)],
      [
        JSON.stringify({ type: 'hello', protocol: HOLDER_PROTOCOL, token: token().replace(/^./, 'x') }),
        JSON.stringify(start),
      ],
    ];
    for (const lines of strangers) {
      const { socket, answer } = await raw(`${lines.join('\n')}\n`);
      await until(() => socket.destroyed, 'it is sent away');
      expect(answer()).toContain('UNAUTHORIZED');
    }
    expect(await operations.list({})).toHaveLength(1);
    expect(readdirSync(lab().scope)).toEqual([]);
  });

  it('may send garbage, too much, nothing or a partial frame without affecting others', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(lab().request('sleep 1; echo fine'));
    const hello = `${JSON.stringify({ type: 'hello', protocol: HOLDER_PROTOCOL, token: token() })}\n`;
    const request = lab().request('true');
    const bad: (string | Buffer)[][] = [
      [randomBytes(100_000)],
      ['\n\n\n'],
      ['{"type":"hello"'],
      ['x'.repeat(1_000_000)],
      [hello, randomBytes(500_000)],
      [hello, 'null\n'],
      [hello, '{"type":"start","id":1}\n'],
      [hello, `${JSON.stringify({ type: 'start', id: 1, request: { ...request, steps: [] } })}\n`],
      [
        hello,
        `${JSON.stringify({ type: 'start', id: 1, request: { ...request, environment: { A: 1 } } })}\n`,
      ],
      [hello, '{"type":"cancel","id":-1,"operation":"x"}\n'],
      [hello, '{"type":"cancel","id":1,"operation":"../../etc"}\n'],
      [hello, hello],
      [hello, '{"__proto__":{"type":"start"}}\n'],
    ];
    const connections = await Promise.all(bad.map((pieces) => raw(...pieces)));
    expect((await ended(operations, id)).status).toBe('succeeded');
    for (const { socket } of connections) socket.destroy();
    const [holder = 0] = lab().holders();
    expect(isAlive(holder)).toBe(true);
    const next = await operations.start(lab().request('echo still'));
    expect((await ended(operations, next.operation_id)).status).toBe('succeeded');
    expect(lab().holders()).toEqual([holder]);
  });

  it('may cancel what another client has started', async () => {
    const [one, two] = [lab().operations(), lab().operations()];
    const started = await Promise.all(
      [one, two, one, two].map((operations) => operations.start(lab().request('sleep 300'))),
    );
    const [a, b] = started;
    const [first, second] = await Promise.all([
      two.cancel(a?.operation_id ?? ''),
      one.cancel(b?.operation_id ?? ''),
    ]);
    expect([first.status, second.status]).toEqual(['cancelled', 'cancelled']);
    expect(await one.list({ running: true })).toHaveLength(2);
  });
});

describe('many at once', () => {
  it('a hundred short ones all run, at most the cap at a time, with their output', async () => {
    const operations = lab().operations({ mostRunning: 16 });
    const script = (index: number) =>
      `mkdir running-${index}; ls -d running-* 2> /dev/null | wc -l >> load; sleep 0.1; rmdir running-${index}; echo out ${index}; exit ${index % 7}`;
    const started = await Promise.all(
      Array.from({ length: 100 }, (_, index) => operations.start(lab().request(script(index)))),
    );
    expect(started.filter(({ status }) => status === 'starting').length).toBeGreaterThan(0);
    const views = await Promise.all(started.map(({ operation_id }) => ended(operations, operation_id)));
    expect(new Set(views.map((view) => view.operation_id)).size).toBe(100);
    expect(views.map((view) => view.exit_code)).toEqual(Array.from({ length: 100 }, (_, index) => index % 7));
    expect(views.map((view) => bytesOf(lab(), view.operation_id).toString())).toEqual(
      Array.from({ length: 100 }, (_, index) => `out ${index}\n`),
    );
    const load = readFileSync(join(lab().scope, 'load'), 'utf8').trim().split('\n').map(Number);
    expect(load).toHaveLength(100);
    expect(Math.max(...load)).toBeLessThanOrEqual(16);
    expect(Math.max(...load)).toBeGreaterThan(4);
  });

  it('a queued one can be cancelled before it starts', async () => {
    const operations = lab().operations({ mostRunning: 1 });
    const first = await operations.start(lab().request('sleep 300'));
    const second = await operations.start(lab().request('echo 2 > made'));
    const third = await operations.start(lab().request('echo 3 > made'));
    expect([second.status, third.status]).toEqual(['starting', 'starting']);
    const view = await operations.cancel(second.operation_id);
    expect(view).toMatchObject({ status: 'cancelled', steps: [{ status: 'skipped' }] });
    await operations.cancel(first.operation_id);
    expect((await ended(operations, third.operation_id)).status).toBe('succeeded');
    expect(readFileSync(join(lab().scope, 'made'), 'utf8')).toBe('3\n');
  });
});

describe('more output than a holder may keep in memory', () => {
  it('stays within the budget, with the right beginning, end and counts, and does not fill the memory', async () => {
    const operations = lab().operations();
    const size = 400 * 1024 ** 2;
    const { operation_id: id } = await operations.start(
      lab().request(`echo first line; yes 'some line of a build' | head -c ${size}; echo; echo last line`),
    );
    const [holder = 0] = lab().holders();
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, residentBytes(holder))), 50);
    const view = await ended(operations, id);
    clearInterval(timer);
    expect(view).toMatchObject({ status: 'succeeded', written: { merged: size + 11 + 1 + 10 } });
    expect(view.problem).toBeUndefined();
    const kept = bytesOf(lab(), id);
    expect(kept.length).toBeLessThanOrEqual(64 * 1024 ** 2);
    expect(kept.length).toBeGreaterThan(60 * 1024 ** 2);
    const line = 'some line of a build\n';
    expect(kept.subarray(0, 11 + line.length).toString()).toBe(`first line\n${line}`);
    expect(kept.subarray(-11).toString()).toBe('\nlast line\n');
    const lines = Math.ceil(size / line.length) + 2;
    const tail = await operations.read(id, { tail: 1, maxTokens: 500 });
    expect(tail).toMatchObject({ text: 'last line', total_lines: lines, total_bytes: view.written.merged });
    const numbered = await operations.read(id, {
      lines: { first: lines - 3, last: lines - 2 },
      maxTokens: 500,
    });
    expect(numbered.text).toBe(`${line}${line.slice(0, -1)}`);
    const search = { pattern: '^last', maxTokens: 500 };
    let found = await operations.read(id, search);
    const leftOut = [...found.left_out];
    // On a busy machine the time limit of one search ends it before the output does.
    while (found.text === '' && found.next_cursor < (view.written.merged ?? 0)) {
      found = await operations.read(id, { ...search, cursor: found.next_cursor });
      leftOut.push(...found.left_out);
    }
    expect(found.text).toBe(`${lines}: last line`);
    expect(leftOut.join(' ')).toMatch(/were not kept/);
    expect(peak).toBeLessThan(200 * 1024 ** 2);
  });
});

function residentBytes(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

describe('an output of any bytes', () => {
  it('is kept exactly', async () => {
    const operations = lab().operations();
    const { operation_id: id } = await operations.start(
      lab().request('head -c 20000000 /dev/urandom > random; cat random'),
    );
    expect((await ended(operations, id)).written).toEqual({ merged: 20_000_000 });
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(bytesOf(lab(), id))).toBe(hash(readFileSync(join(lab().scope, 'random'))));
  });
});
