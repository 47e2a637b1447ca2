import { describe, expect, it } from 'vitest';
import { manifest } from '../../../src/surfaces/cli/arguments/manifest.generated.ts';
import type { Manifest } from '../../../src/surfaces/cli/arguments/manifest.ts';
import { formatOf, parseLine } from '../../../src/surfaces/cli/arguments/parse.ts';
import { UsageError } from '../../../src/surfaces/cli/arguments/usage-error.ts';

function run(...argv: string[]) {
  const parsed = parseLine(argv, manifest);
  if (parsed.kind !== 'run') throw new Error(`a ${parsed.kind} line`);
  return { command: parsed.command.name, input: parsed.input, globals: parsed.globals };
}

function mistake(...argv: string[]): string {
  try {
    parseLine(argv, manifest);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.suggestion}`;
    throw error;
  }
  throw new Error('no mistake was seen');
}

describe('flags', () => {
  it.each([
    [['snapshot', '--app', 'KCalc'], { app: 'KCalc' }],
    [['snapshot', '--app=KCalc'], { app: 'KCalc' }],
    [['snapshot', '--app='], { app: '' }],
    [['snapshot', '--app=a=b'], { app: 'a=b' }],
    [['snapshot', '--app', ''], { app: '' }],
    [['snapshot', '--app', '-'], { app: '-' }],
    [['snapshot', '--app=--x'], { app: '--x' }],
    [['snapshot', '--max-depth', '-1'], { max_depth: -1 }],
    [['snapshot', '--max-depth=3'], { max_depth: 3 }],
    [['snapshot', '--max-depth', '1.5'], { max_depth: 1.5 }],
    [['snapshot', '--timeout', '1e3'], { timeout_ms: 1000 }],
    [['snapshot', '-i'], { interactive_only: true }],
    [['snapshot', '-ic'], { interactive_only: true, compact: true }],
    [['snapshot', '--compact', '--no-interactive-only'], { compact: true, interactive_only: false }],
    [['snapshot', '--compact=false'], { compact: false }],
    [['snapshot', '--compact', '--compact'], { compact: true }],
    [['tree', '-c'], { compact: true }],
  ])('%j', (argv, input) => {
    expect(run(...argv)).toMatchObject({ command: 'snapshot', input });
    expect(run(...argv).input).toEqual(input);
  });

  it.each([
    [
      ['snapshot', '--bogus'],
      'desk snapshot has no flag --bogus. Run "desk snapshot --help" to see its flags.',
    ],
    [['snapshot', '--max-dept', '3'], 'desk snapshot has no flag --max-dept. Did you mean --max-depth?'],
    [['snapshot', '--max_depth', '3'], 'desk snapshot has no flag --max_depth. Did you mean --max-depth?'],
    [
      ['click', 'role:button', '--app', 'x'],
      'desk click has no flag --app. A locator can name the application: "app:NAME >> role:button[name=OK]". A reference needs none.',
    ],
    [['snapshot', '-app', 'x'], 'desk snapshot has no flag -app. Did you mean --app?'],
    [['snapshot', '--no-app'], 'desk snapshot has no flag --no-app. Did you mean --app?'],
    [['snapshot', '--no-compact=true'], 'desk snapshot has no flag --no-compact. Did you mean --compact?'],
    [
      ['snapshot', '--version'],
      'desk snapshot has no flag --version. Run "desk snapshot --help" to see its flags.',
    ],
    [['snapshot', '--app'], '--app needs a value. Write --app VALUE.'],
    [
      ['snapshot', '--app', '--compact'],
      '--app needs a value. Write a value that starts with a dash as --app=--compact',
    ],
    [
      ['snapshot', '--max-depth', 'deep'],
      '--max-depth is "deep"; expected a number. Run "desk snapshot --help" to see its parameters.',
    ],
    [
      ['snapshot', '--compact=maybe'],
      '--compact is "maybe"; expected true or false. Write just --compact to enable it.',
    ],
    [['snapshot', '--app', 'a', '--app', 'b'], '--app is given twice, as "a" and "b". Give it once.'],
    [['list', 'windws'], 'Unknown command "list windws". Did you mean "desk list-windows"?'],
    [['list', 'windows', '--app', 'x'], 'Unknown command "list windows". Did you mean "desk list-windows"?'],
    [['windows', 'list'], 'Unknown command "windows list". Did you mean "desk list-windows"?'],
    [['window', 'focus'], 'Unknown command "window focus". Did you mean "desk focus-window"?'],
    [['focus', 'window'], 'Unknown command "focus window". Did you mean "desk focus-window"?'],
    [['clipbord', 'get'], 'Unknown command "clipbord get". Did you mean "desk clipboard get"?'],
    [['clipbord', 'gte'], 'Unknown command "clipbord gte". Did you mean "desk clipboard get"?'],
    [['new', 'session'], 'Unknown command "new session". Did you mean "desk session new"?'],
    [['apps', 'list'], 'Unknown command "list-apps list". Did you mean "desk list-apps"?'],
    [['snapshto'], 'Unknown command "snapshto". Did you mean "desk snapshot"?'],
    [['mcp', 'instal'], 'Unknown command "mcp instal". Did you mean "desk mcp install"?'],
    [
      ['mcp', 'xyz'],
      'desk mcp does not expect the argument "xyz". Usage: desk mcp [flags]. Text with spaces needs quotes.',
    ],
    [
      ['tools'],
      'Unknown command "tools"; there are tools call, tools init, tools list, tools login, tools logout, tools result, tools schema, tools trust, tools validate. Run "desk tools --help" to see the commands.',
    ],
    [
      ['tools', 'lst'],
      'Unknown command "tools lst"; there are tools call, tools init, tools list, tools login, tools logout, tools result, tools schema, tools trust, tools validate. Did you mean "desk tools list"?',
    ],
    [['zzzzzz'], 'Unknown command "zzzzzz". Run "desk --help" to see all commands.'],
    [['--sesion', 'x', 'snapshot'], 'desk has no flag --sesion. Did you mean --session?'],
    [
      ['click', '@e1', '@e2'],
      'desk click does not expect the argument "@e2". Usage: desk click <ref> [flags]. Text with spaces needs quotes.',
    ],
    [['wait', 'soon'], '<ms> is "soon"; expected a number. Run "desk wait --help" to see its parameters.'],
    [
      ['snapshot', '--format', 'xml'],
      '--format is "xml"; expected one of json, human, outline, text, quiet. Leave it out for the usual form.',
    ],
  ])('%j is explained', (argv, text) => {
    expect(mistake(...argv)).toBe(text);
  });
});

describe('bare arguments', () => {
  it.each([
    [['set-value', '@e1', '-5'], { ref: '@e1', value: '-5' }],
    [['set-value', '@e1', '-.5'], { ref: '@e1', value: '-.5' }],
    [['set-value', '@e1', '--', '--hello'], { ref: '@e1', value: '--hello' }],
    [['set-value', '--', '@e1', '-x'], { ref: '@e1', value: '-x' }],
    [['set-value', '@e1', ''], { ref: '@e1', value: '' }],
    [
      ['set-value', '@e1', '--clear-first', 'two words'],
      { ref: '@e1', value: 'two words', clear_first: true },
    ],
    [['wait', '500'], { ms: 500 }],
    [
      ['launch', 'kate', '--wait', '--', '--new', '-x', '--'],
      { app: 'kate', wait: true, args: ['--new', '-x', '--'] },
    ],
    [['launch', 'kate', '--'], { app: 'kate', args: [] }],
    [['get', 'tree-stats'], { property: 'tree-stats' }],
  ])('%j', (argv, input) => {
    expect(run(...argv).input).toEqual(input);
  });
});

describe('global flags', () => {
  it('may stand before and after the command', () => {
    expect(run('--session', 'a', 'snapshot', '--format=outline', '--pretty').globals).toEqual({
      session: 'a',
      format: 'outline',
      pretty: true,
      noDaemon: false,
      logLevel: undefined,
    });
    expect(run('snapshot').globals).toMatchObject({
      session: undefined,
      format: undefined,
      pretty: undefined,
    });
    expect(run('version', '--json', '--no-pretty').globals).toMatchObject({
      session: undefined,
      format: 'json',
      pretty: false,
    });
  });

  it('let --format of a screenshot apply to pictures and answers', () => {
    const parsed = run('screenshot', '--format', 'jpg', '--format', 'text');
    expect(parsed.input).toEqual({ format: 'jpg' });
    expect(parsed.globals.format).toBe('text');
    expect(run('screenshot', '--format', 'bmp').input).toEqual({ format: 'bmp' });
  });

  it.each([
    [[], undefined],
    [['--help'], undefined],
    [['-h'], undefined],
    [['help'], undefined],
    [['help', 'tree'], 'snapshot'],
    [['--help', 'snapshot'], 'snapshot'],
    [['snapshot', '--bogus', '--help'], 'snapshot'],
    [['snapshot', '-ih'], 'snapshot'],
  ])('%j requests help', (argv, name) => {
    const parsed = parseLine(argv, manifest);
    expect(parsed).toMatchObject({ kind: 'help' });
    expect(parsed.kind === 'help' && parsed.command?.name).toBe(name);
  });

  it.each([
    [['tools', '--help']],
    [['help', 'tools']],
    [['--help', 'tools']],
    [['tools', '-h', '--format', 'text']],
  ])('%j requests help for all commands with that first word', (argv) => {
    expect(parseLine(argv, manifest)).toEqual({ kind: 'help', command: undefined, family: 'tools' });
  });

  it.each([[['tools', 'lst', '--help']], [['nothing', '--help']], [['tools']]])(
    '%j is not a command',
    (argv) => {
      expect(() => parseLine(argv, manifest)).toThrow('Unknown command');
    },
  );

  it('--help after "--" belongs to the launched program', () => {
    expect(run('launch', 'kate', '--', '--help').input).toEqual({ app: 'kate', args: ['--help'] });
  });

  it('--version', () => {
    expect(parseLine(['--version'], manifest)).toEqual({ kind: 'version' });
    expect(parseLine(['-V'], manifest)).toEqual({ kind: 'version' });
  });

  it.each([
    [['snapshto'], undefined],
    [['snapshto', '--format', 'text'], 'text'],
    [['--format=quiet', 'snapshto'], 'quiet'],
    [['screenshot', '--format', 'png', '--bad'], undefined],
    [['launch', '--', '--format', 'text'], undefined],
  ])('the format of the invalid line %j', (argv, format) => {
    expect(formatOf(argv)).toBe(format);
  });
});

it('finds commands of several words by their longest name', () => {
  const base = {
    aliases: [],
    kind: 'read' as const,
    positionals: [],
  };
  const list = { key: 'item', flag: 'item', short: 'n', type: 'strings', required: false } as const;
  const wide: Manifest = {
    ...manifest,
    commands: [
      { ...base, name: 'clipboard', parameters: [] },
      { ...base, name: 'clipboard get', parameters: [list] },
    ],
  };
  const parsed = parseLine(['clipboard', 'get', '--item', 'a', '-nb', '-n', 'c'], wide);
  expect(parsed).toMatchObject({
    kind: 'run',
    command: { name: 'clipboard get' },
    input: { item: ['a', 'b', 'c'] },
  });
  expect(parseLine(['clipboard'], wide)).toMatchObject({ command: { name: 'clipboard' } });
});

describe('bare arguments', () => {
  it.each([
    [['type', 'hello'], { text: 'hello' }],
    [['type', '@e4', 'hello'], { ref: '@e4', text: 'hello' }],
    [['type', '@e4', '--from-stdin'], { ref: '@e4', from_stdin: true }],
    [['type', '--from-env', 'WORD'], { from_env: 'WORD' }],
    [['type', '--ref', '@e4', 'hello'], { ref: '@e4', text: 'hello' }],
    [['click', '--ref', '@e4'], { ref: '@e4' }],
    [['mouse', 'down', '--button', 'right'], { button: 'right' }],
    [['mouse', 'up', 'middle'], { button: 'middle' }],
    [['wait', '--value', '@e4', 'Ada'], { value: '@e4', is: 'Ada' }],
    [['wait', '--value', '@e4', '500', '--timeout', '9'], { value: '@e4', is: '500', timeout_ms: 9 }],
    [['wait', '--value=@e4', '--timeout', '9', '-5'], { value: '@e4', is: '-5', timeout_ms: 9 }],
    [['wait', '--value', '@e4', '--is', 'Ada'], { value: '@e4', is: 'Ada' }],
    [['wait', '500'], { ms: 500 }],
    [['toggle', '@e4', '--to', 'on'], { ref: '@e4', to: 'on' }],
    [['triple-click', '@e4'], { ref: '@e4' }],
    [['check'], {}],
  ])('%j', (argv, input) => {
    expect(run(...argv).input).toEqual(input);
  });

  it.each([
    [['type', '@e1', 'a', 'b'], 'does not expect the argument "b"'],
    [['wait', '--value', '@e4', '--is', 'Ada', 'Bob'], '<ms> is "Bob"'],
    [['mouse', 'down', 'left', '--button', 'right'], 'does not expect the argument "left"'],
  ])('%j is a mistake', (argv, words) => {
    expect(mistake(...argv)).toContain(words);
  });
});
