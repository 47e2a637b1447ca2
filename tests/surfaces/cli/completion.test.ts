import { execFileSync } from 'node:child_process';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Manifest, ManifestCommand } from '../../../src/surfaces/cli/arguments/manifest.ts';
import type { Manual } from '../../../src/surfaces/cli/printing/manual.ts';
import { answerCompletion } from '../../../src/surfaces/cli/verbs/completion/completion-answer.ts';
import type { LiveAnswers } from '../../../src/surfaces/cli/verbs/completion/completion-live.ts';
import { positionOf } from '../../../src/surfaces/cli/verbs/completion/completion-position.ts';
import {
  quoteForBash,
  quoteForPowerShell,
  readBashLine,
} from '../../../src/surfaces/cli/verbs/completion/completion-quoting.ts';
import { COMPLETION_SCRIPTS } from '../../../src/surfaces/cli/verbs/completion/completion.ts';

const COMMON = { aliases: [], kind: 'act' } as const;
const TEXT = { type: 'string', required: false } as const;

function command(name: string, more: Partial<ManifestCommand> = {}): ManifestCommand {
  return { ...COMMON, name, parameters: [], positionals: [], ...more };
}

const manifest: Manifest = {
  version: '1',
  envelopeVersion: '1.0',
  usageError: { code: 'INVALID_ARGUMENT', exitCode: 5 },
  internalExitCode: 70,
  errorExitCodes: {},
  commands: [
    command('click', { parameters: [{ ...TEXT, key: 'ref' }], positionals: ['ref'] }),
    command('close-app', { parameters: [{ ...TEXT, key: 'app' }], positionals: ['app'] }),
    command('get', {
      parameters: [
        { ...TEXT, key: 'property', values: ['value', 'role'] },
        { ...TEXT, key: 'ref' },
        { ...TEXT, key: 'app', flag: 'app' },
        { ...TEXT, key: 'window', flag: 'window', short: 'w' },
        { ...TEXT, key: 'force', flag: 'force', type: 'boolean', short: 'f' },
      ],
      positionals: ['property', 'ref'],
    }),
    command('launch', {
      parameters: [
        { ...TEXT, key: 'app' },
        { ...TEXT, key: 'args', type: 'strings' },
      ],
      positionals: ['app'],
      rest: 'args',
    }),
    command('session list'),
    command('session kill', { parameters: [{ ...TEXT, key: 'name' }], positionals: ['name'] }),
    command('set-value', {
      parameters: [
        { ...TEXT, key: 'ref' },
        { ...TEXT, key: 'value' },
      ],
      positionals: ['ref', 'value'],
      secret: 'value',
    }),
    command('shoot', { parameters: [{ ...TEXT, key: 'path' }], positionals: ['path'] }),
  ],
};

const manual: Manual = {
  guide: '',
  groups: [],
  exitCodes: [],
  commands: Object.fromEntries(
    manifest.commands.map(({ name, parameters }) => [
      name,
      {
        group: 'g',
        summary: `${name}.`,
        parameters: Object.fromEntries(parameters.map(({ key }) => [key, 'A text.'])),
        examples: [],
      },
    ]),
  ),
};

/** What shells take for something else. */
const ODD = String.raw`$ ` + '` ' + String.raw`" ' \ ! # ~ * ? [ ] { } ( ) < > | & ; = ^ % - , : @ é`;

const HOSTILE = '$(touch /tmp/pwned) "x" `y`';

function live(changes: Partial<LiveAnswers> = {}): LiveAnswers {
  return {
    apps: async () => [
      { name: HOSTILE, pid: 1 },
      { name: 'KCalc', pid: 2 },
      { name: 'Twin', pid: 3 },
      { name: 'twin', pid: 4 },
      { name: 'line\nbreak', pid: 5 },
      { name: '--force', pid: 6 },
      { name: '\u202Egnp', pid: 7 },
      { name: '42', pid: 8 },
      { name: '', pid: 9 },
    ],
    windows: async () => [
      { ref: '@w1', title: HOSTILE, app: 'bad' },
      { ref: '@w2', title: 'Notes', app: 'Editor' },
      { ref: '@w3', title: 'Notes and more', app: 'Editor' },
      { ref: '@w4', title: 'a\u001B]0;x\u0007\nb', app: 'bad' },
    ],
    sessions: async () => ['default', 'mine'],
    elements: async () => [
      { ref: '@e3', role: 'button', name: 'OK' },
      { ref: '@e4', role: 'textbox', name: '' },
      { ref: '@e5', role: 'link', name: 'a\tb\n\u001B[31m' },
    ],
    ...changes,
  };
}

