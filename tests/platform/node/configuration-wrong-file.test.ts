import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { ConfigurationStage, failureOf, resolveText } from './configuration-stage.ts';
import { spelled } from '../../spelled.ts';

const stage = new ConfigurationStage();

it.each([
  ['[log]\nlevle = "info"', 2, 'the setting "log.levle" does not exist', 'Did you mean log.level?'],
  ['\n[lgo]\nlevel = "info"', 2, 'the setting "lgo" does not exist', 'Did you mean [log]?'],
  ['level = "info"', 1, 'the setting "level" does not exist', 'Did you mean log.level?'],
  ['log.keep-days = 3', 1, '"log.keep-days"', 'Did you mean log.keep_days?'],
  ['[output]\nlevel = "info"', 2, '"output.level"', 'Did you mean log.level?'],
  ['zzz = 1', 1, 'the setting "zzz" does not exist', 'Remove it.'],
  ['__proto__ = 1', 1, 'the setting "__proto__" does not exist', 'Remove it.'],
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
  ["[log]\n[settle]\nx = '''\n[log.more]\n'''\n[log.more]", 6, '"log.more"', 'Remove it.'],
  ['[log]\n"le\\u202Evel" = 1', 2, String.raw`"log.le\u{202E}vel"`, 'Did you mean log.level?'],
])('%j', async (text, line, message, advice) => {
  await writeFile(stage.file, text);
  const error = await failureOf(stage.resolve());
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', exitCode: 2 });
  expect(error.message).toContain(`${stage.file}, line ${line}: `);
  expect(error.message).toContain(message);
  expect(error.suggestion).toContain(advice);
  expect(error.suggestion).toContain('desk config show --help');
});

it('is not hidden by a variable with precedence', async () => {
  await writeFile(stage.file, 'log.level = "loud"');
  expect(await failureOf(stage.resolve({ DESKTERITY_LOG_LEVEL: 'info' }))).toMatchObject({
    code: 'CONFIG_INVALID',
  });
});

it.each([
  ['a = 1\nb = ', 2],
  ['[log]\nlevel = "x"\nlevel = "y"', 3],
  ['log.keep_days = 99999999999999999999', 1],
  ['a = "\u0000"', 1],
])('reports where %j is not TOML', async (text, line) => {
  await writeFile(stage.file, text);
  const error = await failureOf(stage.resolve());
  expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
  expect(error.message).toContain(`${stage.file}, line ${line}: not TOML at column`);
  expect(error.message.length).toBeLessThan(400);
});

it('reports endless nesting', async () => {
  await writeFile(stage.file, `x = ${'['.repeat(1_000_000)}`);
  const error = await failureOf(stage.resolve());
  expect(error.message).toContain(', line 1: not TOML at column');
  expect(error.message.length).toBeLessThan(400);
});

it('answers quickly, even for many similar lines', async () => {
  const decoys = '[log]\nlevle = 1\n'.repeat(50_000);
  await writeFile(stage.file, `[log]\nlevel = "info"\n[settle]\nquiet = '''\n${decoys}'''\n`);
  const error = await failureOf(stage.resolve());
  expect(error.message).toContain(', line 4: the setting "settle.quiet" does not exist');
});

it('never fails in another way, whatever its content', () => {
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
  fc.assert(
    fc.property(text, (content) => {
      let outcome: unknown = 'settings';
      try {
        resolveText({ environment: {}, configFolder: '/c' }, content);
      } catch (error) {
        outcome = error instanceof DeskterityError ? error.code : error;
      }
      expect(['settings', 'CONFIG_INVALID']).toContain(outcome);
    }),
    { seed: 5, numRuns: 600 },
  );
});

it.each([
  ['is a folder', () => mkdir(stage.file), undefined],
  ['is larger than 1 MiB', () => writeFile(stage.file, '#'.repeat(1024 * 1024 + 1)), undefined],
  ['is not UTF-8', () => writeFile(stage.file, new Uint8Array([0x23, 0xff, 0xfe])), undefined],
  ['could not be opened or read', () => symlink('config.toml', stage.file), 'ELOOP'],
  ['is not a regular file', () => symlink('/dev/zero', stage.file), undefined],
  [
    'is not a regular file',
    async () => execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', stage.file]),
    undefined,
  ],
])('that %s', async (reason, make, detail) => {
  await make();
  const error = await failureOf(stage.resolve());
  expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
  expect(error.message).toBe(`The configuration file ${stage.file} cannot be read: it ${reason}.`);
  expect(error.platformDetail).toBe(detail);
  expect(spelled(error.suggestion)).toContain('desk config show');
});

it.skipIf(process.getuid?.() === 0)(
  'that may not be read by this user (root may read everything)',
  async () => {
    await writeFile(stage.file, '');
    await chmod(stage.file, 0);
    expect(await failureOf(stage.resolve())).toMatchObject({
      code: 'CONFIG_INVALID',
      platformDetail: 'EACCES',
    });
  },
);

it.runIf(process.platform === 'linux')('that no user may read, not even root', async () => {
  await symlink('/proc/self/mem', stage.file);
  const error = await failureOf(stage.resolve());
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', platformDetail: 'EIO' });
});
