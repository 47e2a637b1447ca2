import { duplexPair, PassThrough, Readable, type Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { CallFailure } from '../../../src/surfaces/cli/daemon/call-failure.ts';
import type { Connection, Rendered } from '../../../src/surfaces/cli/daemon/connection.ts';
import { main } from '../../../src/surfaces/cli/main.ts';
import { manifest } from '../../../src/surfaces/cli/arguments/manifest.generated.ts';
import { manual } from '../../../src/surfaces/cli/printing/manual.generated.ts';
import type { OutputStream } from '../../../src/surfaces/cli/printing/output.ts';
import { parseLine } from '../../../src/surfaces/cli/arguments/parse.ts';
import { commands } from '../../../src/commands/index.generated.ts';
import { allToolFacts } from '../../../src/surfaces/mcp/tools/command-tools.ts';
import { toolsetNames } from '../../../src/surfaces/mcp/tools/toolsets.ts';
import { createRegistry } from '../../../src/registry/registry.ts';

interface Changes {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isInputPiped?: boolean;
  readonly stdin?: Readable;
  readonly stdout?: OutputStream;
  readonly signal?: AbortSignal;
  readonly connection?: Partial<Connection>;
}

/** Runs a command line against a server that echoes until its input ends. */
function desk(argv: readonly string[], changes: Changes = {}) {
  const printed = { stdout: '', stderr: '' };
  const asked: unknown[] = [];
  let closed = 0;
  const into = (name: 'stdout' | 'stderr'): OutputStream => ({
    write: (text, done) => {
      printed[name] += String(text);
      setImmediate(done);
      return true;
    },
  });
  const connection: Connection = {
    execute: async (_, command, input) => {
      if (command !== 'session info') throw new Error('no command was meant');
      const { name } = input;
      return infoOn(typeof name === 'string' ? name : '');
    },
    openMcp: async (options) => {
      asked.push(options);
      return new PassThrough();
    },
    serveMcp: async (...all) => {
      asked.push(...all.slice(0, 2));
      return { url: 'http://127.0.0.1:1/mcp', ended: Promise.resolve() };
    },
    openTerminal: async () => {
      throw new Error('no terminal was meant');
    },
    close: async () => {
      closed += 1;
    },
    ...changes.connection,
  };
  const ended = main({
    argv,
    environment: changes.environment ?? {},
    manifest,
    manual: async () => manual,
    isInputPiped: () => changes.isInputPiped ?? false,
    stdin: () => changes.stdin ?? Readable.from([Buffer.from('said\n')]),
    stdout: changes.stdout ?? into('stdout'),
    stderr: into('stderr'),
    signal: changes.signal ?? new AbortController().signal,
    connect: async () => connection,
  });
  return { ended, printed, asked, closed: () => closed };
}

/** One session is known. */
function infoOn(name: string): Rendered {
  if (name === 'mine') return { exitCode: 0, stdout: '{"ok":true}\n', stderr: '' };
  const isName = /^\w+$/.test(name);
  const error = isName
    ? {
        code: 'SESSION_NOT_FOUND',
        message: `Session "${name}" does not exist.`,
        suggestion: name === 'nime' ? 'Did you mean mine?' : 'Start it.',
      }
    : { code: 'INVALID_ARGUMENT', message: 'That cannot be a session name.', suggestion: 'Use letters.' };
  return { exitCode: isName ? 4 : 5, stdout: JSON.stringify({ ok: false, error }), stderr: '' };
}

function commandOf(...argv: readonly string[]): unknown {
  const line = parseLine(argv, manifest);
  return line.kind === 'run' ? [line.command.name, line.input, line.globals.noDaemon] : line.kind;
}

describe('the command line', () => {
  it('accepts all its names', () => {
    const plain = ['mcp', { read_only: true }, false];
    expect(commandOf('mcp', '--read-only')).toEqual(plain);
    expect(commandOf('mcp', 'serve', '--read-only')).toEqual(plain);
    expect(commandOf('--mcp', '--read-only')).toEqual(plain);
    expect(commandOf('--no-daemon', '--session', 'x', '--mcp')).toEqual(['mcp', {}, true]);
    expect(commandOf('--mcp', '--help')).toBe('help');
    expect(commandOf('mcp', 'install', '--client', 'codex')).toEqual([
      'mcp install',
      { client: 'codex' },
      false,
    ]);
  });

  it('accepts --mcp only in place of a command', () => {
    expect(() => commandOf('snapshot', '--mcp')).toThrow('no flag --mcp');
    expect(() => commandOf('--session', '--mcp')).toThrow('needs a value');
    expect(commandOf('launch', 'x', '--', '--mcp')).toEqual(['launch', { app: 'x', args: ['--mcp'] }, false]);
  });

  it('accepts toolsets separated by commas or repeated', () => {
    const both = ['mcp', { toolsets: ['core', 'all'] }, false];
    expect(commandOf('mcp', '--toolsets', 'core,all')).toEqual(both);
    expect(commandOf('mcp', '--toolsets', 'core', '--toolsets', 'all')).toEqual(both);
  });

  it('offers the existing toolsets', () => {
    const parameters = manifest.commands.find(({ name }) => name === 'mcp')?.parameters ?? [];
    const known = parameters.find(({ key }) => key === 'toolsets')?.values ?? [];
    const all = toolsetNames(allToolFacts(createRegistry(commands).commands));
    expect(known.toSorted()).toEqual(all.toSorted());
  });
});

describe('bytes', () => {
  it('are relayed both ways until the input ends', async () => {
    const { ended, printed, asked, closed } = desk(['mcp', '--text-only', '--toolsets', 'inspect']);
    expect(await ended).toBe(0);
    expect(printed).toEqual({ stdout: 'said\n', stderr: '' });
    expect(asked).toEqual([
      { toolsets: ['inspect'], isReadOnly: false, structured: 'never', session: undefined },
    ]);
    expect(closed()).toBe(1);
  });

  it('are relayed without arguments, but only if the input is a pipe', async () => {
    const piped = desk([], { isInputPiped: true });
    expect([await piped.ended, piped.printed.stdout]).toEqual([0, 'said\n']);
    const help = desk([]);
    expect([await help.ended, help.asked]).toEqual([0, []]);
    expect(help.printed.stdout).toContain('Usage: desk <command>');
  });

  it.each([
    [['mcp'], {}, undefined],
    [['mcp'], { DESKTERITY_SESSION: '' }, undefined],
    [['mcp'], { DESKTERITY_SESSION: 'mine' }, 'mine'],
    [['mcp', '--session', 'other'], { DESKTERITY_SESSION: 'mine' }, 'other'],
  ])('of %j with %j belong to the session %j', async (argv, environment, session) => {
    const { ended, asked } = desk(argv, { environment });
    await ended;
    expect(asked).toMatchObject([{ session }]);
  });

  it.each([[['mcp']], [['mcp', '--http']]])(
    '%j in a session that does not exist yet is served with a note',
    async (argv) => {
      const { ended, printed, asked } = desk([...argv, '--session', 'fresh']);
      await ended;
      expect(asked).toMatchObject([{ session: 'fresh' }, ...asked.slice(1)]);
      expect(printed.stderr).toContain('note: Session "fresh" does not exist. Start it.\n');
      const known = desk([...argv, '--session', 'mine']);
      await known.ended;
      expect(known.printed.stderr).not.toContain('note');
    },
  );

  it.each([[['mcp']], [['mcp', '--http']]])('%j in a mistyped session is not served', async (argv) => {
    const { ended, printed, asked } = desk([...argv, '--session', 'nime']);
    expect(await ended).toBe(6);
    expect(printed.stdout + printed.stderr).toContain('Did you mean mine?');
    expect(asked).toEqual([]);
  });

  it.each([[['mcp']], [['mcp', '--http']]])('%j in an invalid session is not served', async (argv) => {
    const { ended, printed, asked, closed } = desk([...argv, '--session', '../x']);
    expect(await ended).toBe(5);
    expect(printed.stdout + printed.stderr).toContain('cannot be a session name');
    expect([asked, closed()]).toEqual([[], 1]);
  });

  it('are announced as JSON-RPC on a terminal', async () => {
    const stdin = Object.assign(Readable.from([]), { isTTY: true });
    const { ended, printed } = desk(['mcp'], { stdin });
    expect(await ended).toBe(0);
    expect(printed).toEqual({
      stdout: '',
      stderr: expect.stringContaining('meant to be started by an MCP client'),
    });
  });

  it('are not read faster than they are consumed', async () => {
    const [near, far] = duplexPair();
    const taken: (() => void)[] = [];
    const stdout: OutputStream = { write: (_, done) => (taken.push(done), false) };
    const { ended } = desk(['mcp'], { stdout, connection: { openMcp: async () => near } });
    const pieces = 50;
    let sent = 0;
    const sending = (async () => {
      for (; sent < pieces; sent += 1)
        await new Promise<void>((resolve) => far.write(Buffer.alloc(100_000, 10), () => resolve()));
      far.end();
    })();
    await expect.poll(() => taken.length).toBe(1);
    // The first piece is not taken: what follows waits with whoever says it, however long.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken.length).toBe(1);
    expect(sent).toBeLessThan(5);
    const release = setInterval(() => taken.shift()?.(), 1);
    await sending;
    expect(await ended).toBe(0);
    clearInterval(release);
    expect(sent).toBe(pieces);
  });
});

describe('an end', () => {
  const failing = (code: string): OutputStream => ({
    write: (_, done) => (setImmediate(() => done(Object.assign(new Error(code), { code }))), true),
  });
  /** A server that says something and then does what it likes. */
  const saying = (text: string, then: (server: Duplex) => void): Partial<Connection> => ({
    openMcp: async () => {
      const [near, far] = duplexPair();
      far.write(text);
      far.resume();
      setImmediate(() => then(far));
      return near;
    },
  });
  const silent = () => new Readable({ read: () => undefined });

  it.each([
    ['ends before its input does', saying('{}\n', (far) => far.end()), silent],
    ['stops inside a message', saying('{"jsonrpc"', (far) => far.end()), () => Readable.from([])],
  ])('of a server that %s is reported on one line', async (_, connection, stdin) => {
    const { ended, printed } = desk(['mcp'], { connection, stdin: stdin() });
    expect(await ended).toBe(11);
    expect(printed.stderr).toMatch(/^desk mcp: DAEMON_UNAVAILABLE: The MCP server has closed[^\n]*\n$/);
    expect(printed.stdout).not.toContain('ok');
  });

  it('of the reader is not a failure, but a full disk is', async () => {
    expect(
      await desk(['mcp'], {
        stdout: failing('EPIPE'),
        stdin: silent(),
        connection: saying('{}\n', () => undefined),
      }).ended,
    ).toBe(0);
    const full = desk(['mcp'], {
      stdout: failing('ENOSPC'),
      stdin: silent(),
      connection: saying('{}\n', () => undefined),
    });
    expect(await full.ended).toBe(3);
    expect(full.printed.stderr).toContain('cannot write');
  });

  it('by a signal, before or after opening, is not a failure', async () => {
    const controller = new AbortController();
    const { ended } = desk(['mcp'], { signal: controller.signal, stdin: silent() });
    setImmediate(() => controller.abort());
    expect(await ended).toBe(0);
    expect(await desk(['mcp'], { signal: AbortSignal.abort(), stdin: silent() }).ended).toBe(0);
  });

  it('of the input is also a read error', async () => {
    const stdin = new Readable({ read: () => undefined });
    setImmediate(() => stdin.destroy(new Error('EIO')));
    expect(await desk(['mcp'], { stdin }).ended).toBe(0);
  });
});

describe('a failure', () => {
  const refused = new CallFailure('DAEMON_UNAVAILABLE', 'It is\nnot there.', {
    suggestion: 'Wait.',
    detail: 'ENOENT',
  });
  const connection: Partial<Connection> = {
    openMcp: () => Promise.reject(refused),
    serveMcp: () => Promise.reject(refused),
  };

  it('is printed beside the protocol, whatever format is requested', async () => {
    const { ended, printed, closed } = desk(['--format', 'json', 'mcp'], { connection });
    expect(await ended).toBe(11);
    expect(printed).toEqual({
      stdout: '',
      stderr: 'desk mcp: DAEMON_UNAVAILABLE: It is not there. (ENOENT) Wait.\n',
    });
    expect(closed()).toBe(1);
  });

  it('over HTTP is an ordinary envelope', async () => {
    const { ended, printed } = desk(['mcp', '--http'], { connection });
    expect(await ended).toBe(11);
    expect(JSON.parse(printed.stdout)).toMatchObject({ ok: false, command: 'mcp' });
    expect(printed.stderr).toBe('');
  });

  it('of the HTTP server is printed after its address', async () => {
    const { ended, printed, asked } = desk(['mcp', '--http', '--bind', '::1', '--sse'], {
      environment: { DESKTERITY_HTTP_TOKEN: 'secret' },
    });
    expect(await ended).toBe(11);
    expect(asked.at(-1)).toEqual({
      bind: '::1',
      port: 8741,
      isSseServed: true,
      token: 'secret',
      mostToolsets: undefined,
      folders: [],
      isSessionIsolated: false,
      isEchoed: false,
    });
    const lines = printed.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { ok: true, command: 'mcp', url: 'http://127.0.0.1:1/mcp' },
      { ok: false, error: { code: 'DAEMON_UNAVAILABLE' } },
    ]);
    expect(printed.stdout).not.toContain('secret');
  });
});
