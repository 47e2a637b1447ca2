import { secretsOf } from '../../../src/model/redaction/withhold.ts';
import { parseLine } from '../../../src/surfaces/cli/arguments/parse.ts';
import { manifest } from '../../../src/surfaces/cli/arguments/manifest.generated.ts';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ManifestCommand } from '../../../src/surfaces/cli/arguments/manifest.ts';
import { LONGEST_SECRET_BYTES, withSecret } from '../../../src/surfaces/cli/arguments/secrets.ts';
import { secretFlags } from '../../../src/surfaces/cli/arguments/secret-flags.ts';
import type { SecretSources } from '../../../src/surfaces/cli/arguments/secrets.ts';
import type { Input } from '../../../src/surfaces/cli/arguments/scan.ts';

const TEXT = { type: 'string', required: true } as const;
const command: ManifestCommand = {
  name: 'set-value',
  aliases: [],
  kind: 'act',
  secret: 'value',
  parameters: [
    { ...TEXT, key: 'ref' },
    { ...TEXT, key: 'value' },
  ],
  positionals: ['ref', 'value'],
};

function read(input: Input, changes: Partial<SecretSources> = {}) {
  const stderr = { write: (_text: string, done: () => void) => (setImmediate(done), true) };
  const signal = new AbortController().signal;
  return withSecret(command, input, { stdin: undefined, stderr, environment: {}, signal, ...changes });
}

const piped = (...chunks: (string | Uint8Array)[]) =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

class FakeTerminal extends PassThrough {
  readonly isTTY = true;
  readonly modes: boolean[] = [];
  setRawMode(isRaw: boolean): void {
    this.modes.push(isRaw);
  }
}

describe('the flags', () => {
  it('exist only for commands with a secret', () => {
    expect(secretFlags({ parameters: [] }).map(({ flag }) => flag)).toEqual([]);
    expect(secretFlags(command).map(({ flag }) => flag)).toEqual(['from-stdin', 'from-env']);
  });

  it('are two of three sources, of which exactly one is required', async () => {
    expect(await read({ ref: '@e1', value: 'plain' })).toEqual({
      input: { ref: '@e1', value: 'plain' },
      secrets: [],
    });
    await expect(read({ ref: '@e1' })).rejects.toThrow('needs a value');
    await expect(read({ value: 'a', from_stdin: true }, { stdin: piped('b') })).rejects.toThrow(
      'more than one',
    );
    await expect(read({ value: 'a', from_env: 'B' })).rejects.toThrow('more than one');
    await expect(read({ from_env: 'B', from_stdin: true }, { stdin: piped('b') })).rejects.toThrow(
      'more than one',
    );
    expect(await read({ value: '', from_stdin: false })).toEqual({ input: { value: '' }, secrets: [] });
  });
});

describe('--from-env', () => {
  it('reads the variable', async () => {
    const environment = { PASSWORD: 'geheim\n', EMPTY: '' };
    expect(await read({ ref: '@e1', from_env: 'PASSWORD' }, { environment })).toEqual({
      input: { ref: '@e1', value: 'geheim\n' },
      secrets: ['value'],
    });
    expect((await read({ from_env: 'EMPTY' }, { environment })).input).toEqual({ value: '' });
  });

  it('names a missing variable, but does not repeat what may be the secret itself', async () => {
    await expect(read({ from_env: 'NOWHERE' })).rejects.toThrow('NOWHERE');
    for (const mistake of ['hunter2!', '', 'p w', '$X', 'A=b', '7up'])
      await expect(read({ from_env: mistake })).rejects.toMatchObject({
        name: 'UsageError',
        message: '--from-env needs the name of an environment variable: letters, digits and underscores.',
      });
  });

  it('ignores properties that every object has', async () => {
    await expect(read({ from_env: 'constructor' })).rejects.toThrow('is not set');
    await expect(read({ from_env: '__proto__' })).rejects.toThrow('is not set');
  });
});

