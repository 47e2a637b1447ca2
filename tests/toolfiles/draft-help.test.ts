import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { draftToolFile } from '../../src/toolfiles/draft/draft-tool-file.ts';
import { guessType } from '../../src/toolfiles/draft/guess-type.ts';
import { helpLines } from '../../src/toolfiles/draft/help-text.ts';
import { parseOptionSpec } from '../../src/toolfiles/draft/option-spec.ts';
import { parse } from './support/tool-file.ts';

describe('lines with options', () => {
  it.each<[string, string, string | undefined]>([
    ['GNU', '  -f, --file=FILE            read FILE', '-f --file=FILE | read FILE'],
    [
      'GNU with a value that may be left out',
      '      --color[=WHEN]         colours',
      '--color=[WHEN] | colours',
    ],
    ['GNU with both', '  -C DIRECTORY, --directory=DIRECTORY', '-C DIRECTORY --directory=DIRECTORY | '],
    ['argparse', '  -o OUT, --output OUT  where to', '-o OUT --output OUT | where to'],
    ['argparse with choices', '  --level {low,high}    how much', '--level low,high | how much'],
    ['clap', '  -p, --package [<SPEC>]  Package to build', '-p --package [SPEC] | Package to build'],
    [
      'clap with repetition',
      '  -v, --verbose...           Use verbose output',
      '-v --verbose… | Use verbose output',
    ],
    ['commander', '  -p, --port <number>    port', '-p --port number | port'],
    ['cobra', '  -l, --label strings        Add labels', '-l --label strings | Add labels'],
    ['click', '  --shout / --no-shout  Loud.', '--shout --no-shout | Loud.'],
    ['click with choices', '  --format [json|text]  How.', '--format json|text | How.'],
    [
      'curl',
      ' -u, --user <user:password> Server user and password',
      '-u --user user:password | Server user and password',
    ],
    ['node', '  --cpu-prof-dir=...          Directory', '--cpu-prof-dir=... | Directory'],
    ['python', '-W arg : warning control', '-W arg | warning control'],
    ['git', '    --[no-]status         include status', '--status | include status'],
    ['npm', '  -w|--workspace', '-w --workspace | '],
    ['go', '        -buildmode mode', '-buildmode mode | '],
    ['two values', '  --arg a v        set variable', undefined],
    ['a sentence', '  - first do this', undefined],
    ['a rule', '  -----------', undefined],
    ['text behind a flag', '  --foo is not an option here', undefined],
  ])('%s', (_, line, expected) => {
    const spec = parseOptionSpec(line);
    const flags = spec?.flags.map(({ flag, value, isOptional, join, isRepeated }) => {
      const shown = value === undefined ? '' : isOptional ? `[${value}]` : value;
      return `${flag}${shown === '' ? '' : join === '=' ? '=' : ' '}${shown}${isRepeated ? '…' : ''}`;
    });
    expect(spec === undefined ? undefined : `${flags?.join(' ')} | ${spec.rest}`).toBe(expected);
  });
});

describe('types of values', () => {
  it.each([
    ['FILE', '', 'string path'],
    ['output-dir', '', 'string path'],
    ['path/url', '', 'string'],
    ['NUM', '', 'integer'],
    ['int', '', 'integer'],
    ['float', '', 'number'],
    ['WHEN', '', 'string'],
    ['a,b,c', '', 'string a|b|c'],
    ['open|closed', '', 'string open|closed'],
    ['file|url', '', 'string'],
    ['FMT', 'Error format [possible values: human, short, json]', 'string human|short|json'],
    ['type', 'the type (choices: "x", "y")', 'string x|y'],
    ['string', 'Filter by state: {open|closed|all}', 'string open|closed|all'],
    ['list', 'Add labels', 'array'],
    ['GLOB', 'Multiple globs; may be given multiple times', 'array'],
    ['file', 'This option can be used multiple times.', 'array path'],
  ])('%s, "%s": %s', (value, description, expected) => {
    const { type, enum: values, isPath } = guessType({ value, description, isRepeated: false });
    expect(
      [type, ...(values === undefined ? [] : [values.join('|')]), ...(isPath ? ['path'] : [])].join(' '),
    ).toBe(expected);
  });
});

it('ignores terminal sequences', () => {
  expect(
    helpLines('\u001B[1mUsage:\u001B[0m x\r\n\tb\u0008bold\n\u001B]8;;http://a\u0007link\u001B]8;;\u0007  '),
  ).toEqual(['Usage: x', '        bold', 'link']);
});

/** A program that answers by its words; anything else is an error. */
function program(answers: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  return {
    asked,
    run: async ([, ...words]: readonly string[]) => {
      const line = words.join(' ');
      asked.push(line);
      const stdout = answers[line];
      return stdout === undefined
        ? { exitCode: 2, stdout: '', stderr: 'no such command' }
        : { exitCode: 0, stdout, stderr: '' };
    },
  };
}

