import { describe, expect, it } from 'vitest';
import { FIRST_STEPS } from '../../src/cli/help.ts';
import { main } from '../../src/cli/main.ts';
import type { CliParts, Executor } from '../../src/cli/main.ts';
import { manifest } from '../../src/cli/manifest.generated.ts';
import { parseLine } from '../../src/cli/parse.ts';

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: unknown[];
}

async function desk(
  argv: readonly string[],
  changes: Partial<CliParts> & { tty?: boolean; executor?: Partial<Executor> } = {},
): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const calls: unknown[] = [];
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
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    signal: new AbortController().signal,
    openExecutor: async () => ({
      execute: async (...call) => {
        calls.push(call);
        return { exitCode: 0, stdout: 'answer\n', stderr: '' };
      },
      close: async () => undefined,
      ...changes.executor,
    }),
    ...changes,
  });
  return { exitCode, ...printed, calls };
}

describe('running a command', () => {
  it('hands it to the host and prints the answer', async () => {
    const ran = await desk(['apps', '--with-windows']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'answer\n', stderr: '' });
    expect(ran.calls).toMatchObject([
      ['default', 'list-apps', { with_windows: true }, { format: 'json', pretty: false }],
    ]);
  });

  it('takes the session from the flag, then from the environment', async () => {
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

  it('gives the exit code of the answer, and both streams', async () => {
    const executor = { execute: async () => ({ exitCode: 7, stdout: 'out', stderr: 'err' }) };
    expect(await desk(['version'], { executor })).toMatchObject({
      exitCode: 7,
      stdout: 'out',
      stderr: 'err',
    });
  });

  it('does not wait for a desktop that will not close', async () => {
    const executor = { close: () => new Promise<void>(() => undefined) };
    expect(await desk(['version'], { executor })).toMatchObject({ exitCode: 0 });
    const failing = { close: () => Promise.reject(new Error('gone')) };
    expect(await desk(['version'], { executor: failing })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('reports a fault of its own as such', async () => {
    const ran = await desk(['version'], { openExecutor: () => Promise.reject(new Error('broken')) });
    expect(ran).toMatchObject({ exitCode: 70, stdout: '' });
    expect(ran.stderr).toContain('broken');
  });
});

describe('a mistake', () => {
  const openExecutor = () => Promise.reject(new Error('opened for a usage error'));

  it('is a failed envelope on standard output', async () => {
    const ran = await desk(['clik', '@e1'], { openExecutor });
    expect(ran.exitCode).toBe(5);
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual({
      version: '1.0',
      ok: false,
      command: 'clik',
      error: {
        code: 'INVALID_ARGUMENT',
        message: 'There is no command "clik".',
        suggestion: 'Did you mean "desk click"?',
        retryable: false,
      },
    });
  });

  it('is plain text on standard error with --format text, nothing with quiet', async () => {
    const ran = await desk(['clik', '--format', 'text'], { openExecutor });
    expect(ran).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: 'error INVALID_ARGUMENT: There is no command "clik".\n  Did you mean "desk click"?\n',
    });
    expect(await desk(['clik', '--format', 'quiet'], { openExecutor })).toMatchObject({
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
    for (const { code } of manifest.exitCodes) expect(stdout).toMatch(new RegExp(`\n  ${code} +\\S`));
    expect(stdout).not.toContain('\u001B');
  });

  it('starts with steps that are real command lines', () => {
    for (const [line] of FIRST_STEPS) expect(parseLine(line.split(' ').slice(1), manifest).kind).toBe('run');
  });

  it.each(manifest.commands.map(({ name }) => name))(
    'of %s shows usage, flags and examples within the width',
    async (name) => {
      const command = manifest.commands.find((candidate) => candidate.name === name);
      const { stdout } = await desk(['help', name], { tty: true, environment: { NO_COLOR: '1' } });
      expect(stdout).toContain(`Usage: desk ${name}`);
      const flags =
        command?.parameters.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`])) ?? [];
      const examples = command?.examples.map(({ line }) => `  ${line}`) ?? [];
      expect([...flags, ...examples].filter((text) => !stdout.includes(text))).toEqual([]);
      const long = stdout.split('\n').filter((line) => line.length > 80 && !examples.includes(line));
      expect(long).toEqual([]);
    },
  );

  it('is bold on a terminal that wants it', async () => {
    expect((await desk([], { tty: true })).stdout).toContain('\u001B[1m');
    expect((await desk([], { tty: true, environment: { TERM: 'dumb' } })).stdout).not.toContain('\u001B');
  });
});
