import { writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Configuration, SETTINGS, type ConfigurationEntry } from '../../../src/model/configuration/config.ts';
import { createConfigurationLoader } from '../../../src/platform/node/configuration/configuration-file.ts';
import { ConfigurationStage, failureOf, resolveText } from './configuration-stage.ts';

const stage = new ConfigurationStage();

it('has only defaults if nothing is set', async () => {
  const resolved = await stage.resolve({ HOME: '/h', DESKTERITY_LOG_LEVEL: '', DESKTERITY_SESSION: 'mine' });
  expect(resolved.values).toEqual(Configuration.parse({}));
  expect(resolved.entries.map(({ source }) => source)).toEqual(SETTINGS.map(() => 'default'));
  expect(resolved).toMatchObject({ file: stage.file, fileExists: false });
});

it('takes each value from the source with the highest precedence', async () => {
  await writeFile(
    stage.file,
    '\uFEFF# mine\r\nlog = { level = "debug", keep_days = 3 }\r\n[output]\r\nformat = "text"\r\n',
  );
  const resolved = await stage.resolve(
    { DESKTERITY_LOG_LEVEL: 'warn', DESKTERITY_OUTPUT_FORMAT: 'quiet' },
    { 'output.format': 'outline' },
  );
  expect(resolved.values.log).toEqual({ level: 'warn', keep_days: 3 });
  expect(resolved.values.output.format).toBe('outline');
  const sources = Object.fromEntries(resolved.entries.map(({ key, source }) => [key, source]));
  expect(sources).toMatchObject({
    'log.level': 'environment',
    'log.keep_days': 'file',
    'output.format': 'flag',
    'settle.quiet_ms': 'default',
  });
  expect(resolved.fileExists).toBe(true);
});

const valueOf: Readonly<Record<string, fc.Arbitrary<string | number | boolean>>> = {
  'output.format': fc.constantFrom('json', 'outline', 'text', 'quiet'),
  'daemon.idle_timeout_ms': fc.integer({ min: 1000, max: 86_400_000 }),
  'log.level': fc.constantFrom('debug', 'info', 'warn', 'error'),
  'log.keep_days': fc.integer({ min: 1, max: 365 }),
  'private_desktop.width': fc.integer({ min: 320, max: 16_384 }),
  'private_desktop.height': fc.integer({ min: 200, max: 16_384 }),
  'input.seat': fc.constantFrom('shared', 'own'),
  'settle.quiet_ms': fc.integer({ min: 0, max: 10_000 }),
  'settle.limit_ms': fc.integer({ min: 50, max: 60_000 }),
  'screenshot.debounce_ms': fc.integer({ min: 0, max: 10_000 }),
  'screenshot.consent': fc.constantFrom('auto', 'portal', 'direct'),
  'redaction.password_fields': fc.boolean(),
  'sandbox.scope': fc.constantFrom('/srv', 'a folder', 'ü'),
  'sandbox.mode': fc.constantFrom('auto', 'landlock', 'bubblewrap', 'off'),
  'sandbox.environment': fc.constantFrom('CI', 'NODE_ENV MY_*'),
  'sandbox.deny_report': fc.boolean(),
  'operations.synchronous': fc.boolean(),
  'operations.grace_ms': fc.integer({ min: 0, max: 60_000 }),
  'mcp.structured': fc.constantFrom('always', 'never'),
  'mcp.questions': fc.constantFrom('never', 'needed', 'always'),
  'confirmation.destructive': fc.constantFrom('never', 'ask', 'require'),
  'mcp.describe': fc.boolean(),
  'mcp.inspect_tree_timeout_ms': fc.integer({ min: 100, max: 600_000 }),
  'mcp.inspect_search_timeout_ms': fc.integer({ min: 100, max: 600_000 }),
  'mcp.inspect_focused_timeout_ms': fc.integer({ min: 100, max: 600_000 }),
  'mcp.inspect_windows_timeout_ms': fc.integer({ min: 100, max: 600_000 }),
  'mcp.oauth_issuer': fc.constantFrom('https://login.example.com', 'https://login.example.com/a'),
  'mcp.oauth_audience': fc.constantFrom('https://desk.example.com/mcp'),
  'mcp.oauth_scopes': fc.constantFrom('read', 'read act'),
  'operations.answer_tokens': fc.integer({ min: 200, max: 50_000 }),
  'operations.output_mb': fc.integer({ min: 1, max: 10_000 }),
  'audit.on_failure': fc.constantFrom('refuse', 'warn'),
  'audit.reads': fc.boolean(),
  'audit.file_mb': fc.integer({ min: 1, max: 1000 }),
  'audit.keep_days': fc.integer({ min: 1, max: 36_500 }),
  'audit.keep_mb': fc.integer({ min: 2, max: 100_000 }),
  'rate_limit.rps': fc.nat({ max: 1_000_000 }),
  'rate_limit.rpm': fc.nat({ max: 1_000_000 }),
  'rate_limit.concurrency': fc.nat({ max: 1_000_000 }),
  'rate_limit.all_rps': fc.nat({ max: 1_000_000 }),
  'rate_limit.all_rpm': fc.nat({ max: 1_000_000 }),
  'rate_limit.all_concurrency': fc.nat({ max: 1_000_000 }),
  'tools.folder': fc.constantFrom('/srv/tools', 'tools'),
  'terminal.app': fc.constantFrom('auto', 'xterm', 'gnome-terminal'),
  'terminal.log_level': fc.constantFrom('debug', 'none'),
  'terminal.log_dir': fc.constantFrom('~/logs', 'SYSTEM_TEMP'),
  'terminal.window_grouping': fc.constantFrom('off', 'project', 'smart'),
  'terminal.default_lines': fc.integer({ min: 0, max: 1_000_000 }),
  'terminal.background_startup_seconds': fc.integer({ min: 1, max: 86_400 }),
  'terminal.foreground_completion_seconds': fc.integer({ min: 1, max: 86_400 }),
  'terminal.default_focus_on_action': fc.boolean(),
  'terminal.notify': fc.constantFrom('none', 'mcp', 'desktop'),
  'terminal.sigint_wait_seconds': fc.integer({ min: 0, max: 3600 }),
  'terminal.sigterm_wait_seconds': fc.integer({ min: 0, max: 3600 }),
  'terminal.default_background_execution': fc.boolean(),
};