async function ask(shell: string, ...given: string[]): Promise<string[]> {
  let printed = '';
  await answerCompletion({
    argv: [shell, ...given.map((argument) => `=${argument}`)],
    environment: { PASSWORD: 'geheim', 'odd name': '' },
    manifest,
    manual: async () => manual,
    stdout: {
      write: (text, written) => {
        printed += text;
        setImmediate(written);
        return true;
      },
    },
    live: () => live(),
  });
  return printed.split('\n').slice(0, -1);
}

/** What zsh and fish are offered for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const [kind, ...lines] = await ask('fish', words.at(-1) ?? '', ...words.slice(0, -1));
  return kind === ':values' ? lines : [kind ?? ''];
}

const texts = (lines: readonly string[]) => lines.map((line) => line.split('\t')[0]);

describe('the offer contains', () => {
  it('commands with their summaries, and the words of longer names', async () => {
    expect(await offered('')).toEqual([
      'click\tclick.',
      'close-app\tclose-app.',
      'get\tget.',
      'launch\tlaunch.',
      'session\tlist, kill',
      'set-value\tset-value.',
      'shoot\tshoot.',
    ]);
    expect(texts(await offered('session', ''))).toEqual(['list', 'kill']);
    expect(texts(await offered('help', 'cl'))).toContain('click');
    expect(await offered('nope', '')).toEqual([]);
  });

  it('flags that are not yet used', async () => {
    expect(texts(await offered('get', '--'))).toEqual(
      expect.arrayContaining(['--app', '--window', '--format']),
    );
    expect(texts(await offered('get', '--app', 'x', '-f', '--'))).not.toContain('--app');
    expect(texts(await offered('get', '--app=x', '--'))).not.toContain('--app');
    expect(texts(await offered('set-value', '-'))).toEqual(
      expect.arrayContaining(['--from-stdin', '--from-env']),
    );
    expect(texts(await offered('-'))).toContain('--session');
    expect(texts(await offered('click', '@e3', ''))).toContain('--format');
  });

  it('choices, references, sessions, variables, files', async () => {
    expect(texts(await offered('get', ''))).toEqual(['value', 'role']);
    expect(texts(await offered('get', '--format', 'json', 'value', '@'))).toEqual(['@e3', '@e4', '@e5']);
    expect(texts(await offered('get', '--format='))).toEqual([
      '--format=json',
      '--format=human',
      '--format=outline',
      '--format=text',
      '--format=quiet',
    ]);
    expect(texts(await offered('--session', ''))).toEqual(['default', 'mine']);
    expect(texts(await offered('session', 'kill', ''))).toEqual(['default', 'mine']);
    expect(texts(await offered('set-value', '@e3', '--from-env', ''))).toEqual(['PASSWORD']);
    expect(await offered('shoot', '')).toEqual([':files']);
    expect(await offered('launch', 'x', '--', '')).toEqual([':files']);
    expect(await offered('set-value', '@e3', '')).toEqual([]);
  });

  it('references with role and name, without control characters', async () => {
    expect(await offered('click', '')).toEqual([
      '@e3\tbutton "OK"',
      '@e4\ttextbox',
      String.raw`@e5${'\t'}link "a\tb\n\u001b[31m"`,
    ]);
  });

  it('applications by name if it is typable and unique, else by process id', async () => {
    expect(texts(await offered('close-app', ''))).toEqual([
      HOSTILE,
      'KCalc',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
    ]);
    expect(texts(await offered('get', '--app='))).toEqual(
      [HOSTILE, 'KCalc', '3', '4', '5', '6', '7', '8', '9'].map((text) => `--app=${text}`),
    );
  });

  it('windows by reference, and by title if it is unique', async () => {
    expect(texts(await offered('get', '--window', ''))).toEqual([
      '@w1',
      '@w2',
      '@w3',
      '@w4',
      HOSTILE,
      'Notes and more',
    ]);
    expect(texts(await offered('get', '-w', '@'))).toEqual(['@w1', '@w2', '@w3', '@w4']);
  });

  it('no line that could break out of its quoting', async () => {
    for (const words of [
      ['click', ''],
      ['close-app', ''],
      ['get', '--window', ''],
    ])
      for (const line of await offered(...words)) {
        expect(line.split('\t').length).toBeLessThanOrEqual(2);
        expect(line.replace('\t', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
      }
  });

  it('nothing after an error', async () => {
    const stdout = { write: () => expect.fail('printed') };
    const parts = { environment: {}, manifest, manual: async () => manual, stdout };
    const failing = () => live({ apps: () => Promise.reject(new Error('late')) });
    const argv = ['fish', '=', '=close-app'];
    expect(await answerCompletion({ ...parts, argv, live: failing })).toBe(1);
    expect(await answerCompletion({ ...parts, argv: [] })).toBe(0);
  });
});

describe('the session', () => {
  it('is the one on the command line', () => {
    expect(positionOf(['--session', 'a', 'click'], '', manifest).session).toBe('a');
    expect(positionOf(['click', '--session=b'], '', manifest).session).toBe('b');
    expect(positionOf(['click'], '', manifest).session).toBeUndefined();
  });
});

describe('bash', () => {
  const bash = (line: string, replaced: string, key = '9') => ask('bash', line, replaced, key);

  it('receives candidates quoted for the end of its line', async () => {
    const escaped = String.raw`\$\(touch\ /tmp/pwned\)\ \"x\"\ \`y\``;
    expect(await bash('desk close-app $', '$')).toEqual([':values', escaped]);
    expect(await bash('desk close-app "$', '$')).toEqual([
      ':values',
      String.raw`\$(touch /tmp/pwned) \"x\" \`y\``,
    ]);
    expect(await bash("desk close-app '$", '$')).toEqual([':values', HOSTILE]);
    expect(await bash('desk get --app=$', '$')).toEqual([':values', escaped]);
    expect(await bash('desk get --app=KC', 'KC')).toEqual([':values', 'KCalc']);
  });

  it('receives a candidate in another case only if it is the only one', async () => {
    expect(await bash('desk close-app kc', 'kc')).toEqual([':values', 'KCalc']);
    expect(await bash('desk CL', 'CL')).toEqual([':values']);
  });

  it('receives descriptions only in a displayed list', async () => {
    expect(await bash('desk cl', 'cl', '63')).toEqual([
      ':values',
      'click      (click.)',
      'close-app  (close-app.)',
    ]);
    expect(await bash('desk cl', 'cl', '9')).toEqual([':values', 'click', 'close-app']);
    expect(await bash('desk clo', 'clo', '63')).toEqual([':values', 'close-app']);
  });

  it('has its line parsed as bash does', () => {
    expect(readBashLine(String.raw`desk a\ b 'c d' "e\"f"g x\ `, String.raw`x\ `)).toMatchObject({
      words: ['a b', 'c d', 'e"fg'],
      current: 'x ',
      context: 'bare',
    });
    expect(readBashLine('desk x ', '')).toMatchObject({ words: ['x'], current: '' });
    expect(readBashLine(`desk --a='My`, 'My')).toMatchObject({
      current: '--a=My',
      context: 'single',
      kept: '--a=',
    });
    expect(readBashLine('desk a\\', 'a\\')).toMatchObject({ current: 'a' });
  });

  it('reads any quoted text back unchanged', () => {
    const odd = constantFrom(...ODD.split(' '), ' ', '\u{1F600}');
    const samples: string[] = [];
    assert(
      property(
        array(oneof(odd, string({ unit: 'grapheme-composite', maxLength: 2 })), { maxLength: 12 }),
        (parts) => {
          const text = parts.join('').replaceAll(/\p{Cc}|\p{Cs}/gu, '');
          if (text !== '') samples.push(text);
        },
      ),
      { seed: 11, numRuns: 400 },
    );
    const words = samples.flatMap((text) => {
      const bare = quoteForBash(text, 'bare');
      const single = `'${quoteForBash(text, 'single')}'`;
      const inside = quoteForBash(text, 'double');
      const double = inside === undefined ? single : `"${inside}"`;
      return [bare, single, double];
    });
    const script = `printf '%s\\0' ${words.join(' ')}`;
    const seen = execFileSync('bash', ['--norc'], { input: script, encoding: 'utf8' });
    expect(seen.split('\0').slice(0, -1)).toEqual(samples.flatMap((text) => [text, text, text]));
    expect(quoteForBash('a!b', 'double')).toBeUndefined();
  });
});

describe('PowerShell', () => {
  it('has special characters quoted, including typographic quotation marks', () => {
    expect(quoteForPowerShell('--app')).toBe('--app');
    expect(quoteForPowerShell('@e3')).toBe("'@e3'");
    expect(quoteForPowerShell("it's \u2019$(x)")).toBe("'it''s \u2019\u2019$(x)'");
  });
});

it('each shell has a script that evaluates nothing', () => {
  expect([...COMPLETION_SCRIPTS.keys()]).toEqual(['bash', 'zsh', 'fish', 'powershell']);
  for (const script of COMPLETION_SCRIPTS.values()) {
    expect(script).toContain('__complete');
    const code = script.split('\n').filter((line) => !line.startsWith('#'));
    expect(code.join('\n')).not.toMatch(/\beval\b|compgen|Invoke-Expression/);
  }
});