describe('--from-stdin', () => {
  const fromStdin = async (...chunks: (string | Uint8Array)[]) =>
    (await read({ from_stdin: true }, { stdin: piped(...chunks) })).input['value'];

  it('drops only one line break at the end', async () => {
    expect(await fromStdin('geheim\n')).toBe('geheim');
    expect(await fromStdin('geheim\r', '\n')).toBe('geheim');
    expect(await fromStdin('two\nlines\n\n')).toBe('two\nlines\n');
    expect(await fromStdin('  spaces  ')).toBe('  spaces  ');
    expect(await fromStdin()).toBe('');
    expect(await fromStdin('\n')).toBe('');
    expect(await fromStdin(Buffer.from('Grüße').subarray(0, 3), Buffer.from('Grüße').subarray(3))).toBe(
      'Grüße',
    );
  });

  it('accepts 1 MiB and not a byte more', async () => {
    const most = 'x'.repeat(LONGEST_SECRET_BYTES);
    expect(await fromStdin(`${most}\n`)).toBe(most);
    await expect(fromStdin(`${most}x`)).rejects.toThrow('longer than 1048576 bytes');
    await expect(fromStdin(`${most}\n\n`)).rejects.toThrow('longer than 1048576 bytes');
  });

  it('stops reading an endless pipe', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536, 97);
      })(),
    );
    await expect(read({ from_stdin: true }, { stdin: endless })).rejects.toThrow('longer than');
  });

  it('refuses input that is not text', async () => {
    await expect(fromStdin(Uint8Array.of(0xff, 0xfe, 0x41))).rejects.toThrow('not UTF-8');
  });

  it('is refused if standard input is in use', async () => {
    await expect(read({ from_stdin: true })).rejects.toThrow('A batch reads its lines');
  });

  it('ends when the user cancels', async () => {
    const controller = new AbortController();
    const reading = read({ from_stdin: true }, { stdin: new PassThrough(), signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('on a terminal', () => {
  async function typed(...keys: string[]) {
    const stdin = new FakeTerminal();
    const shown: string[] = [];
    let rawWhenAsked: boolean | undefined;
    const stderr = {
      write: (text: string, done: () => void) => {
        shown.push(text);
        rawWhenAsked ??= stdin.modes.at(-1) ?? false;
        setImmediate(done);
        return true;
      },
    };
    const reading = read({ from_stdin: true }, { stdin, stderr });
    for (const key of keys) stdin.write(key);
    const done = await Promise.allSettled([reading]);
    return { outcome: done[0], shown: shown.join(''), modes: stdin.modes, rawWhenAsked };
  }

  it('prompts without echo and restores the terminal', async () => {
    const { outcome, shown, modes, rawWhenAsked } = await typed('geh', 'ein\u007Fm', '\r');
    expect(rawWhenAsked).toBe(true);
    expect(outcome).toMatchObject({ value: { input: { value: 'geheim' }, secrets: ['value'] } });
    expect(shown).toBe('value (not shown): \n');
    expect(modes).toEqual([true, false]);
  });

  it('supports the usual editing keys', async () => {
    expect((await typed('wrong\u0015\u007Fright\u0004')).outcome).toMatchObject({
      value: { input: { value: 'right' } },
    });
    expect((await typed('Grüß\b\bn\n')).outcome).toMatchObject({ value: { input: { value: 'Grn' } } });
  });

  it('is cancelled by Ctrl-C', async () => {
    const { outcome, modes } = await typed('geheim\u0003');
    expect(outcome).toMatchObject({ reason: { code: 'CANCELLED' } });
    expect(modes).toEqual([true, false]);
  });
});

describe('secrets in lists', () => {
  const listed = (argv: readonly string[], typed = '', environment = {}) => {
    const parsed = parseLine(argv, manifest);
    if (parsed.kind !== 'run') throw new Error('not a command');
    const sources = {
      stdin: Readable.from(typed === '' ? [] : [Buffer.from(typed)]),
      stderr: process.stderr,
      environment,
      signal: new AbortController().signal,
    };
    return withSecret(parsed.command, parsed.input, sources, manifest.commands);
  };

  it('stand where the value of a target would, and are named by their place', async () => {
    const argv = ['fill', '@e1', 'ada', '@e2', '--from-env', 'PW', '@e3', '--from-stdin'];
    expect(await listed(argv, 'typed\n', { PW: 'hidden' })).toEqual({
      input: {
        fields: [
          { target: '@e1', value: 'ada' },
          { target: '@e2', value: 'hidden' },
          { target: '@e3', value: 'typed' },
        ],
      },
      secrets: ['fields.1.value', 'fields.2.value'],
    });
  });

  it('are found in the steps of a step', async () => {
    const { input, secrets } = await listed(
      ['do', 'set-value @e1 --from-env PW', "fill @e2 'a b' @e3 --from-env PW"],
      '',
      { PW: 'hidden' },
    );
    expect(secrets).toEqual(['steps.0.value', 'steps.1.fields.1.value']);
    expect(secretsOf(input, secrets)).toEqual(['hidden', 'hidden']);
  });

  it('may not come from standard input twice, nor beside a list from there', async () => {
    const twice = ['do', 'set-value @e1 --from-stdin', 'fill @e2 --from-stdin'];
    await expect(listed(twice, 'x')).rejects.toThrow('An earlier value already comes from standard input.');
    const list = '{"target":"@e1","from_stdin":true}\n';
    await expect(listed(['fill', '-'], list)).rejects.toThrow('Standard input holds the list.');
  });

  it.each([
    ['one JSON list', '[{"command":"click","ref":"@e2"},{"command":"wait","ms":5}]'],
    ['JSON lines', '{"command":"click","ref":"@e2"}\n\n{"command":"wait","ms":5}\n'],
  ])('steps come from standard input as %s', async (_, typed) => {
    const steps = [
      { command: 'click', ref: '@e2' },
      { command: 'wait', ms: 5 },
    ];
    expect((await listed(['do', '-'], typed)).input).toEqual({ steps });
  });

  it.each([
    [['fill', '@e1'], 'has no value'],
    [['fill', '--from-env', 'PW'], 'stands where the VALUE'],
    [['do', 'click @e1 --session other'], 'belongs to the whole call'],
    [['do', 'click --help'], 'is not a command'],
    [['do', '-'], 'is not JSON'],
  ])('%j is refused', async (argv, words) => {
    await expect(async () => listed(argv, 'nonsense')).rejects.toThrow(words);
  });
});