function variableOf(key: string): string {
  return `DESKTERITY_${key.replace('.', '_').toUpperCase()}`;
}

it('has the same precedence for every setting', () => {
  expect(Object.keys(valueOf).toSorted()).toEqual(SETTINGS.map(({ key }) => key).toSorted());
  const some = fc.record(valueOf, { requiredKeys: [] });
  fc.assert(
    fc.property(some, some, some, (inFile, inEnvironment, inFlags) => {
      const toml = Object.entries(inFile).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      const texts = (given: typeof inFlags) =>
        Object.entries(given).map(([key, value]): [string, string] => [key, String(value)]);
      const request = {
        configFolder: '/c',
        environment: Object.fromEntries(texts(inEnvironment).map(([key, text]) => [variableOf(key), text])),
        flags: Object.fromEntries(texts(inFlags)),
      };
      const resolved = resolveText(request, toml.join('\n'));
      const wanted = SETTINGS.map(({ key, default: fallback }): ConfigurationEntry => {
        if (inFlags[key] !== undefined) return { key, value: inFlags[key], source: 'flag' };
        if (inEnvironment[key] !== undefined)
          return { key, value: inEnvironment[key], source: 'environment', variable: variableOf(key) };
        if (inFile[key] !== undefined) return { key, value: inFile[key], source: 'file' };
        return { key, value: fallback, source: 'default' };
      });
      expect(resolved.entries).toEqual(wanted);
      const flat = Object.entries(resolved.values).flatMap(([section, values]) =>
        Object.entries(values).map(([name, value]) => [`${section}.${name}`, value]),
      );
      expect(Object.fromEntries(flat)).toEqual(
        Object.fromEntries(wanted.map(({ key, value }) => [key, value])),
      );
    }),
    { seed: 3, numRuns: 300 },
  );
});

it.each(['/dev/null', '/nonexistent-folder'])('has no file below %s', async (configFolder) => {
  const load = createConfigurationLoader();
  expect(await load({ environment: {}, configFolder })).toMatchObject({ fileExists: false });
});

it('accepts a file of one mebibyte', async () => {
  const text = `log.keep_days = 9\n#${'x'.repeat(1024 * 1024 - 20)}\n`;
  await writeFile(stage.file, text.padEnd(1024 * 1024, ' '));
  expect((await stage.resolve()).values.log.keep_days).toBe(9);
});

it('reads variable values in any case, and several words for booleans', async () => {
  const { values } = await stage.resolve({
    DESKTERITY_LOG_LEVEL: 'DEBUG',
    TERMINATOR_WINDOW_GROUPING: 'Project',
    TERMINATOR_APP: 'Ghosty',
    DESKTERITY_SANDBOX_DENY_REPORT: 'Yes',
    TERMINATOR_DEFAULT_BACKGROUND_EXECUTION: 'ON',
    TERMINATOR_DEFAULT_FOCUS_ON_ACTION: 'f',
  });
  expect(values.log.level).toBe('debug');
  expect(values.sandbox.deny_report).toBe(true);
  expect(values.terminal).toMatchObject({
    window_grouping: 'project',
    app: 'ghostty',
    default_background_execution: true,
    default_focus_on_action: false,
  });
});

