import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { array, assert, asyncProperty, integer, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallFailure } from '../../../src/surfaces/cli/daemon/call-failure.ts';
import type { CallOptions, Connection, Rendered } from '../../../src/surfaces/cli/daemon/connection.ts';
import type { Manifest, ManifestCommand } from '../../../src/surfaces/cli/arguments/manifest.ts';
import type { GivenInput } from '../../../src/surfaces/cli/arguments/secret-flags.ts';
import { NO_MCP } from './no-mcp.ts';
import { linesOf } from '../../../src/surfaces/cli/verbs/batch/batch-lines.ts';
import { LONGEST_LINE_BYTES, verb } from '../../../src/surfaces/cli/verbs/batch/batch.ts';
import type { VerbContext } from '../../../src/surfaces/cli/verbs/verb.ts';

const COMMON = { aliases: [], kind: 'act' } as const;
const TEXT = { type: 'string', required: true } as const;

function command(name: string, more: Partial<ManifestCommand> = {}): ManifestCommand {
  return { ...COMMON, name, parameters: [], positionals: [], ...more };
}

const manifest: Manifest = {
  version: '1.2.3',
  envelopeVersion: '1.0',
  usageError: { code: 'INVALID_ARGUMENT', exitCode: 5 },
  internalExitCode: 70,
  errorExitCodes: { INVALID_ARGUMENT: 5, DAEMON_UNAVAILABLE: 11, CANCELLED: 1 },
  commands: [
    command('click', { parameters: [{ ...TEXT, key: 'ref' }], positionals: ['ref'] }),
    command('set-value', {
      parameters: [
        { ...TEXT, key: 'ref' },
        { ...TEXT, key: 'value' },
      ],
      positionals: ['ref', 'value'],
      secret: 'value',
    }),
    command('list-apps', { aliases: ['apps'] }),
    command('session list'),
    command('batch', { runsIn: 'client' }),
  ],
};

interface Call {
  readonly session: string;
  readonly command: string;
  readonly input: GivenInput;
  readonly options: CallOptions;
}

type Execute = (call: Call) => Rendered | Promise<Rendered>;

const envelope = (name: string) => `${JSON.stringify({ version: '1.0', ok: true, command: name })}\n`;
const done: Execute = (call) => ({ exitCode: 0, stdout: envelope(call.command), stderr: '' });

function start(stdin: Readable, changes: Partial<VerbContext> = {}, execute: Execute = done) {
  const calls: Call[] = [];
  const printed = { stdout: '', stderr: '' };
  let opened = 0;
  let closed = 0;
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string, written: () => void) => {
      printed[name] += text;
      setImmediate(written);
      return true;
    },
  });
  const connection: Connection = {
    ...NO_MCP,
    execute: async (session, name, input, options = {}) => {
      const call = { session, command: name, input, options };
      calls.push(call);
      return execute(call);
    },
    close: async () => {
      closed += 1;
    },
  };
  const exitCode = verb.run({
    input: {},
    globals: { format: 'json', pretty: undefined, session: undefined },
    session: 'default',
    form: 'json',
    environment: {},
    manifest,
    stdin,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    signal: new AbortController().signal,
    connect: async () => {
      opened += 1;
      return connection;
    },
    ...changes,
  });
  return {
    exitCode,
    calls,
    printed,
    connections: () => ({ opened, closed }),
    answers: (): unknown[] =>
      printed.stdout
        .split('\n')
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line)),
  };
}

async function batch(
  lines: readonly (string | object)[],
  changes: Partial<VerbContext> = {},
  execute: Execute = done,
) {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const ran = start(Readable.from([Buffer.from(text)]), changes, execute);
  return { ...ran, exitCode: await ran.exitCode, answers: ran.answers() };
}

