import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Configuration, SETTINGS } from '../../../src/model/config.ts';
import type { ConfigurationEntry } from '../../../src/model/config.ts';
import { DeskterityError } from '../../../src/model/errors.ts';
import {
  createConfigurationLoader,
  resolveConfiguration,
} from '../../../src/platform/node/configuration-file.ts';
import { createFiles } from '../../../src/platform/node/files.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-config-'));
  file = join(folder, 'config.toml');
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true });
});

const resolve = (
  environment: Readonly<Record<string, string | undefined>> = {},
  flags?: Record<string, string>,
) => resolveConfiguration({ environment, configFolder: folder, flags });

async function failureOf(promise: Promise<unknown>): Promise<DeskterityError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeskterityError)) throw new Error(`no DeskterityError: ${String(error)}`);
  return error;
}

const inMemory = (text: string) => ({ files: { read: async () => new TextEncoder().encode(text) } });

it('is all defaults where nothing is set', async () => {
  const resolved = await resolve({ HOME: '/h', DESKTERITY_LOG_LEVEL: '', DESKTERITY_SESSION: 'mine' });
  expect(resolved.values).toEqual(Configuration.parse({}));
  expect(resolved.entries.map(({ source }) => source)).toEqual(SETTINGS.map(() => 'default'));
  expect(resolved).toMatchObject({ file, fileExists: false });
});