it('accepts the variables of Terminator, below its own and above the file', async () => {
  await writeFile(stage.file, 'terminal = { default_lines = 1, sigint_wait_seconds = 1 }\n');
  const { values, entries } = await stage.resolve({
    TERMINATOR_DEFAULT_LINES: '2',
    TERMINATOR_SIGINT_WAIT_SECONDS: '2',
    DESKTERITY_TERMINAL_SIGINT_WAIT_SECONDS: '3',
    // Of the terminal emulator of that name.
    TERMINATOR_UUID: 'urn:uuid:1',
    TERMINATOR_SIGTERM_WAIT_SECONDS: '',
  });
  expect(values.terminal).toMatchObject({
    default_lines: 2,
    sigint_wait_seconds: 3,
    sigterm_wait_seconds: 2,
  });
  expect(entries).toContainEqual({
    key: 'terminal.default_lines',
    value: 2,
    source: 'environment',
    variable: 'TERMINATOR_DEFAULT_LINES',
  });
});

describe('a wrong variable', () => {
  it.each([
    ['DESKTERITY_LOG_LEVLE', 'info', 'has no variable', 'Did you mean DESKTERITY_LOG_LEVEL?'],
    ['DESKTERITY_NO_DEAMON', '1', 'has no variable', 'Did you mean DESKTERITY_NO_DAEMON?'],
    ['DESKTERITY_', '1', 'has no variable', 'Unset it.'],
    ['DESKTERITY_SOMETHING_ELSE', '1', 'has no variable', 'Unset it.'],
    ['DESKTERITY_LOG_LEVEL', 'loud', 'is "loud", but must be one of debug', 'Correct or unset it.'],
    ['TERMINATOR_APP', 'iTerm', 'is "iTerm", but must be one of auto, xterm', 'Correct or unset it.'],
    ['TERMINATOR_DEFAULT_LINES', '-1', 'is "-1", but must be a whole number from 0', 'Correct or unset it.'],
    ['DESKTERITY_TERMINAL_SIGINT_WAIT_SECONDS', '1.5', 'is "1.5", but', 'Correct or unset it.'],
    ['TERMINATOR_BACKGROUND_STARTUP_SECONDS', '0', 'a whole number from 1', 'Correct or unset it.'],
    ['TERMINATOR_DEFAULT_FOCUS_ON_ACTION', 'perhaps', 'must be true or false', 'Correct or unset it.'],
    [
      'DESKTERITY_LOG_KEEP_DAYS',
      '7d',
      'is "7d", but must be a whole number from 1 to 365',
      'Correct or unset it.',
    ],
    ['DESKTERITY_LOG_KEEP_DAYS', ' 7', 'is " 7", but', 'Correct or unset it.'],
    ['DESKTERITY_LOG_KEEP_DAYS', '0x7', 'is "0x7", but', 'Correct or unset it.'],
    ['DESKTERITY_LOG_KEEP_DAYS', '366', 'is "366", but', 'Correct or unset it.'],
    ['DESKTERITY_LOG_LEVEL', 'in\u001B[31mfo', String.raw`is "in\u{1B}[31mfo"`, 'Correct or unset it.'],
  ])('%s=%j', async (name, value, message, advice) => {
    const error = await failureOf(stage.resolve({ [name]: value }));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', exitCode: 2 });
    expect(error.message).toContain(name);
    expect(error.message).toContain(message);
    expect(error.suggestion).toContain(advice);
  });

  it('is distinguished from reserved variables and those of other programs', async () => {
    const environment = {
      DESKTERITY_SESSION: 'a',
      DESKTERITY_NO_DAEMON: '1',
      DESKTERITY_PRIVATE_DESKTOP: '/tmp/x',
      DESKTERITY_TEST_LOG: '/tmp/log',
      DESKTERITY_RUN: '1',
      DESKTERITY_UNKNOWN: '',
      DESKTERITYISH: '1',
    };
    expect((await stage.resolve(environment)).values).toEqual(Configuration.parse({}));
  });
});

it('a wrong flag is an error of the command line', async () => {
  const value = await failureOf(stage.resolve({}, { 'log.level': 'loud' }));
  expect(value).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('"loud"') });
  const key = await failureOf(stage.resolve({}, { 'log.levle': 'info' }));
  expect(key).toMatchObject({ code: 'INVALID_ARGUMENT', suggestion: expect.stringContaining('log.level?') });
});
