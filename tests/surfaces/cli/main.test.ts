import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { FIRST_STEPS } from '../../../src/surfaces/cli/printing/help.ts';
import { main, type CliParts } from '../../../src/surfaces/cli/main.ts';
import type { Connection } from '../../../src/surfaces/cli/daemon/connection.ts';
import { CallFailure } from '../../../src/surfaces/cli/daemon/call-failure.ts';
import { manifest } from '../../../src/surfaces/cli/arguments/manifest.generated.ts';
import { manual } from '../../../src/surfaces/cli/printing/manual.generated.ts';
import { parseLine } from '../../../src/surfaces/cli/arguments/parse.ts';
import { splitWords } from '../../../src/surfaces/cli/arguments/words.ts';
import { NO_MCP } from './no-mcp.ts';

const ANSWERED = { exitCode: 0, stdout: 'answer\n', stderr: '' };

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: unknown[];
  readonly places: string[];
}

async function desk(
  argv: readonly string[],
  changes: Partial<CliParts> & { tty?: boolean; executor?: Partial<Connection> } = {},
): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const calls: unknown[] = [];
  const places: string[] = [];
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: changes.tty,
    columns: changes.tty === true ? 80 : undefined,
    write: (text: string, done: () => void) => {
      printed[name] += text;
      setImmediate(done);
      return true;
    },
  });
  const exitCode = await main({
    argv,
    environment: {},
    manifest,
    manual: async () => manual,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    signal: new AbortController().signal,
    stdin: () => Readable.from(['typed\n']),
    connect: async (where) => {
      places.push(where);
      return {
        execute: async (...call) => {
          calls.push(call);
          return { exitCode: 0, stdout: 'answer\n', stderr: '' };
        },
        ...NO_MCP,
        close: async () => undefined,
        ...changes.executor,
      };
    },
    isInputPiped: () => false,
    ...changes,
  });
  return { exitCode, ...printed, calls, places };
}

describe('running a command', () => {
  it('passes it to the daemon and prints the answer', async () => {
    const ran = await desk(['apps', '--with-windows']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'answer\n', stderr: '' });
    expect(ran.calls).toMatchObject([
      ['default', 'list-apps', { with_windows: true }, { format: undefined, pretty: false, secrets: [] }],
    ]);
  });

  it('uses the session of the flag, else of the environment', async () => {
    const environment = { DESKTERITY_SESSION: 'mine' };
    expect((await desk(['version'], { environment })).calls[0]).toContain('mine');
    expect((await desk(['version', '--session', 'other'], { environment })).calls[0]).toContain('other');
    expect((await desk(['version'], { environment: { DESKTERITY_SESSION: '' } })).calls[0]).toContain(
      'default',
    );
  });

  it('prints pretty JSON on a terminal unless told otherwise', async () => {
    expect((await desk(['version'], { tty: true })).calls).toMatchObject([
      ['default', 'version', {}, { pretty: true }],
    ]);
    expect((await desk(['version', '--no-pretty'], { tty: true })).calls).toMatchObject([
      ['default', 'version', {}, { pretty: false }],
    ]);
  });

  it('returns the exit code of the answer and prints both streams', async () => {
    const executor = { execute: async () => ({ exitCode: 7, stdout: 'out', stderr: 'err' }) };
    expect(await desk(['version'], { executor })).toMatchObject({
      exitCode: 7,
      stdout: 'out',
      stderr: 'err',
    });
  });

  it('does not wait for a connection that does not close', async () => {
    const executor = { close: () => new Promise<void>(() => undefined) };
    expect(await desk(['version'], { executor })).toMatchObject({ exitCode: 0 });
    const failing = { close: () => Promise.reject(new Error('gone')) };
    expect(await desk(['version'], { executor: failing })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    [0, 3],
    [1, 3],
    [7, 7],
  ])('whose answer (exit code %i) cannot be written exits with %i', async (answered, code) => {
    const executor = { execute: async () => ({ exitCode: answered, stdout: 'out', stderr: '' }) };
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const stdout = {
      write: (_: string, done: (error: Error) => void) => (setImmediate(done, full), false),
    };
    const ran = await desk(['is', 'visible', '@e1'], { executor, stdout });
    expect(ran.exitCode).toBe(code);
    expect(ran.stderr).toContain('cannot write');
    expect((await desk(['--version'], { stdout })).exitCode).toBe(3);
  });

  it('refuses arguments that are not UTF-8, and does not repeat them', async () => {
    const ran = await desk(['set-value', '@e1', 'caf\uFFFD']);
    expect(ran).toMatchObject({ exitCode: 5, calls: [] });
    expect(ran.stdout).toContain('Argument 3 is not UTF-8.');
    expect(ran.stdout).not.toContain('caf');
    const variable = await desk(['set-value', '@e1', '--from-env', 'WORD'], {
      environment: { WORD: 'caf\uFFFD' },
    });
    expect(variable).toMatchObject({ exitCode: 5, calls: [] });
    expect(variable.stdout).toContain('WORD is not UTF-8');
  });

  it('reports a bug as such', async () => {
    const ran = await desk(['version'], { connect: () => Promise.reject(new Error('broken')) });
    expect(ran).toMatchObject({ exitCode: 70, stdout: '' });
    expect(ran.stderr).toContain('broken');
  });
});

