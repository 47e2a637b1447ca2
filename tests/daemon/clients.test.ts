import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DAEMON_VARIABLES } from '../../src/wire/daemon-variables.ts';
import { ended, envelope, isAlive, kill, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();

describe('starting', () => {
  it('happens with the first call, and once', async () => {
    expect(envelope(await lab().desk(['version']))).toMatchObject({ ok: true, program: 'deskterity' });
    const pid = lab().daemonPid;
    expect(lab().daemons()).toEqual([pid]);
    expect(envelope(await lab().desk(['version'])).ok).toBe(true);
    expect(lab().daemons()).toEqual([pid]);
    expect(statSync(lab().socket).mode & 0o777).toBe(0o600);
  });

  it('gives it the settings of its memory, and the caller has no say in them', async () => {
    await lab().desk(['version'], { MALLOC_MMAP_THRESHOLD_: '1' });
    const variables = readFileSync(`/proc/${lab().daemonPid}/environ`, 'utf8').split('\0');
    const expected = Object.entries(DAEMON_VARIABLES).map(([name, value]) => `${name}=${value}`);
    expect(variables.filter((each) => each.startsWith('MALLOC_'))).toEqual(expected);
  });

  it.each([2, 30])(
    'by %d clients at once makes one daemon and answers all',
    async (count) => {
      const all = await Promise.all(Array.from({ length: count }, () => lab().desk(['version'])));
      expect(all.filter((ran) => ran.exitCode !== 0)).toEqual([]);
      await until(() => lab().daemons().length === 1, 'losers have left');
    },
    120_000,
  );

  it('replaces a stale socket and a stale marker', async () => {
    mkdirSync(join(lab().runtime, 'deskterity'), { mode: 0o700 });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(lab().socket, resolve));
    const stale = join(lab().runtime, 'stale');
    // A server unlinks its path when it closes; a killed one does not.
    renameSync(lab().socket, stale);
    await new Promise((resolve) => server.close(resolve));
    renameSync(stale, lab().socket);
    expect(existsSync(lab().socket)).toBe(true);
    writeFileSync(`${lab().socket}.start`, '4194399');
    expect(envelope(await lab().desk(['version'])).ok).toBe(true);
  });

  it('reports the reason when it fails', async () => {
    mkdirSync(join(lab().socket, 'a'), { recursive: true, mode: 0o700 });
    chmodSync(join(lab().runtime, 'deskterity'), 0o700);
    const ran = await lab().desk(['version']);
    expect(ran.exitCode).toBe(11);
    expect(envelope(ran).error).toMatchObject({
      code: 'DAEMON_UNAVAILABLE',
      platform_detail: expect.stringMatching(/EISDIR|directory/),
    });
  });

  it('works without HOME, and without any variable', async () => {
    expect(envelope(await lab().desk(['version'], { HOME: undefined })).ok).toBe(true);
    await lab().desk(['daemon', 'stop']);
    const bare = { PATH: undefined, HOME: undefined, XDG_RUNTIME_DIR: undefined };
    expect(envelope(await lab().desk(['version'], bare)).ok).toBe(true);
    expect(envelope(await lab().desk(['daemon', 'stop'], bare))).toMatchObject({ ok: true, stopped: true });
  });

  it('leaves no trace of the caller in the environment of the daemon', async () => {
    await lab().desk(['version'], { DISPLAY: ':77', DESKTERITY_LOG_LEVEL: 'debug', MY_TOKEN: 'secret' });
    const names = readFileSync(`/proc/${lab().daemonPid}/environ`, 'utf8').split('\0');
    expect(names.filter((name) => /^(DISPLAY|DESKTERITY|MY_TOKEN)/.test(name))).toEqual([]);
  });
});

