import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { commandArguments } from '../../src/toolfiles/run/command-line.ts';
import type { ToolArguments } from '../../src/toolfiles/run/tool-input.ts';
import { createPrograms } from './support/programs.ts';
import { toolOf } from './support/tool-file.ts';

const base = { name: 'tool', description: 'x', command: 'tool' };
const option = (name: string, type: string, more: object = {}) => ({ name, type, description: 'x', ...more });

/** The arguments of a tool that has these options and arguments. */
function line(file: object, given: ToolArguments, name?: string): string[] {
  return commandArguments(toolOf({ ...base, ...file }, name), given);
}

describe('options', () => {
  it.each<[string, object, ToolArguments[string], string[]]>([
    ['a switch that is on', option('dry-run', 'boolean'), true, ['--dry-run']],
    ['a switch that is off', option('dry-run', 'boolean'), false, []],
    ['a text', option('message', 'string'), 'one two', ['--message', 'one two']],
    ['an empty text', option('message', 'string'), '', ['--message', '']],
    ['an empty text after "="', option('message', 'string', { separator: '=' }), '', ['--message=']],
    ['one letter', option('m', 'string'), 'x', ['-m', 'x']],
    ['a flag of its own', option('message', 'string', { flag: '-m' }), 'x', ['-m', 'x']],
    [
      'a flag of one dash',
      option('run', 'string', { flag: '-run', separator: '=' }),
      '^Test',
      ['-run=^Test'],
    ],
    ['a number', option('jobs', 'integer'), 4, ['--jobs', '4']],
    ['a fraction', option('ratio', 'number', { separator: '=' }), 0.5, ['--ratio=0.5']],
    ['a negative number', option('offset', 'integer'), -3, ['--offset=-3']],
    ['a list', option('label', 'array'), ['a', '', 'b c'], ['--label', 'a', '--label', '', '--label', 'b c']],
    ['an empty list', option('label', 'array'), [], []],
    ['a value like a flag', option('message', 'string'), '--amend', ['--message=--amend']],
    [
      'a value like a flag that the program takes',
      option('m', 'string', { allow_leading_dash: true }),
      '-x',
      ['-m', '-x'],
    ],
    ['a dash', option('file', 'string'), '-', ['--file', '-']],
    ['a file like a flag', option('f', 'string', { format: 'path' }), '-x', ['-f', './-x']],
    [
      'what a shell would look at',
      option('message', 'string'),
      '$(id) `id` ; * "\'\n',
      ['--message', '$(id) `id` ; * "\'\n'],
    ],
  ])('%s', (_, declared, value, expected) => {
    const { name } = declared as { name: string };
    expect(line({ options: [declared] }, { [name.replaceAll('-', '_')]: value })).toEqual(expected);
  });

  it.each([
    ['a short flag', option('message', 'string', { flag: '-m' })],
    ['a separator that is fixed', option('message', 'string', { separator: 'space' })],
  ])('a value like a flag is refused after %s', (_, declared) => {
    expect(() => line({ options: [declared] }, { message: '--exec=x' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'tool: message is "--exec=x", which tool could read as an option.',
      }),
    );
  });
});

describe('words and levels', () => {
  const compose = {
    options: [option('context', 'string')],
    subcommand: [
      {
        name: 'compose',
        description: 'x',
        options: [option('file', 'array')],
        subcommand: [
          {
            name: 'up',
            description: 'x',
            options: [option('detach', 'boolean')],
            positional_args: [option('services', 'array')],
          },
          { name: 'default', description: 'x', options: [option('all', 'boolean')] },
          { name: 'test', description: 'x', words: ['-m', 'pytest'] },
          { name: 'bare', description: 'x', words: [] },
        ],
      },
    ],
  };
  it.each<[string, ToolArguments, string[]]>([
    [
      'tool_compose_up',
      { context: 'c', file: ['a', 'b'], detach: true, services: ['web'] },
      ['--context', 'c', 'compose', '--file', 'a', '--file', 'b', 'up', '--detach', 'web'],
    ],
    ['tool_compose', { all: true }, ['compose', '--all']],
    ['tool_compose_test', { file: ['a'] }, ['compose', '--file', 'a', '-m', 'pytest']],
    ['tool_compose_bare', {}, ['compose']],
  ])('%s', (name, given, expected) => {
    expect(line(compose, given, name)).toEqual(expected);
  });
});