describe('where a command runs', () => {
  it('is an error if the variable is neither true nor false', async () => {
    const ran = await desk(['version'], { environment: { DESKTERITY_NO_DAEMON: 'maybe' } });
    expect([ran.exitCode, ran.calls]).toEqual([5, []]);
    // Also where no daemon is needed: a wrong value should be noticed.
    const verb = await desk(['completion', 'bash'], { environment: { DESKTERITY_NO_DAEMON: 'maybe' } });
    expect(verb.exitCode).toBe(5);
    expect(verb.stdout + verb.stderr).toContain('"command":"completion"');
    expect(ran.stdout + ran.stderr).toContain('true, 1, yes or on, or to false, 0, no or off');
    for (const [word, place] of [
      ['no', 'daemon'],
      ['TRUE', 'process'],
      ['', 'daemon'],
    ] as const)
      expect((await desk(['version'], { environment: { DESKTERITY_NO_DAEMON: word } })).places).toEqual([
        place,
      ]);
  });

  it('is the daemon unless --no-daemon or the variable says otherwise', async () => {
    const places = async (argv: string[], environment: Record<string, string> = {}) =>
      (await desk(argv, { environment })).places;
    expect(await places(['version'])).toEqual(['daemon']);
    expect(await places(['version', '--no-daemon'])).toEqual(['process']);
    expect(await places(['--no-daemon', 'version'])).toEqual(['process']);
    expect(await places(['version'], { DESKTERITY_NO_DAEMON: '1' })).toEqual(['process']);
    expect(await places(['version'], { DESKTERITY_NO_DAEMON: '' })).toEqual(['daemon']);
    expect(await places(['version'], { DESKTERITY_NO_DAEMON: '0' })).toEqual(['daemon']);
  });

  it('that cannot be reached is an error like any other', async () => {
    const executor = {
      execute: () =>
        Promise.reject(
          new CallFailure('DAEMON_UNAVAILABLE', 'It ended.', { suggestion: 'Look.', delivered: true }),
        ),
    };
    const ran = await desk(['version'], { executor });
    expect(ran).toMatchObject({ exitCode: 11, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({
      version: '1.0',
      ok: false,
      command: 'version',
      error: {
        code: 'DAEMON_UNAVAILABLE',
        message: 'It ended.',
        suggestion: 'Look.',
        retryable: false,
        delivered: true,
      },
    });
    expect(await desk(['version', '--format', 'text'], { executor })).toMatchObject({
      exitCode: 11,
      stdout: '',
      stderr: 'error DAEMON_UNAVAILABLE: It ended.\n  Look.\n',
    });
  });
});

describe('the log of a call', () => {
  const executor: Partial<Connection> = {
    execute: async (_session, _command, _input, options) => {
      options?.onLog?.(`logged from ${options.logLevel}`);
      return { exitCode: 0, stdout: 'answer\n', stderr: 'note\n' };
    },
  };

  it('goes to standard error on request', async () => {
    expect(await desk(['version', '--log-to-stderr'], { executor })).toMatchObject({
      stdout: 'answer\n',
      stderr: 'logged from info\nnote\n',
    });
    expect(await desk(['version', '--verbose'], { executor })).toMatchObject({
      stderr: 'logged from debug\nnote\n',
    });
    expect(await desk(['version'], { executor })).toMatchObject({ stderr: 'note\n' });
  });
});

it('a secret from standard input replaces the argument', async () => {
  expect((await desk(['set-value', '@e1', '--from-stdin'])).calls).toMatchObject([
    ['default', 'set-value', { ref: '@e1', value: 'typed' }, { secrets: ['value'] }],
  ]);
});

describe('a mistake', () => {
  const connect = () => Promise.reject(new Error('connected for a usage error'));

  it('is a failed envelope on standard output', async () => {
    const ran = await desk(['clik', '@e1'], { connect });
    expect(ran.exitCode).toBe(5);
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual({
      version: '1.0',
      ok: false,
      command: 'clik',
      error: {
        code: 'INVALID_ARGUMENT',
        message: 'Unknown command "clik".',
        suggestion: 'Did you mean "desk click"?',
        retryable: false,
      },
    });
  });

  it('is plain text on standard error with --format text, nothing with quiet', async () => {
    const ran = await desk(['clik', '--format', 'text'], { connect });
    expect(ran).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: 'error INVALID_ARGUMENT: Unknown command "clik".\n  Did you mean "desk click"?\n',
    });
    expect(await desk(['clik', '--format', 'quiet'], { connect })).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: '',
    });
  });
});