describe('a line', () => {
  it('is a command with input, or arguments', async () => {
    const { calls, answers, exitCode, connections } = await batch([
      { command: 'click', input: { ref: '@e2' } },
      { args: ['click', '@e3', '--session', 'mine'], id: 'b' },
      { command: 'apps', session: 'other', id: 3 },
      { command: 'session list', id: 0 },
    ]);
    expect(exitCode).toBe(0);
    expect(connections()).toEqual({ opened: 1, closed: 1 });
    expect(calls.map(({ session, command: name, input }) => [session, name, input])).toEqual([
      ['default', 'click', { ref: '@e2' }],
      ['mine', 'click', { ref: '@e3' }],
      ['other', 'list-apps', {}],
      ['default', 'session list', {}],
    ]);
    expect(calls[0]?.options).toMatchObject({ format: 'json', pretty: false, secrets: [] });
    expect(answers).toEqual([
      { version: '1.0', ok: true, command: 'click' },
      { id: 'b', version: '1.0', ok: true, command: 'click' },
      { id: 3, version: '1.0', ok: true, command: 'list-apps' },
      { id: 0, version: '1.0', ok: true, command: 'session list' },
    ]);
  });

  it('that is invalid is answered, and the next one runs', async () => {
    const bad: [string | object, string][] = [
      ['{', 'not JSON'],
      [`{"command":"click","input":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'within each other'],
      ['[]', 'not a JSON object'],
      ['null', 'not a JSON object'],
      [{ id: 1 }, 'either "command" or "args"'],
      [{ command: 'click', args: [] }, 'either "command" or "args"'],
      [{ command: 'click', inputs: {} }, 'unknown key "inputs"'],
      ['{"command":"click","__proto__":{}}', 'unknown key "__proto__"'],
      [{ command: 7 }, '"command" is not a string'],
      [{ command: 'clik' }, 'Unknown command "clik"'],
      [{ command: 'click @e2' }, 'Unknown command "click @e2"'],
      [{ command: 'constructor' }, 'Unknown command "constructor"'],
      [{ command: 'click', input: [] }, '"input" is not a JSON object'],
      [{ command: 'click', input: { ref: { a: 1 } } }, '"ref" is not a string'],
      [{ command: 'click', input: { ref: null } }, '"ref" is not a string'],
      [{ command: 'click', session: 1 }, '"session" is not a string'],
      [{ command: 'click', id: {} }, '"id" is not'],
      ['{"command":"click","id":1e400}', '"id" is a number that'],
      ['{"command":"click","id":12345678901234567890}', '"id" is a number that'],
      ['{"command":"click","input":{"ref":1e400}}', 'is not a string, number'],
      [{ args: 'click' }, '"args" is not a list'],
      [{ args: ['click', 1] }, '"args" is not a list'],
      [{ args: ['click'], input: {} }, '"input" belongs to "command"'],
      [{ args: [] }, 'not a request for help'],
      [{ args: ['--help'] }, 'not a request for help'],
      [{ args: ['click', '--format', 'text'] }, 'only answers in JSON'],
      [{ args: ['click', '--pretty'] }, 'on one line'],
      [{ args: ['click', '--nope'] }, 'no flag --nope'],
      [{ args: ['click', '--session', 'a'], session: 'b' }, 'given twice'],
      [{ args: ['click', '--no-daemon'] }, 'belong to the whole batch'],
      [{ command: 'batch' }, 'cannot be used in a batch'],
      [{ args: ['batch'] }, 'cannot be used in a batch'],
      [{ args: ['set-value', '@e1', '--from-stdin'] }, 'A batch reads its lines'],
    ];
    for (const [line, message] of bad) {
      const { answers, exitCode, calls } = await batch([line, { command: 'click', id: 'next' }]);
      expect(calls).toHaveLength(1);
      expect(answers).toMatchObject([
        { version: '1.0', ok: false, error: { code: 'INVALID_ARGUMENT', retryable: false } },
        { id: 'next', ok: true },
      ]);
      expect(JSON.stringify(answers[0])).toContain(JSON.stringify(message).slice(1, -1));
      expect(exitCode).toBe(5);
    }
  });

  it('keeps its id if it is refused', async () => {
    const { answers } = await batch([{ command: 'clik', id: 'x"y' }]);
    expect(answers).toMatchObject([{ id: 'x"y', ok: false, command: 'clik' }]);
  });

  it('reads a secret from a variable, which the answer must not repeat', async () => {
    const { calls } = await batch([{ args: ['set-value', '@e1', '--from-env', 'PASSWORD'] }], {
      environment: { PASSWORD: 'geheim' },
    });
    expect(calls).toMatchObject([
      { input: { ref: '@e1', value: 'geheim' }, options: { secrets: ['value'] } },
    ]);
  });

  it('over 1 MiB is refused once, without being stored; blank lines are ignored', async () => {
    const long = `{"command":"${'x'.repeat(LONGEST_LINE_BYTES)}"}`;
    const { answers } = await batch(['', long, '  ', { command: 'click' }, '\r']);
    expect(answers).toMatchObject([
      { ok: false, error: { message: 'The line is longer than 1048576 bytes.' } },
      { ok: true },
    ]);
  });
});

describe('lines of a stream', () => {
  const read = async (bytes: Buffer, sizes: readonly number[], limit: number) => {
    const chunks: Buffer[] = [];
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      chunks.push(bytes.subarray(at, at + size));
      at += size;
    }
    const lines: string[] = [];
    for await (const line of linesOf(Readable.from(chunks), limit))
      lines.push(line.kind === 'text' ? line.text : '!');
    return lines;
  };

  it('are the same however the stream is chunked', async () => {
    const anyText = string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', ' '));
    await assert(
      asyncProperty(
        array(anyText, { maxLength: 8 }),
        array(integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (texts, sizes) => {
          const limit = 20;
          const expected = texts
            .filter((text) => Buffer.byteLength(text) > limit || text.trim() !== '')
            .map((text) => (Buffer.byteLength(text) > limit ? '!' : text.replace(/^\uFEFF/, '')));
          expect(await read(Buffer.from(texts.join('\n')), sizes, limit)).toEqual(expected);
        },
      ),
      { seed: 3, numRuns: 300 },
    );
  });

  it('that are not UTF-8 are reported', async () => {
    expect(await read(Buffer.from([0x41, 0x0a, 0xff, 0x0a, 0x42]), [2], 100)).toEqual(['A', '!', 'B']);
  });
});

describe('a batch', () => {
  const failing: Execute = ({ command: name, input }) => ({
    exitCode: input['ref'] === '@e2' ? 8 : input['ref'] === '@e3' ? 1 : 0,
    stdout: envelope(name),
    stderr: '',
  });
  const click = (ref: string) => ({ command: 'click', input: { ref } });

  it('exits with the first exit code that is not 0', async () => {
    expect((await batch([click('@e1')], {}, failing)).exitCode).toBe(0);
    expect((await batch([click('@e1'), click('@e3'), click('@e2')], {}, failing)).exitCode).toBe(1);
    expect((await batch(['{', click('@e2'), click('@e1')], {}, failing)).exitCode).toBe(5);
  });

  it('stops at the first such line on request', async () => {
    const input = { stop_on_error: true };
    const stopped = await batch([click('@e1'), click('@e2'), click('@e1')], { input }, failing);
    expect([stopped.exitCode, stopped.calls.length, stopped.answers.length]).toEqual([8, 2, 2]);
    const refused = await batch(['{', click('@e1')], { input }, failing);
    expect([refused.exitCode, refused.calls.length, refused.answers.length]).toEqual([5, 0, 1]);
  });

  it('answers a line before it reads the next', async () => {
    const stdin = new PassThrough();
    const ran = start(stdin);
    for (let id = 1; id <= 3; id += 1) {
      stdin.write(`{"command":"click","id":${id}}\n`);
      await expect.poll(() => ran.answers().length).toBe(id);
    }
    stdin.end('{"command":"click","id":"no line feed"}');
    expect(await ran.exitCode).toBe(0);
    expect(ran.answers()).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 'no line feed' }]);
  });

  it('runs nothing while an answer cannot be written', async () => {
    let release: (() => void) | undefined;
    const stdout = {
      write: (_text: string, written: () => void) => {
        release = written;
        return false;
      },
    };
    const ran = start(Readable.from([Buffer.from('{"command":"click"}\n'.repeat(3))]), { stdout });
    await expect.poll(() => release).toBeDefined();
    // Time in which the next one would be carried out.
    await sleep(50);
    expect(ran.calls).toHaveLength(1);
    for (let count = 2; count <= 3; count += 1) {
      release?.();
      await expect.poll(() => ran.calls.length).toBe(count);
    }
    release?.();
    expect(await ran.exitCode).toBe(0);
  });

  it('stops if its answers are not read, and fails if they are lost', async () => {
    const failure = (code: string) => ({
      write: (_text: string, written: (error: Error) => void) => {
        setImmediate(() => written(Object.assign(new Error(code), { code })));
        return false;
      },
    });
    const gone = await batch([click('@e1'), click('@e1')], { stdout: failure('EPIPE') });
    expect([gone.exitCode, gone.calls.length]).toEqual([0, 1]);
    const lost = await batch([click('@e1'), click('@e1')], { stdout: failure('ENOSPC') });
    expect([lost.exitCode, lost.calls.length]).toEqual([3, 1]);
    expect(lost.printed.stderr).toContain('cannot write');
  });

  it('ends on Ctrl-C while it waits for a line', async () => {
    const controller = new AbortController();
    const ran = start(new PassThrough(), { signal: controller.signal });
    // That it waits cannot be seen; what is tested holds before that as well.
    await sleep(20);
    controller.abort();
    expect(await ran.exitCode).toBe(1);
    expect(ran.printed).toEqual({ stdout: '', stderr: '' });
  });

  it('ends on Ctrl-C with the answer of the line that was cancelled', async () => {
    const controller = new AbortController();
    const { answers, exitCode, calls, connections } = await batch(
      [click('@e1'), click('@e1')],
      { signal: controller.signal },
      async ({ command: name, options }) => {
        setImmediate(() => controller.abort());
        await new Promise((resolve) => options.signal?.addEventListener('abort', resolve));
        return { exitCode: 1, stdout: envelope(name), stderr: '' };
      },
    );
    expect([answers.length, exitCode, calls.length]).toEqual([1, 1, 1]);
    expect(connections().closed).toBe(1);
  });

  it('reports that a command may have run on a lost connection, and reconnects for the next line', async () => {
    let isFirst = true;
    const { answers, exitCode, connections } = await batch(
      [{ ...click('@e1'), id: 1 }, click('@e1')],
      {},
      (call) => {
        if (!isFirst) return done(call);
        isFirst = false;
        throw new CallFailure('DAEMON_UNAVAILABLE', 'It went away.', {
          suggestion: 'Look.',
          delivered: true,
        });
      },
    );
    expect(answers).toMatchObject([
      {
        id: 1,
        ok: false,
        command: 'click',
        error: { code: 'DAEMON_UNAVAILABLE', delivered: true, suggestion: 'Look.' },
      },
      { ok: true },
    ]);
    expect(exitCode).toBe(11);
    expect(connections()).toEqual({ opened: 2, closed: 2 });
  });

  it('has only one output format', async () => {
    const globals = { format: 'text', pretty: undefined, session: undefined } as const;
    await expect(batch([], { globals })).rejects.toThrow('only answers in JSON');
    await expect(batch([], { globals: { ...globals, format: 'json', pretty: true } })).rejects.toThrow(
      'each line on one line',
    );
  });
});