describe('an unsafe socket folder', () => {
  const refused = async () => {
    const ran = await lab().desk(['version']);
    expect(ran.exitCode).toBe(11);
    expect(lab().daemons()).toEqual([]);
    return envelope(ran).error;
  };

  it('because others can write in it is refused', async () => {
    mkdirSync(join(lab().runtime, 'deskterity'));
    chmodSync(join(lab().runtime, 'deskterity'), 0o777);
    expect(await refused()).toMatchObject({ message: expect.stringContaining('can be written by other') });
  });

  it('because it is a link is refused', async () => {
    symlinkSync(lab().folder, join(lab().runtime, 'deskterity'));
    expect(await refused()).toMatchObject({ message: expect.stringContaining('is not a folder') });
  });

  it.skipIf(process.getuid?.() !== 0)(
    'because it belongs to another user is refused (needs root)',
    async () => {
      mkdirSync(join(lab().runtime, 'deskterity'), { mode: 0o700 });
      chownSync(join(lab().runtime, 'deskterity'), 12_345, 12_345);
      expect(await refused()).toMatchObject({ message: expect.stringContaining('another user (12345)') });
    },
  );

  it('or one that cannot be created is reported, and --no-daemon still works', async () => {
    rmSync(lab().runtime, { recursive: true });
    writeFileSync(lab().runtime, '');
    const changes = { XDG_RUNTIME_DIR: undefined, TMPDIR: join(lab().folder, 'missing') };
    writeFileSync(join(lab().folder, 'missing'), '');
    const ran = await lab().desk(['version'], changes);
    expect(envelope(ran).error).toMatchObject({
      code: 'DAEMON_UNAVAILABLE',
      suggestion: expect.stringContaining('--no-daemon'),
    });
    expect(envelope(await lab().desk(['version', '--no-daemon'], changes)).ok).toBe(true);
  });

  it('gets a short name if its path is too long for a socket', async () => {
    const long = join(lab().folder, 'x'.repeat(120));
    mkdirSync(long, { mode: 0o700 });
    const changes = { XDG_RUNTIME_DIR: long };
    expect(envelope(await lab().desk(['version'], changes)).ok).toBe(true);
    const stopped = envelope(await lab().desk(['daemon', 'stop'], changes));
    expect(stopped).toMatchObject({ ok: true, stopped: true });
  });
});