describe('help', () => {
  it('names every command, exit code and global flag', async () => {
    const { stdout, exitCode } = await desk([]);
    expect(exitCode).toBe(0);
    for (const { name } of manifest.commands) expect(stdout).toContain(`\n  ${name}`);
    for (const { code } of manual.exitCodes) expect(stdout).toMatch(new RegExp(`\n  ${code} +\\S`));
    expect(stdout).not.toContain('\u001B');
  });

  it('starts with steps that are real command lines', () => {
    for (const [line] of FIRST_STEPS) expect(parseLine(line.split(' ').slice(1), manifest).kind).toBe('run');
  });

  it.each(manifest.commands.map(({ name }) => name))(
    'of %s shows usage, flags and examples within the width',
    async (name) => {
      const command = manifest.commands.find((candidate) => candidate.name === name);
      const { stdout } = await desk(['help', name, '--all'], { tty: true, environment: { NO_COLOR: '1' } });
      expect(stdout).toContain(`Usage: desk ${name}`);
      const flags =
        command?.parameters.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`])) ?? [];
      const examples = manual.commands[name]?.examples.map(({ line }) => `  ${line}`) ?? [];
      expect([...flags, ...examples].filter((text) => !stdout.includes(text))).toEqual([]);
      const long = stdout.split('\n').filter((line) => line.length > 80 && !examples.includes(line));
      expect(long).toEqual([]);
    },
  );

  it.each(manifest.commands.map(({ name }) => name))(
    'of %s costs a model at most 300 tokens, and says where the rest is',
    async (name) => {
      const { stdout } = await desk([...name.split(' '), '--help']);
      const whole = (await desk([...name.split(' '), '--help', '--all'])).stdout;
      expect(encode(stdout).length).toBeLessThanOrEqual(300);
      expect(stdout).toContain(`Usage: desk ${name}`);
      expect(stdout === whole || stdout.includes(`"desk ${name} --help --all"`)).toBe(true);
      const flags = manifest.commands.find((command) => command.name === name)?.parameters ?? [];
      expect(flags.filter(({ flag }) => flag !== undefined && !stdout.includes(`--${flag}`))).toEqual([]);
    },
  );

  it('has a guide of at most a thousand tokens whose commands exist', async () => {
    const { stdout } = await desk(['guide']);
    expect(encode(stdout).length).toBeLessThanOrEqual(1000);
    for (const part of ['snapshot', 'role:button', 'fill', 'do', 'unverified', 'since', 'terminal'])
      expect(stdout).toContain(part);
    const lines = [...stdout.matchAll(/(?<!: )["`](desk [^`"]+)["`]/g)].map(([, line = '']) =>
      splitWords(line),
    );
    expect(lines.length).toBeGreaterThanOrEqual(8);
    for (const words of lines) expect(parseLine(words.slice(1), manifest).kind).toBe('run');
  });

  it('is bold on a terminal that supports it', async () => {
    expect((await desk([], { tty: true })).stdout).toContain('\u001B[1m');
    expect((await desk([], { tty: true, environment: { TERM: 'dumb' } })).stdout).not.toContain('\u001B');
  });
});