it('takes each value from the strongest place', async () => {
  await writeFile(
    file,
    '\uFEFF# mine\r\nlog = { level = "debug", keep_days = 3 }\r\n[output]\r\nformat = "text"\r\n',
  );
  const resolved = await resolve(
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

const valueOf: Readonly<Record<string, fc.Arbitrary<string | number>>> = {
  'output.format': fc.constantFrom('json', 'outline', 'text', 'quiet'),
  'daemon.idle_timeout_ms': fc.integer({ min: 1000, max: 86_400_000 }),
  'log.level': fc.constantFrom('debug', 'info', 'warn', 'error'),
  'log.keep_days': fc.integer({ min: 1, max: 365 }),
  'private_desktop.width': fc.integer({ min: 320, max: 16_384 }),
  'private_desktop.height': fc.integer({ min: 200, max: 16_384 }),
  'settle.quiet_ms': fc.integer({ min: 0, max: 10_000 }),
  'settle.limit_ms': fc.integer({ min: 50, max: 60_000 }),
};

it('has one precedence for every setting, whatever is set where', async () => {
  expect(Object.keys(valueOf).toSorted()).toEqual(SETTINGS.map(({ key }) => key).toSorted());
  const some = fc.record(valueOf, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(some, some, some, async (inFile, inEnvironment, inFlags) => {
      const toml = Object.entries(inFile).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      const texts = (given: typeof inFlags) =>
        Object.entries(given).map(([key, value]): [string, string] => [key, String(value)]);
      const resolved = await resolveConfiguration({
        configFolder: '/c',
        environment: Object.fromEntries(
          texts(inEnvironment).map(([key, text]) => [
            `DESKTERITY_${key.replace('.', '_').toUpperCase()}`,
            text,
          ]),
        ),
        flags: Object.fromEntries(texts(inFlags)),
        ...inMemory(toml.join('\n')),
      });
      const wanted = SETTINGS.map(({ key, default: fallback }): ConfigurationEntry => {
        if (inFlags[key] !== undefined) return { key, value: inFlags[key], source: 'flag' };
        if (inEnvironment[key] !== undefined)
          return { key, value: inEnvironment[key], source: 'environment' };
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

describe('a wrong file', () => {
  it.each([
    ['[log]\nlevle = "info"', 2, 'there is no setting "log.levle"', 'Did you mean log.level?'],
    ['\n[lgo]\nlevel = "info"', 2, 'there is no setting "lgo"', 'Did you mean [log]?'],
    ['level = "info"', 1, 'there is no setting "level"', 'Did you mean log.level?'],
    ['log.keep-days = 3', 1, '"log.keep-days"', 'Did you mean log.keep_days?'],
    ['[output]\nlevel = "info"', 2, '"output.level"', 'Did you mean log.level?'],
    ['zzz = 1', 1, 'there is no setting "zzz"', 'Remove it.'],
    ['__proto__ = 1', 1, 'there is no setting "__proto__"', 'Remove it.'],
    ['[__proto__.log]\nlevel = "debug"', 1, '"__proto__"', 'Remove it.'],
    ['[log]\n__proto__ = { level = 1 }', 2, '"log.__proto__"', 'Remove it.'],
    ['constructor.name = "x"', 1, '"constructor"', 'Remove it.'],
    [
      '[log]\n\nlevel = "loud"',
      3,
      '"log.level" is "loud", but must be one of debug, info, warn, error',
      'Correct it.',
    ],
    [
      '[log]\nkeep_days = "7"',
      2,
      '"log.keep_days" is "7", but must be a whole number from 1 to 365',
      'Correct it.',
    ],
    ['log.keep_days = 0', 1, 'is 0, but', 'Correct it.'],
    ['log.keep_days = 1.5', 1, 'is 1.5, but', 'Correct it.'],
    ['log.keep_days = nan', 1, 'is NaN, but', 'Correct it.'],
    ['log.keep_days = true', 1, 'is true, but', 'Correct it.'],
    ['log.keep_days = 2020-01-01', 1, 'is a date, but', 'Correct it.'],
    ['log.keep_days = [\n7]', 1, 'is a list, but', 'Correct it.'],
    ['[log.keep_days]\ndays = 7', 1, 'is a table, but', 'Correct it.'],
    ['log = 3', 1, '"log" is 3, but must be a table of settings', 'Write [log].'],
    ['log = 2020-01-01', 1, '"log" is a date', 'Write [log].'],
    ['[[log]]\nlevel = "info"', 1, '"log" is a list', 'Write [log].'],
    ['a = """\n[log]\nlevle = 1\n"""\n[log]\n', 1, '"a"', 'Remove it.'],
    ['[log]\n"le\\u202Evel" = 1', undefined, String.raw`"log.le\u{202E}vel"`, 'Did you mean log.level?'],
  ])('%j', async (text, line, message, advice) => {
    await writeFile(file, text);
    const error = await failureOf(resolve());
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', exitCode: 2 });
    expect(error.message).toContain(line === undefined ? `${file}: ` : `${file}, line ${line}: `);
    expect(error.message).toContain(message);
    expect(error.suggestion).toContain(advice);
    expect(error.suggestion).toContain('desk config show --help');
  });

  it('is not hidden by a variable that is stronger', async () => {
    await writeFile(file, 'log.level = "loud"');
    expect(await failureOf(resolve({ DESKTERITY_LOG_LEVEL: 'info' }))).toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it.each([
    ['a = 1\nb = ', 2],
    ['[log]\nlevel = "x"\nlevel = "y"', 3],
    ['log.keep_days = 99999999999999999999', 1],
    ['a = "\u0000"', 1],
  ])('says where %j is not TOML', async (text, line) => {
    await writeFile(file, text);
    const error = await failureOf(resolve());
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(error.message).toContain(`${file}, line ${line}: not TOML at column`);
    expect(error.message.length).toBeLessThan(400);
  });

  it('answers for endless nesting', async () => {
    await writeFile(file, `x = ${'['.repeat(1_000_000)}`);
    const error = await failureOf(resolve());
    expect(error.message).toContain(', line 1: not TOML at column');
    expect(error.message.length).toBeLessThan(400);
  });

  it('answers soon, also for many look-alikes', async () => {
    const decoys = '[log]\nlevle = 1\n'.repeat(50_000);
    await writeFile(file, `[log]\nlevel = "info"\n[settle]\nquiet = '''\n${decoys}'''\n`);
    const error = await failureOf(resolve());
    expect(error.message).toContain(', line 4: there is no setting "settle.quiet"');
  });

  it('never fails in another way, whatever stands in it', async () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '"',
      "'''",
      '\n',
      '=',
      '.',
      'log',
      'level',
      ' ',
      '{',
      '}',
      '1',
      '#',
      ',',
      '-',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const request = { environment: {}, configFolder: '/c', ...inMemory(content) };
        const outcome = await resolveConfiguration(request).then(
          () => 'settings',
          (error: unknown) => (error instanceof DeskterityError ? error.code : error),
        );
        expect(['settings', 'CONFIG_INVALID']).toContain(outcome);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  it.each([
    ['is a folder', () => mkdir(file), undefined],
    ['is larger than 1 MiB', () => writeFile(file, '#'.repeat(1024 * 1024 + 1)), undefined],
    ['is not UTF-8', () => writeFile(file, new Uint8Array([0x23, 0xff, 0xfe])), undefined],
    ['could not be opened', () => symlink('config.toml', file), 'ELOOP'],
    ['is not a regular file', () => symlink('/dev/zero', file), undefined],
    ['is not a regular file', async () => execFileSync('mkfifo', [file]), undefined],
  ])('that %s', async (reason, make, detail) => {
    await make();
    const error = await failureOf(resolve());
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(error.message).toBe(`The configuration file ${file} cannot be read: it ${reason}.`);
    expect(error.platformDetail).toBe(detail);
    expect(error.suggestion).toContain('desk config show');
  });

  it('that may not be read', async () => {
    // Root may read everything, so the failure is made where the file is asked for.
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const files = { read: () => Promise.reject(denied) };
    const error = await failureOf(resolveConfiguration({ environment: {}, configFolder: folder, files }));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', platformDetail: 'EACCES' });
  });

  it.skipIf(process.getuid?.() === 0)(
    'that may not be read by this user (root may read everything)',
    async () => {
      await writeFile(file, '');
      await chmod(file, 0);
      expect(await failureOf(resolve())).toMatchObject({ code: 'CONFIG_INVALID', platformDetail: 'EACCES' });
    },
  );
});

it.each(['/dev/null', '/nonexistent-folder'])('has no file below %s', async (configFolder) => {
  expect(await resolveConfiguration({ environment: {}, configFolder })).toMatchObject({ fileExists: false });
});

it('takes a file of one mebibyte, and one through the files port', async () => {
  const text = `log.keep_days = 9\n#${'x'.repeat(1024 * 1024 - 20)}\n`;
  await writeFile(file, text.padEnd(1024 * 1024, ' '));
  expect((await resolve()).values.log.keep_days).toBe(9);
  const throughPort = await resolveConfiguration({
    environment: {},
    configFolder: folder,
    files: createFiles(),
  });
  expect(throughPort.values.log.keep_days).toBe(9);
});

describe('a wrong variable', () => {
  it.each([
    ['DESKTERITY_LOG_LEVLE', 'info', 'none of Deskterity', 'Did you mean DESKTERITY_LOG_LEVEL?'],
    ['DESKTERITY_NO_DEAMON', '1', 'none of Deskterity', 'Did you mean DESKTERITY_NO_DAEMON?'],
    ['DESKTERITY_', '1', 'none of Deskterity', 'Unset it.'],
    ['DESKTERITY_SOMETHING_ELSE', '1', 'none of Deskterity', 'Unset it.'],
    ['DESKTERITY_LOG_LEVEL', 'INFO', 'is "INFO", but must be one of debug', 'Correct or unset it.'],
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
    const error = await failureOf(resolve({ [name]: value }));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', exitCode: 2 });
    expect(error.message).toContain(name);
    expect(error.message).toContain(message);
    expect(error.suggestion).toContain(advice);
  });

  it('is told from those that are no settings, and from other programs’', async () => {
    const environment = {
      DESKTERITY_SESSION: 'a',
      DESKTERITY_NO_DAEMON: '1',
      DESKTERITY_PRIVATE_DESKTOP: '/tmp/x',
      DESKTERITY_TEST_LOG: '/tmp/log',
      DESKTERITY_RUN: '1',
      DESKTERITY_UNKNOWN: '',
      DESKTERITYISH: '1',
    };
    expect((await resolve(environment)).values).toEqual(Configuration.parse({}));
  });
});

it('a wrong flag is a mistake of the command line', async () => {
  const value = await failureOf(resolve({}, { 'log.level': 'loud' }));
  expect(value).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('"loud"') });
  const key = await failureOf(resolve({}, { 'log.levle': 'info' }));
  expect(key).toMatchObject({ code: 'INVALID_ARGUMENT', suggestion: expect.stringContaining('log.level?') });
});

describe('a loader', () => {
  const old = new Date('2020-01-01T00:00:00Z');

  it('sees every change: contents, absence, a replaced file, its rights', async () => {
    const load = createConfigurationLoader();
    const keepDays = async () => (await load({ environment: {}, configFolder: folder })).values.log.keep_days;
    expect(await keepDays()).toBe(7);
    for (let days = 1; days < 10; days += 1) {
      await writeFile(file, `log.keep_days = ${days}`);
      expect(await keepDays()).toBe(days);
      // Same size, same times of change: only the moment of the last status change tells.
      await utimes(file, old, old);
      expect(await keepDays()).toBe(days);
    }
    const other = join(folder, 'other');
    await writeFile(other, 'log.keep_days = 5');
    await utimes(other, old, old);
    await rename(other, file);
    expect(await keepDays()).toBe(5);
    await rm(file);
    expect(await keepDays()).toBe(7);
  });

  it('reads an unchanged file once', async () => {
    const load = createConfigurationLoader();
    // Parsing a mebibyte takes many milliseconds, so that a cache shows.
    await writeFile(file, `[log]\nkeep_days = 5\n${'# comment\n'.repeat(90_000)}`);
    await utimes(file, old, old);
    const request = { environment: {}, configFolder: folder };
    const first = await load(request);
    const start = performance.now();
    for (let count = 0; count < 200; count += 1) expect(await load(request)).toEqual(first);
    const cachedMs = (performance.now() - start) / 200;
    const fresh = performance.now();
    for (let count = 0; count < 5; count += 1) await createConfigurationLoader()(request);
    expect(cachedMs).toBeLessThan((performance.now() - fresh) / 5);
  });

  it('keeps callers with other folders apart', async () => {
    const load = createConfigurationLoader();
    for (let round = 0; round < 2; round += 1) {
      for (let index = 1; index <= 20; index += 1) {
        const configFolder = join(folder, String(index));
        await mkdir(configFolder, { recursive: true });
        const path = join(configFolder, 'config.toml');
        if (round === 0) await writeFile(path, `log.keep_days = ${index}`);
        await utimes(path, old, old);
        const { values } = await load({ environment: {}, configFolder });
        expect(values.log.keep_days).toBe(index);
      }
    }
  });

  it('does not remember a failure', async () => {
    const load = createConfigurationLoader();
    await writeFile(file, 'log.level = 1');
    expect(await failureOf(load({ environment: {}, configFolder: folder }))).toMatchObject({
      code: 'CONFIG_INVALID',
    });
    await writeFile(file, 'log.level = "warn"');
    expect((await load({ environment: {}, configFolder: folder })).values.log.level).toBe('warn');
  });
});