describe('styles of programs', () => {
  it('argparse with subcommands in braces', async () => {
    const { run, asked } = program({
      '--help':
        'usage: tool [-h] {build,clean} ...\n\nBuilds things of a kind.\n\npositional arguments:\n  {build,clean}\n    build        build all\n    clean        remove it\n\noptions:\n  -h, --help     show this help message and exit\n',
      'build --help':
        'usage: tool build [-h] [--jobs N] source [source ...]\n\npositional arguments:\n  source      what to build\n\noptions:\n  -h, --help  show this help message and exit\n  --jobs N    at once\n',
      'clean --help':
        'usage: tool clean [-h] [-n]\n\noptions:\n  -h, --help     show this help message and exit\n  -n, --dry-run  only look\n',
    });
    const { tool } = await draftToolFile('tool', { run });
    expect(tool).toEqual({
      name: 'tool',
      description: 'Builds things of a kind.',
      command: 'tool',
      subcommand: [
        {
          name: 'build',
          description: 'build all',
          options: [{ name: 'jobs', type: 'integer', description: 'at once' }],
        },
        {
          name: 'clean',
          description: 'remove it',
          options: [{ name: 'dry-run', type: 'boolean', description: 'only look' }],
        },
      ],
    });
    expect(asked).toEqual(['--help', 'build --help', 'clean --help']);
  });

  it('cobra in two levels, without inherited flags', async () => {
    const { run } = program({
      '--help':
        'Work with things.\n\nUsage:\n  tool [command]\n\nAvailable Commands:\n  completion  Generate the autocompletion script\n  help        Help about any command\n  repo        Manage repositories\n\nFlags:\n      --debug   debug output\n  -h, --help    help for tool\n',
      'repo --help':
        'Manage repositories\n\nUsage:\n  tool repo [command]\n\nAvailable Commands:\n  add         add a repository\n  ls          list repositories\n\nGlobal Flags:\n      --debug   debug output\n',
      'repo add --help':
        'add a repository\n\nUsage:\n  tool repo add [NAME] [URL] [flags]\n\nFlags:\n      --ca-file string   verify certificates\n  -h, --help             help for add\n      --insecure         skip checks\n\nGlobal Flags:\n      --debug   debug output\n',
      'repo ls --help':
        'list repositories\n\nUsage:\n  tool repo ls [flags]\n\nFlags:\n  -o, --output format   prints in this format: {table|json} (default table)\n',
    });
    const { tool } = await draftToolFile('tool', { run });
    expect(tool.subcommand).toEqual([
      {
        name: 'repo',
        description: 'Manage repositories',
        subcommand: [
          {
            name: 'add',
            description: 'add a repository',
            options: [
              { name: 'ca-file', type: 'string', description: 'verify certificates' },
              { name: 'insecure', type: 'boolean', description: 'skip checks' },
            ],
            positional_args: [
              { name: 'name', type: 'string', description: 'The argument NAME of the command line.' },
              { name: 'url', type: 'string', description: 'The argument URL of the command line.' },
            ],
          },
          {
            name: 'ls',
            description: 'list repositories',
            options: [
              {
                name: 'output',
                type: 'string',
                description: 'prints in this format: {table|json} (default table)',
                enum: ['table', 'json'],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('clap with arguments, including those after "--"', async () => {
    const { run } = program({
      '--help':
        'Find text\n\nUsage: tool [OPTIONS] <PATTERN> [PATH]... [-- <EXTRA>...]\n\nArguments:\n  <PATTERN>  What to find\n  [PATH]...  Where\n\nOptions:\n  -A, --after-context <NUM>  Lines after\n      --session <NAME>       A session\n  -h, --help                 Print help\n  -V, --version              Print version\n',
    });
    const { tool, leftOut } = await draftToolFile('/usr/bin/tool', { run });
    expect(tool).toEqual({
      name: 'tool',
      description: 'Find text',
      command: '/usr/bin/tool',
      options: [
        { name: 'after-context', type: 'integer', description: 'Lines after' },
        { name: 'session-option', type: 'string', description: 'A session', flag: '--session' },
      ],
      // Nothing can follow a list.
      positional_args: [
        { name: 'pattern', type: 'string', description: 'What to find', required: true },
        { name: 'path', type: 'array', description: 'Where', format: 'path' },
      ],
    });
    expect(leftOut).toEqual([]);
  });

  it('alternatives to --help only if the program documents them', async () => {
    const silent = program({ '--help': 'Usage: tool COMMAND\n\nCommands:\n  one   first\n  two   second\n' });
    await draftToolFile('tool', { run: silent.run });
    expect(silent.asked).toEqual(['--help', 'one --help', 'two --help']);
    const named = program({
      '--help': 'Usage: tool [-h | --help] COMMAND\n\nCommands:\n  one   first\n\nSee tool help <command>.\n',
      'one -h': 'usage: tool one [-x]\n\n    -x    extra\n',
    });
    const { tool } = await draftToolFile('tool', { run: named.run });
    expect(named.asked).toEqual(['--help', 'one --help', 'help one', 'one -h']);
    expect(tool.subcommand?.[0]?.options?.[0]).toMatchObject({ name: 'x', type: 'boolean' });
  });
});

describe('bounds', () => {
  const rows = Array.from({ length: 300 }, (_, n) => `  cmd${n}   does ${n}`).join('\n');
  it('reads a limited number of texts, and reports the rest', async () => {
    const { run, asked } = program({ '--help': `Usage: tool COMMAND\n\nCommands:\n${rows}\n` });
    const { tool, leftOut } = await draftToolFile('tool', { run, mostTexts: 10 });
    expect(asked).toHaveLength(10);
    expect(tool.subcommand).toHaveLength(9);
    expect(leftOut).toContain('"tool cmd299": at most 10 help texts are read');
  });

  it('reads a limited number of levels', async () => {
    const level = 'Usage: tool COMMAND\n\nCommands:\n  down   deeper\n  side   beside\n';
    let deepest = 0;
    await expect(
      draftToolFile('tool', {
        run: async ([, ...words]) => {
          deepest = Math.max(deepest, words.length);
          return { exitCode: 0, stdout: level, stderr: '' };
        },
      }),
    ).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
    expect(deepest).toBe(3);
  });

  it('ends when cancelled', async () => {
    const ended = new AbortController();
    const { run } = program({ '--help': `Usage: tool COMMAND\n\nCommands:\n${rows}\n` });
    const draft = draftToolFile('tool', {
      run: (command, limits) => {
        if (command.length > 2) ended.abort();
        return run(command).finally(() => limits);
      },
      signal: ended.signal,
    });
    await expect(draft).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it.each([
    ['nothing', ''],
    ['an error', undefined],
  ])('a program that prints %s', async (_, said) => {
    const { run } = program(said === undefined ? {} : { '--help': said });
    await expect(draftToolFile('tool', { run })).rejects.toMatchObject({
      code: 'TOOL_NOT_FOUND',
      message: '"tool" prints no help with --help.',
    });
  });

  it.each([
    ['flags without end', `Usage: x\n\n  ${'-a, '.repeat(100_000)}`],
    ['brackets without end', `Usage: x ${'['.repeat(200_000)}\n${'--a <'.repeat(80_000)}`],
    ['lines without end', `Usage: x\n\nOptions:\n${'  -a\n'.repeat(80_000)}`],
    ['descriptions without end', `Usage: x\n\nOptions:\n  -a\n${'      text\n'.repeat(40_000)}`],
    [
      'commands without end',
      `Usage: x COMMAND\n\nCommands:\n${Array.from({ length: 20_000 }, (_, n) => `  c${n}  x`).join('\n')}`,
    ],
    ['space without end', `Usage: x\n\n${' '.repeat(400_000)}x`],
    ['words without end', `Usage: ${'x '.repeat(200_000)}\n`],
  ])('survives %s', async (_, text) => {
    const before = performance.now();
    await draftToolFile('tool', {
      run: async () => ({ exitCode: 0, stdout: text, stderr: '' }),
      mostTexts: 5,
    }).then(
      ({ text: json }) => expect(parse(json).problems).toBeUndefined(),
      (error: unknown) => expect(error).toMatchObject({ code: expect.stringMatching(/^TOOL_/) }),
    );
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it('a draft is valid for any help text', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'Usage: tool ',
        'usage:\n',
        '[OPTIONS]',
        'COMMAND',
        '<FILE>',
        '[FILE]...',
        '--',
        '[--]',
        'Commands:\n',
        'Options:\n',
        '  -a, --all',
        '  --b=<x|y>',
        '  --b <N>',
        '[=C]',
        '   text here.',
        '\n',
        '  cmd   does it\n',
        '{a,b}',
        '\t',
        '  -',
        '  --working-directory DIR',
        ', ',
        '|',
        '...',
        '  --[no-]x',
        '\u001B[1m',
      ),
      fc.string({ maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const text = pieces.join('');
        const outcome = await draftToolFile('tool', {
          run: async () => ({ exitCode: 0, stdout: text, stderr: '' }),
          mostTexts: 6,
        }).then(
          ({ text: json }) => parse(json).problems ?? 'good',
          (error: unknown) => (error instanceof DeskterityError ? error.code : error),
        );
        expect(['good', 'TOOL_NOT_FOUND']).toContain(outcome);
      }),
      { numRuns: 800 },
    );
  });
});