describe('stop, which any process can perform', () => {
  const answer = { exitCode: 0, stdout: 'stopped\n', stderr: '' };
  const unavailable = new CallFailure('DAEMON_UNAVAILABLE', 'It is of another version.', { suggestion: '' });
  /** A daemon that does as told, and this process. */
  const parties = (daemon: () => Promise<typeof answer>, here = answer) => {
    const places: string[] = [];
    const connect = async (where: string) => {
      places.push(where);
      return {
        execute: () => (where === 'daemon' ? daemon() : Promise.resolve(here)),
        ...NO_MCP,
        close: async () => undefined,
      };
    };
    return { places, connect };
  };

  it('alone is performed by this process if the daemon is unusable', async () => {
    const { places, connect } = parties(() => Promise.reject(unavailable));
    expect(await desk(['stop'], { connect })).toMatchObject({ exitCode: 0, stdout: 'stopped\n' });
    expect(await desk(['resume'], { connect })).toMatchObject({ exitCode: 0, stdout: 'stopped\n' });
    expect(places).toEqual(['daemon', 'process', 'daemon', 'process']);
    expect((await desk(['status'], { connect })).exitCode).toBe(11);
    expect(places).toHaveLength(5);
  });

  it('does not wait for a frozen daemon', async () => {
    const { places, connect } = parties(() => new Promise(() => undefined));
    expect(await desk(['stop'], { connect })).toMatchObject({ exitCode: 0, stdout: 'stopped\n' });
    expect(places).toEqual(['daemon', 'process']);
  });

  it('reports the daemon’s failure if this process fails too', async () => {
    const { connect } = parties(() => Promise.reject(unavailable), { ...answer, exitCode: 3 });
    const ran = await desk(['stop'], { connect });
    expect(ran.exitCode).toBe(11);
    expect(ran.stdout).toContain('It is of another version.');
  });

  it('accepts any answer of the daemon', async () => {
    const { places, connect } = parties(async () => ({ ...answer, exitCode: 3 }));
    expect((await desk(['stop'], { connect })).exitCode).toBe(3);
    expect(places).toEqual(['daemon']);
  });
});

