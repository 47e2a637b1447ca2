import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ended, envelope, isAlive, kill, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();

const Started = z.looseObject({
  ok: z.literal(true),
  started: z.boolean(),
  pid: z.number(),
  daemon_version: z.string(),
  socket: z.string(),
});

async function start(): Promise<z.output<typeof Started>> {
  return Started.parse(envelope(await lab().desk(['daemon', 'start'])));
}

describe('desk daemon', () => {
  it('start starts one and then reports that it is running', async () => {
    const first = await start();
    expect(first).toMatchObject({ started: true, socket: lab().socket, pid: lab().daemonPid });
    expect(first.daemon_version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{10}$/);
    expect(await start()).toEqual({ ...first, started: false });
    const text = await lab().desk(['daemon', 'start', '--format', 'text']);
    expect(text.stdout).toContain(`is running, pid ${first.pid}`);
    expect((await lab().desk(['daemon', 'start', '--format', 'quiet'])).stdout).toBe('');
  });

  it('stop ends it and waits for its exit; without a daemon it succeeds', async () => {
    const { pid } = await start();
    expect(envelope(await lab().desk(['daemon', 'stop']))).toMatchObject({
      ok: true,
      stopped: true,
      pid,
      killed: false,
    });
    expect(isAlive(pid)).toBe(false);
    expect([lab().socket, `${lab().socket}.pid`, `${lab().socket}.start`].filter(existsSync)).toEqual([]);
    expect(envelope(await lab().desk(['daemon', 'stop']))).toMatchObject({ ok: true, stopped: false });
    expect(lab().daemons()).toEqual([]);
  });

  it('restart ends it and starts another', async () => {
    const { pid } = await start();
    const restarted = envelope(await lab().desk(['daemon', 'restart']));
    expect(restarted).toMatchObject({ ok: true, stopped_pid: pid, pid: lab().daemonPid });
    expect(lab().daemons()).toHaveLength(1);
    expect(isAlive(pid)).toBe(false);
  });

  it('stop --force ends one that does not respond', async () => {
    const { pid } = await start();
    kill(pid, 'SIGSTOP');
    const asked = await lab().desk(['daemon', 'stop', '--timeout', '300']);
    expect([asked.exitCode, envelope(asked).error?.code]).toEqual([11, 'DAEMON_UNAVAILABLE']);
    expect(isAlive(pid)).toBe(true);
    const forced = await lab().desk(['daemon', 'stop', '--timeout', '300', '--force']);
    expect(envelope(forced)).toMatchObject({ ok: true, stopped: true, pid, killed: true });
    expect(isAlive(pid)).toBe(false);
    expect(envelope(await lab().desk(['version'])).ok).toBe(true);
  });

  it.for([
    ['list-windows', '--timeout', '2000'],
    ['terminal', 'execute', 'true', '--timeout-seconds', '2'],
  ])('that is stopped is noticed within the deadline of a call: %j', async (call) => {
    const { pid } = await start();
    kill(pid, 'SIGSTOP');
    const begun = performance.now();
    const asked = await lab().desk(call);
    expect([asked.exitCode, envelope(asked).error?.code]).toEqual([11, 'DAEMON_UNAVAILABLE']);
    expect(envelope(asked).error?.message).toContain('does not respond');
    // Beside the deadline only the start of the process.
    expect(performance.now() - begun).toBeLessThan(4000);
    kill(pid, 'SIGCONT');
    expect((await lab().desk(['version'])).exitCode).toBe(0);
  });

  it('logs shows the last lines, as data or raw', async () => {
    await lab().desk(['version']);
    await lab().desk(['daemon', 'stop']);
    const Logs = z.looseObject({ lines: z.array(z.looseObject({ message: z.string() })) });
    const all = Logs.parse(envelope(await lab().desk(['daemon', 'logs'])));
    expect(all.lines.map(({ message }) => message)).toEqual(['daemon started', 'call', 'daemon leaves']);
    const last = await lab().desk(['daemon', 'logs', '--lines', '1', '--format', 'text']);
    expect(JSON.parse(last.stdout)).toMatchObject({ message: 'daemon leaves', reason: 'asked to stop' });
  });

  it('logs reports the path when there is no log', async () => {
    const ran = envelope(await lab().desk(['daemon', 'logs']));
    expect(ran).toMatchObject({ ok: true, lines: [], file: expect.stringContaining(lab().folder) });
  });

  it('logs --follow prints new lines until it is interrupted', async () => {
    await lab().desk(['version']);
    const child = lab().spawn(['daemon', 'logs', '--follow', '--lines', '1']);
    let printed = '';
    child.stdout?.on('data', (text) => (printed += String(text)));
    const answer = ended(child);
    await until(() => printed.includes('"command":"version"'), 'the line that was there');
    await lab().desk(['config', 'show']);
    await until(() => printed.includes('"command":"config show"'), 'the line that was added');
    child.kill('SIGINT');
    expect((await answer).exitCode).toBe(0);
    // The daemon may have written a line of its own meanwhile.
    const commands = [...printed.matchAll(/"command":"([^"]+)"/g)].map(([, command]) => command);
    expect(commands).toEqual(['version', 'config show']);
  });

  it.each([
    [['logs', '--lines', '0']],
    [['logs', '--lines', '1.5']],
    [['stop', '--timeout', '-1']],
    [['start', 'now']],
  ])('%j is refused', async (words) => {
    const ran = await lab().desk(['daemon', ...words]);
    expect([ran.exitCode, envelope(ran).error?.code]).toEqual([5, 'INVALID_ARGUMENT']);
    expect(lab().daemons()).toEqual([]);
  });
});

it('typed text is never logged', async () => {
  const secret = 'hunter2-is-typed';
  const bogus = { DISPLAY: ':9876' };
  await lab().desk(['set-value', '@e1', secret], bogus);
  await lab().desk([secret], bogus);
  await lab().desk(['find', secret], { ...bogus, TOKEN: secret });
  const { file } = z.looseObject({ file: z.string() }).parse(envelope(await lab().desk(['daemon', 'logs'])));
  const log = readFileSync(file, 'utf8');
  expect(log).toContain('"command":"find"');
  expect(log).not.toContain(secret);
});