describe('bare arguments', () => {
  const two = [option('from', 'string'), option('to', 'string'), option('rest', 'array')];
  const guarded = [
    option('revision', 'string'),
    option('paths', 'array', { after_double_dash: true, format: 'path' }),
  ];
  it.each<[string, object, ToolArguments, string[]]>([
    [
      'in the order of the file',
      { positional_args: two },
      { rest: ['3', '4'], to: '2', from: '1' },
      ['1', '2', '3', '4'],
    ],
    ['empty texts are kept', { positional_args: two }, { from: '', to: '' }, ['', '']],
    [
      '"--" where one begins with a dash',
      { positional_args: two, double_dash: true },
      { from: 'a', to: '-x' },
      ['--', 'a', '-x'],
    ],
    [
      'no "--" where none does',
      { positional_args: two, double_dash: true },
      { from: 'a', to: '-' },
      ['a', '-'],
    ],
    [
      '"--" always before some',
      { positional_args: guarded },
      { revision: 'main', paths: ['-x', 'a b'] },
      ['main', '--', '-x', 'a b'],
    ],
    ['what is before "--" may be missing', { positional_args: guarded }, { paths: ['a'] }, ['--', 'a']],
    [
      'no "--" without what follows it',
      { positional_args: guarded },
      { revision: 'main', paths: [] },
      ['main'],
    ],
    [
      'a dash that the program takes',
      { positional_args: [option('args', 'array', { allow_leading_dash: true })] },
      { args: ['-v', '--'] },
      ['-v', '--'],
    ],
    [
      'a file like a flag',
      { positional_args: [option('file', 'string', { format: 'path' })] },
      { file: '-rf' },
      ['./-rf'],
    ],
  ])('%s', (_, file, given, expected) => {
    expect(line(file, given)).toEqual(expected);
  });

  it.each<[string, object, ToolArguments, string]>([
    [
      'like a flag',
      { positional_args: two },
      { from: '--upload-pack=x' },
      'tool: from is "--upload-pack=x", which tool could read as an option.',
    ],
    [
      'like a flag where "--" is needed further on',
      { positional_args: guarded, double_dash: true },
      { revision: '-x', paths: ['a'] },
      'tool: revision is "-x", which tool could read as an option.',
    ],
    [
      'behind one that is missing',
      { positional_args: two },
      { to: 'x' },
      'tool: to needs from, which comes before it.',
    ],
    [
      'with NUL',
      { positional_args: two },
      { from: 'a\0b' },
      'tool: from contains a NUL character, which commands cannot receive.',
    ],
    [
      'too long for the system',
      { positional_args: two },
      { from: 'x'.repeat(131_072) },
      'tool: an argument is 131072 bytes long, but the system allows at most 131071.',
    ],
    [
      'too long together',
      { positional_args: two },
      { from: 'a', to: 'b', rest: Array.from({ length: 200 }, () => 'x'.repeat(10_000)) },
      'tool: the arguments are 2000204 bytes long in total, but at most 1500000 are allowed.',
    ],
  ])('refused: %s', (_, file, given, message) => {
    expect(() => line(file, given)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', message }));
  });
});

/** What something fails with. */
function codeOf(doIt: () => unknown): unknown {
  try {
    doIt();
  } catch (error) {
    return error instanceof DeskterityError ? error.code : error;
  }
  return undefined;
}

it('accepts as many values as an input can have', () => {
  const lists = Array.from({ length: 30 }, (_, n) => option(`list${n}`, 'array'));
  const given = Object.fromEntries(
    lists.map(({ name }) => [name, Array.from({ length: 10_000 }, () => 'x')]),
  );
  expect(() => line({ options: lists }, given)).toThrow(/the arguments are \d+ bytes long in total/);
});

describe('with any values', () => {
  const file = {
    double_dash: true,
    options: [
      option('text', 'string'),
      option('joined', 'string', { separator: '=' }),
      option('items', 'array'),
      option('count', 'integer'),
      option('on', 'boolean'),
      option('other', 'boolean'),
    ],
    positional_args: [option('first', 'string', { required: true }), option('rest', 'array')],
  };
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
    fc.constantFrom(
      '',
      '-',
      '--',
      '--on',
      '--text',
      '--text=x',
      '-o',
      '--no-on',
      '=',
      ' ',
      '--items=',
      '-1',
      '@file',
      '$HOME',
      '\n',
      '"',
      "'",
    ),
  );
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const input = fc.record({
    text: optional(text),
    joined: optional(text),
    items: optional(fc.array(text, { maxLength: 4 })),
    count: optional(fc.integer()),
    on: optional(fc.boolean()),
    other: optional(fc.boolean()),
    first: text,
    rest: optional(fc.array(text, { maxLength: 4 })),
  });

  it('another parser reads back exactly what was given: no value becomes a flag', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { values, positionals } = parseArgs({
          args: line(file, given),
          allowPositionals: true,
          options: {
            text: { type: 'string' },
            joined: { type: 'string' },
            items: { type: 'string', multiple: true },
            count: { type: 'string' },
            on: { type: 'boolean' },
            other: { type: 'boolean' },
          },
        });
        expect(positionals).toEqual([given.first, ...(given.rest ?? [])]);
        expect(values.text).toBe(given.text);
        expect(values.joined).toBe(given.joined);
        expect(values.items ?? []).toEqual(given.items ?? []);
        expect(values.count).toBe(given.count?.toString());
        expect(values.on ?? false).toBe(given.on ?? false);
        expect(values.other ?? false).toBe(given.other ?? false);
      }),
      { numRuns: 300 },
    );
  });

  it('without "--", each value is refused or in its place', () => {
    fc.assert(
      fc.property(input, (given) => {
        const tail = [given.first, ...(given.rest ?? [])];
        const isRefused = tail.some((value) => value.length > 1 && value.startsWith('-'));
        const made = () => line({ ...file, double_dash: false }, given);
        const outcome = isRefused ? codeOf(made) : made().slice(-tail.length);
        expect(outcome).toEqual(isRefused ? 'INVALID_ARGUMENT' : tail);
      }),
      { numRuns: 200 },
    );
  });

  it('meta-parameters never reach the command', () => {
    const args = line(file, {
      first: 'x',
      working_directory: '/w',
      execution_mode: 'sync',
      timeout_seconds: 5,
    });
    expect(args).toEqual(['x']);
  });
});

it('a real program receives the arguments unchanged, without a shell', async () => {
  const given = ['$HOME', '`id`', '$(id)', '; echo x', '*', '', ' a  b ', '"', "'", '\\', 'ünï 😀', '\n'];
  const args = line({ positional_args: [option('rest', 'array')] }, { rest: given });
  const { stdout } = await createPrograms().run(
    [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args],
    {
      timeoutMs: 10_000,
    },
  );
  expect(JSON.parse(stdout)).toEqual(given);
});