describe('a client at its limits', () => {
  /** Runs the program from a prepared shell. */
  async function staged(stage: string, args: string, changes: NodeJS.ProcessEnv = {}) {
    const program = join(lab().program, 'desk.cjs');
    const child = spawn('/bin/sh', ['-c', `${stage} && exec "$NODE" ${program} ${args}`], {
      cwd: lab().folder,
      env: { ...lab().environment(changes), NODE: process.execPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return ended(child);
  }

  it('whose folder has been removed is refused relative paths, with the daemon and without', async () => {
    const gone = (args: string) => staged('mkdir -p gone && cd gone && rmdir ../gone', args);
    expect(envelope(await gone('version')).ok).toBe(true);
    for (const args of ['screenshot x.png', '--no-daemon screenshot x.png', 'session view', 'launch ./x'])
      expect(envelope(await gone(args)).error?.message).toContain('it was removed');
  });

  it('of open files reports it', async () => {
    const said: string[] = [];
    // Node itself needs some, depending on its version: with too few it does not start, with enough everything works.
    for (let files = 17; files < 80 && !said.at(-1)?.includes('"ok":true'); files += 1) {
      const { stdout, stderr } = await staged(`ulimit -n ${files}`, 'version');
      said.push(stdout + stderr);
    }
    expect(said.join('')).not.toContain('TypeError');
    expect(said.join('')).toMatch(/"DAEMON_UNAVAILABLE".*EMFILE/);
    expect(said.at(-1)).toContain('"ok":true');
  });

  it('with a full disk for its answer exits with a distinct code', async () => {
    await lab().desk(['version']);
    for (const args of ['version', '--help', 'daemon logs', 'daemon logs --follow', 'completion bash'])
      expect({ args, ...(await staged('exec >/dev/full', args)) }).toMatchObject({ args, exitCode: 3 });
  });
});

describe('a daemon that is killed', () => {
  it('between calls has no effect', async () => {
    await lab().desk(['version']);
    const pid = lab().daemonPid;
    kill(pid);
    await until(() => !isAlive(pid ?? 0), 'it is dead');
    expect(envelope(await lab().desk(['version'])).ok).toBe(true);
    expect(lab().daemonPid).not.toBe(pid);
  });

  it('during a read causes one invisible retry', async () => {
    await lab().desk(['version']);
    const child = lab().spawn(['wait', '1500']);
    const answer = ended(child);
    await busy();
    kill(lab().daemonPid);
    expect(envelope(await answer)).toMatchObject({ ok: true, command: 'wait' });
  });

  it('twice is not retried for ever', async () => {
    await lab().desk(['version']);
    const answer = ended(lab().spawn(['wait', '20000']));
    for (let count = 0; count < 2; count++) {
      await busy();
      const pid = lab().daemonPid;
      kill(pid);
      await until(() => lab().daemonPid !== pid || count === 1, 'the next daemon');
    }
    expect(envelope(await answer).error).toMatchObject({ code: 'DAEMON_UNAVAILABLE' });
  });

  it('exits after the idle time and removes its socket', async () => {
    await lab().desk(['version'], { DESKTERITY_DAEMON_IDLE_TIMEOUT_MS: '1000' });
    const pid = lab().daemonPid ?? 0;
    await until(() => !isAlive(pid), 'it has left');
    expect(() => statSync(lab().socket)).toThrow('ENOENT');
  });

  it('by SIGTERM cancels its calls and exits cleanly', async () => {
    await lab().desk(['version']);
    const pid = lab().daemonPid ?? 0;
    const answer = ended(lab().spawn(['wait', '30000']));
    await busy();
    kill(pid, 'SIGTERM');
    expect(envelope(await answer).error).toMatchObject({ code: 'CANCELLED' });
    await until(() => !isAlive(pid), 'it has left');
    expect(() => statSync(lab().socket)).toThrow('ENOENT');
  });

  it('exits after it loses its socket file', async () => {
    await lab().desk(['version']);
    const pid = lab().daemonPid ?? 0;
    rmSync(lab().socket);
    await until(() => !isAlive(pid), 'it has left');
    expect(lab().daemons()).toEqual([]);
  });
});

describe('a caller', () => {
  it('that disconnects has its call cancelled', async () => {
    await lab().desk(['version']);
    const child = lab().spawn(['wait', '30000']);
    await busy();
    child.kill('SIGKILL');
    await until(() => logOf().includes('"error":"CANCELLED"'), 'the call is cancelled');
    expect(isAlive(lab().daemonPid ?? 0)).toBe(true);
  });

  it('that interrupts gets the answer CANCELLED, and the daemon stays', async () => {
    await lab().desk(['version']);
    const child = lab().spawn(['wait', '30000']);
    const answer = ended(child);
    await busy();
    child.kill('SIGINT');
    const ran = await answer;
    expect(ran.exitCode).toBe(1);
    expect(envelope(ran)).toMatchObject({ command: 'wait', error: { code: 'CANCELLED' } });
    expect(isAlive(lab().daemonPid ?? 0)).toBe(true);
  });

  it('that interrupts several steps gets the receipts of those that were done', async () => {
    await lab().desk(['version']);
    const child = lab().spawn(['do', 'wait 1', 'wait 30000', 'wait 2']);
    const answer = ended(child);
    await busy();
    // It is not visible from outside when the first step, of one millisecond, has ended.
    await sleep(300);
    child.kill('SIGINT');
    const ran = await answer;
    expect(ran.exitCode).toBe(1);
    expect(envelope(ran)).toMatchObject({
      command: 'do',
      steps: [{ command: 'wait' }],
      stopped: { step: 2, command: 'wait', reason: 'error' },
      not_run: ['wait'],
      error: { code: 'CANCELLED' },
    });
  });

  it('that interrupts twice exits at once', async () => {
    await lab().desk(['version']);
    const child = lab().spawn(['wait', '30000']);
    const answer = ended(child);
    await busy();
    kill(lab().daemonPid, 'SIGSTOP');
    child.kill('SIGINT');
    // It is not visible from outside when the first one was handled; both at once would count as one.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect((await answer).exitCode).toBe(130);
  });
});

/** A call is active in the daemon. */
async function busy(): Promise<void> {
  await until(() => lab().daemonPid !== undefined && isAlive(lab().daemonPid ?? 0), 'a daemon');
  const { frames, client } = await patiently(asked);
  await until(() => frames().includes('1 call'), 'a call is under way');
  client.end();
}

/** A daemon that just started has a process before it has a socket. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}

async function asked() {
  const client = await lab().raw();
  client.hello('0+nobody');
  const timer = setInterval(() => client.socket.writable && client.send({ type: 'ask' }), 20);
  client.socket.on('close', () => clearInterval(timer));
  return { frames: () => JSON.stringify(client.frames), client };
}

function logOf(): string {
  const folder = join(lab().folder, 'home/.cache/deskterity/logs');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