describe('on a terminal', () => {
  it('the answer is for people, in its width', async () => {
    const screens: unknown[] = [];
    const connect: CliParts['connect'] = async (_, options) => {
      screens.push(options?.screen);
      return { execute: async () => ANSWERED, ...NO_MCP, close: async () => undefined };
    };
    await desk(['version'], { tty: true, connect, environment: { COLUMNS: '40' } });
    await desk(['version'], { connect });
    await desk(['version', '--format', 'json'], { tty: true, connect });
    await desk(['version'], { tty: true, connect, environment: { DESKTERITY_FORMAT: 'json' } });
    await desk(['version', '--format', 'human'], { connect, environment: { FORCE_COLOR: '1' } });
    expect(screens).toEqual([
      { columns: 40, colour: true, ascii: false },
      undefined,
      undefined,
      undefined,
      { columns: 80, colour: true, ascii: false },
    ]);
  });

  it('a failure has its next step on a line of its own, and no control characters', async () => {
    const ran = await desk(['\u009B31mx'], { tty: true, environment: { NO_COLOR: '1' } });
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toBe(
      '✗ INVALID_ARGUMENT Unknown command "\\u{9B}31mx".\n  → Run "desk --help" to see all commands.\n',
    );
    const coloured = await desk(['zzzzzz'], { tty: true });
    expect(coloured.stderr).toContain('\u001B[31m✗ INVALID_ARGUMENT\u001B[0m Unknown');
  });

  it('an invalid DESKTERITY_FORMAT is reported, in the usual form', async () => {
    const environment = { DESKTERITY_FORMAT: 'yaml', NO_COLOR: '1' };
    const ran = await desk(['version'], { tty: true, environment });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', calls: [] });
    expect(ran.stderr).toContain('✗ CONFIG_INVALID The variable DESKTERITY_FORMAT is "yaml"');
    const piped = await desk(['daemon', 'start'], { environment });
    expect(piped.exitCode).toBe(2);
    expect(JSON.parse(piped.stdout)).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
  });
});

describe('a call that takes long', () => {
  /** Reports two steps, and answers after a second. */
  const slow: Partial<Connection> = {
    execute: async (_session, _command, _input, { onProgress } = {}) => {
      onProgress?.('trying keyboard');
      await new Promise((resolve) => setTimeout(resolve, 900));
      onProgress?.('trying pointer');
      await new Promise((resolve) => setTimeout(resolve, 100));
      return ANSWERED;
    },
  };

  it('shows on a terminal one line that changes and is removed', async () => {
    const ran = await desk(['doctor'], { tty: true, executor: slow, environment: { NO_COLOR: '1' } });
    expect(ran.stderr).toBe('\rtrying keyboard\u001B[K\rtrying pointer\u001B[K\r\u001B[K');
    expect(ran.stdout).toBe('answer\n');
  });

  it('prints plain lines if standard error is no terminal, and nothing for a program', async () => {
    const ran = await desk(['doctor', '--format', 'human'], { executor: slow });
    expect(ran.stderr).toBe('trying keyboard\ntrying pointer\n');
    expect(await desk(['doctor'], { executor: slow })).toMatchObject({ stdout: 'answer\n', stderr: '' });
    const silent: Partial<Connection> = {
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, 900));
        return ANSWERED;
      },
    };
    expect((await desk(['click', '@e1', '--format', 'human'], { executor: silent })).stderr).toBe('');
  });

  it('prints the address to sign in at once, in full, and for programs, too', async () => {
    const address = `https://example.com/authorize?${'a'.repeat(600)}`;
    const signing: Partial<Connection> = {
      execute: async (_session, _command, _input, { onProgress } = {}) => {
        onProgress?.(`open this address in a browser on this machine: ${address}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
        return ANSWERED;
      },
    };
    const piped = await desk(['tools', 'login', 'jira', '--address-only'], { executor: signing });
    expect(piped.stdout).toBe(`${address}\nanswer\n`);
    expect((await desk(['tools', 'login', 'jira'], { executor: signing })).stderr).toContain(
      `\n${address}\n`,
    );
    const shown = await desk(['tools', 'login', 'jira', '--address-only'], { executor: signing, tty: true });
    expect(shown.stdout).toBe(`${address}\nanswer\n`);
  });

  it('is silent if it does not', async () => {
    expect((await desk(['doctor'], { tty: true })).stderr).toBe('');
  });
});
