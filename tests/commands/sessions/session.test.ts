import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { DaemonFacts } from '../../../src/ports/daemon.ts';
import type { SessionSummary } from '../../../src/model/sessions/session-summary.ts';
import type { NewSession, SessionsPort } from '../../../src/ports/sessions.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { invoke } from '../../../src/registry/invoke.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { createFiles } from '../../../src/platform/node/files.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { TREE, WINDOW } from '../samples.ts';

const registry = createRegistry(commands);
const WORKER: SessionSummary = {
  name: 'worker',
  desktop: 'private',
  display: ':7',
  created_at: '2026-01-31T23:00:00.000Z',
  calls: 2,
};
const SHOWN = { name: 'worker', desktop: 'private', display: ':7', created_at: WORKER.created_at, calls: 2 };

function sessions(changes: Partial<SessionsPort>): SessionsPort {
  return { ...fakeDesktop().ctx.sessions, ...changes };
}

async function run(
  name: string,
  input: unknown,
  changes: Partial<CommandContext>,
  answers: Partial<Engine> = {},
): Promise<{ output: Record<string, unknown>; outline: string; written: Map<string, unknown> }> {
  const command = registry.get(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  const { ctx, written } = fakeDesktop(answers, changes);
  const output = await invoke(command, ctx, input);
  command.definition.output.parse(output);
  return { output, outline: command.definition.outline?.(output) ?? '', written };
}

describe('session new', () => {
  it('refuses the caller’s own HOME as that of a private desktop, also through a link', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-test-')));
    try {
      symlinkSync(folder, join(folder, 'link'));
      const created: (string | undefined)[] = [];
      const port = sessions({
        create: async ({ home }) => {
          created.push(home);
          return WORKER;
        },
      });
      const world = { sessions: port, files: createFiles(), cwd: folder, environment: { HOME: folder } };
      for (const home of ['.', '..', '/', 'link', 'link/.', join(folder, 'link', 'link')])
        await expect(run('session new', { private: true, home }, world)).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
        });
      await run('session new', { private: true, home: 'link/agent' }, world);
      expect(created).toEqual([join(folder, 'link', 'agent')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('uses the configured or requested size and says how to join the session', async () => {
    const requests: NewSession[] = [];
    const port = sessions({
      create: async (request) => {
        requests.push(request);
        return WORKER;
      },
    });
    const { output, outline } = await run(
      'session new',
      { name: 'worker', private: true },
      { sessions: port },
    );
    await run('session new', { private: true, size: '800X600', display: 'other' }, { sessions: port });
    expect(requests).toMatchObject([
      { name: 'worker', isPrivate: true, width: 1920, height: 1080, display: undefined },
      { name: undefined, width: 800, height: 600, display: 'other' },
    ]);
    expect(output).toEqual({ ...SHOWN, use: ['--session worker', 'DESKTERITY_SESSION=worker'] });
    expect(outline).toContain('use it with --session worker or DESKTERITY_SESSION=worker');
  });

  it.each(['', '800', '800x', 'x600', '100x100', '99999x600', '800x600x2', '-800x600', '8e2x600'])(
    'refuses the size %j',
    async (size) => {
      await expect(run('session new', { private: true, size }, {})).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    },
  );

  it.each([{ size: '800x600' }, { display: 'other' }])(
    'refuses %o without a private desktop',
    async (input) => {
      await expect(run('session new', input, {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    },
  );
});

it('session list, info and kill show sessions', async () => {
  const ended = { ...WORKER, name: 'gone', ended: true };
  const asked: string[] = [];
  const port = sessions({
    list: async () => [ended, WORKER],
    info: async (name) => {
      asked.push(name);
      return { ...WORKER, actions: 7, undo_depth: 5, subscriptions: 2 };
    },
    kill: async () => WORKER,
  });
  const list = await run('session list', {}, { sessions: port });
  expect(list.output).toEqual({
    sessions: [{ ...SHOWN, name: 'gone', ended: true }, SHOWN],
    current: 'default',
  });
  expect(list.outline).toBe('gone private desktop :7 has ended, 2 calls\nworker private desktop :7, 2 calls');
  await run('session info', {}, { sessions: port });
  await run('session info', { name: 'worker' }, { sessions: port });
  expect(asked).toEqual(['default', 'worker']);
  expect((await run('session kill', { name: 'worker' }, { sessions: port })).output).toEqual({
    ...SHOWN,
    killed: true,
  });
  await expect(run('session kill', {}, { sessions: port })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});

it.each([
  [{ home_kept: true, home: '/tmp/a\nb' }, String.raw`its HOME /tmp/a\nb stays`],
  [
    { deleted: { home: '/tmp/a\nb', count: 0, is_counted_whole: true, names: [] } },
    String.raw`deleted its HOME /tmp/a\nb with no files of yours`,
  ],
])('session kill prints a path with a line feed on one line', async (more, line) => {
  const port = sessions({ kill: async () => ({ ...WORKER, ...more }) });
  const { outline } = await run('session kill', { name: 'worker' }, { sessions: port });
  expect(outline.split('\n')[1]).toBe(line);
});

describe('session view', () => {
  const port = sessions({
    picture: async (name) => ({ bytes: Buffer.from(name), width: 8, height: 6, display: ':7' }),
    livePage: async (name, { mayControl }) => ({
      url: `http://127.0.0.1:1/${mayControl ? 'control' : 'watch'}/${name}`,
      display: ':7',
    }),
  });

  it('writes a picture under a descriptive name', async () => {
    const { output, written } = await run('session view', { name: 'Worker' }, { sessions: port });
    const path = '/home/someone/session-worker-20260131-235958-123.png';
    expect(output).toEqual({ name: 'worker', display: ':7', path, width: 8, height: 6, bytes: 6 });
    expect([...written]).toEqual([[path, Buffer.from('worker')]]);
    expect((await run('session view', { path: 'a/b.png' }, { sessions: port })).output).toMatchObject({
      name: 'default',
      path: '/home/someone/a/b.png',
    });
  });

  it('returns the address of a page instead', async () => {
    const { output, written } = await run('session view', { live: true }, { sessions: port });
    expect(output).toEqual({ name: 'default', display: ':7', url: 'http://127.0.0.1:1/control/default' });
    expect(written.size).toBe(0);
    await expect(
      run('session view', { live: true, path: 'a.png' }, { sessions: port }),
    ).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('gives a model only an address for watching', async () => {
    const { output } = await run('session view', { live: true }, { sessions: port, isForModel: true });
    expect(output).toMatchObject({ url: 'http://127.0.0.1:1/watch/default' });
  });
});

describe('session take-over and hand-back', () => {
  const asked: string[] = [];
  const port = sessions({
    takeOver: async (name) => {
      asked.push(`take ${name}`);
      return { name, url: 'http://127.0.0.1:1/t/w', since: '2026-01-01T00:00:00.000Z' };
    },
    handBack: async (name) => {
      asked.push(`give ${name}`);
      return { stopped: false };
    },
  });

  it('act on the named session or that of the call, and are not offered to MCP clients', async () => {
    const taken = await run('session take-over', { name: 'W' }, { sessions: port });
    expect(taken.output).toMatchObject({ name: 'w', url: 'http://127.0.0.1:1/t/w' });
    const given = await run('session hand-back', {}, { sessions: port });
    expect(given.outline).toBe('acting is allowed');
    expect(asked).toEqual(['take w', 'give default']);
    for (const name of ['session take-over', 'session hand-back'])
      expect(createRegistry(commands).get(name)?.toolName).toBeUndefined();
  });
});

describe('status', () => {
  const facts: DaemonFacts = {
    pid: 4711,
    version: '9.9.9+abc',
    uptimeMs: 3_725_000.4,
    socket: '/run/user/1/deskterity/daemon.sock',
    logFile: '/home/someone/.cache/deskterity/log',
    memoryBytes: 52_428_800,
    activeCalls: 1,
    desktops: [{ display: ':7', private: true, sessions: ['worker'] }],
  };
  const port = sessions({ list: async () => [WORKER] });
  const answers: Partial<Engine> = {
    status: async () => ({
      desktopId: 'd1',
      display: ':1',
      session: 'x11',
      isPrivate: false,
      screen: { width: 800, height: 600 },
      capabilities: { tree: true, events: true, capture: true, windows: true, clipboard: true, input: true },
    }),
    permissions: async () => ({ granted: true, checks: [] }),
  };

  it('reports the daemon, its sessions and desktops', async () => {
    const changes = { sessions: port, daemon: { facts: () => facts } };
    const { output, outline } = await run('status', {}, changes, answers);
    expect(output).toMatchObject({
      session: 'default',
      desktop: { id: 'd1' },
      permissions_granted: true,
      daemon: { pid: 4711, uptime_ms: 3_725_000, memory_bytes: 52_428_800, active_calls: 1 },
      sessions: [SHOWN],
      desktops: [{ display: ':7', private: true, sessions: ['worker'] }],
    });
    expect(outline.split('\n')).toEqual([
      'deskterity 9.9.9 on linux, session default',
      'desktop :1 (x11, 800x600) d1',
      'window manager: none',
      'daemon 9.9.9+abc pid 4711, up 1 h 2 min, 50.0 MiB, 1 call active',
      '  socket /run/user/1/deskterity/daemon.sock',
      '  log /home/someone/.cache/deskterity/log',
      'private desktop :7 is used by worker',
      'session worker private desktop :7, 2 calls',
    ]);
  });

  it('reports that there is no daemon, and works without a desktop', async () => {
    const without = await run('status', {}, { sessions: port }, answers);
    expect(without.output).toMatchObject({
      daemon: null,
      desktops: [{ display: ':1', private: false, sessions: ['default'] }],
    });
    const engine = async (): Promise<Engine> => {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display.', {
        suggestion: 'Set DISPLAY.',
      });
    };
    const { output } = await run('status', {}, { sessions: port, engine });
    expect(output).toMatchObject({ desktop: null, daemon: null, desktops: [], sessions: [SHOWN] });
  });
});

it.each(['json', 'outline'] as const)('snapshot counts the name of a private desktop in %s', async (form) => {
  let frame = '';
  const rest = {
    app: 'a',
    window: WINDOW,
    refCount: 1,
    complete: true,
    incompleteReasons: [],
    elided: 0,
    cursor: 'c1',
    nodeCount: 3,
    callCount: 2,
  };
  const answers: Partial<Engine> = {
    snapshot: async (request) => {
      frame = request.frame?.(rest, form) ?? '';
      return { ...rest, tree: TREE };
    },
  };
  await run('snapshot', { max_tokens: 500 }, { form, privateDisplay: () => ':7' }, answers);
  expect(frame).toContain(form === 'json' ? '"private_desktop":":7"' : 'on private desktop :7');
});
