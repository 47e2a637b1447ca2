import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isConfined, openPeerCheck } from '../../../../src/platform/linux/sandbox/levels/confined-peer.ts';
import { MARK_TITLE } from '../../../../src/platform/linux/sandbox/processes/operation-mark.ts';
import { hardLimit } from '../../../../src/platform/linux/process/facts.ts';

const MARK = String((1n << 62n) - 1n);
const status = (lines: string) => `Name:\tx\nState:\tS (sleeping)\n${lines}`;
const none = { locks: 'unlimited', status: status('Seccomp:\t0\nSeccomp_filters:\t0\n') };

describe('a peer', () => {
  it.each([
    ['marked, with a filter', { locks: MARK, filters: 1 }, true],
    ['marked, without one, as the user wanted', { locks: MARK, filters: 0 }, false],
    ['in a container of its own', { locks: 'unlimited', filters: 3 }, false],
    ['with a limit that somebody has set', { locks: '1024', filters: 1 }, false],
    ['with a limit above all marks', { locks: String((1n << 62n) + 1n), filters: 1 }, false],
  ])('%s: %j is confined: %s', (_, { locks, filters }, expected) => {
    const peer = {
      locks,
      status: status(`Seccomp:\t${filters > 0 ? 2 : 0}\nSeccomp_filters:\t${filters}\n`),
    };
    expect(isConfined(peer, none)).toBe(expected);
  });

  it('is compared with this process, which may be in a sandbox itself', () => {
    const own = { locks: MARK, status: status('Seccomp:\t2\nSeccomp_filters:\t1\n') };
    expect(isConfined(own, own)).toBe(false);
    expect(isConfined({ ...own, status: status('Seccomp_filters:\t2\n') }, own)).toBe(true);
  });

  it('is confined if its main thread has exited', () => {
    expect(isConfined({ locks: MARK, status: 'State:\tZ (zombie)\nSeccomp_filters:\t0\n' }, none)).toBe(true);
  });

  it('is recognised by its filter on older kernels, and without room for marks', () => {
    const filtered = status('NoNewPrivs:\t1\nSeccomp:\t2\n');
    expect(isConfined({ locks: MARK, status: filtered }, none)).toBe(true);
    expect(isConfined({ locks: MARK, status: status('Seccomp:\t0\n') }, none)).toBe(false);
    expect(isConfined({ locks: '5', status: filtered }, { ...none, locks: '5' })).toBe(true);
  });
});

const PYTHON = '/usr/bin/python3';
const CONNECTS =
  'import socket, sys\nit = socket.socket(socket.AF_UNIX)\nit.connect(sys.argv[1])\nprint(end="", flush=True)\n';

describe.skipIf(!existsSync(PYTHON))('the check of a connection (needs Python)', () => {
  let folder: string;
  let server: Server;
  let check: (socket: Socket) => boolean;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dkc-'));
    server = createServer({ allowHalfOpen: true }).listen(join(folder, 's'));
    await once(server, 'listening');
    check = await openPeerCheck();
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  /** The connection of a program that does what `after` says when it has connected. */
  async function connection(
    after: string,
    prefix: readonly string[] = [],
  ): Promise<{ readonly socket: Socket; readonly client: ChildProcess; readonly exited: Promise<unknown> }> {
    const [program, ...args] = [...prefix, PYTHON, '-c', `${CONNECTS}${after}`, join(folder, 's')];
    const connected = once(server, 'connection');
    const client = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void client.kill('SIGKILL'));
    // It may exit before the connection is noticed here.
    const exited = once(client, 'exit');
    let said = '';
    client.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const ended = once(client, 'close').then(() => []);
    // One that has passed its connection on has ended as well.
    const [socket]: Socket[] = await Promise.race([connected, ended.then(() => sleep(1000, []))]);
    if (socket === undefined) throw new Error(`nobody has connected: ${client.exitCode} ${said}`);
    onTestFinished(() => void socket.destroy());
    return { socket, client, exited };
  }

  it('accepts any program without a filter, even one with a mark', async () => {
    expect(check((await connection('it.recv(1)')).socket)).toBe(false);
    // Other tests may have marked this very process, which only goes down from there.
    const limit = hardLimit('self', MARK_TITLE) ?? '';
    const mark = /^\d+$/.test(limit) ? String(BigInt(limit) - 1n) : MARK;
    const marked = await connection('it.recv(1)', ['/usr/bin/prlimit', `--locks=${mark}:${mark}`]);
    expect(readFileSync(`/proc/${marked.client.pid}/limits`, 'utf8')).toContain(mark);
    expect(check(marked.socket)).toBe(false);
  });

  it('refuses a client that has exited, whoever has the connection now', async () => {
    // The child has it from its parent, which has made it.
    const { socket, exited } = await connection('import os\nif os.fork() == 0: it.recv(1)\nos._exit(0)');
    await exited;
    socket.write('still there');
    expect(check(socket)).toBe(true);
  });

  it('refuses closed connections', async () => {
    const { socket } = await connection('it.recv(1)');
    socket.destroy();
    await once(socket, 'close');
    expect(check(socket)).toBe(true);
  });
});
