import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Configuration, isReservedVariable, SETTINGS } from '../../src/model/configuration/config.ts';

it('every setting is described, has a default it accepts, and a variable of its own', () => {
  const defaults = Configuration.parse({});
  for (const setting of SETTINGS) {
    expect(setting.description).toMatch(/^[A-Z].*\.$/);
    expect(setting.accept(setting.default)).toBe(setting.default);
    expect(setting.acceptText(String(setting.default))).toBe(setting.default);
    expect(Object.entries(defaults)).toContainEqual([
      setting.section,
      expect.objectContaining({ [setting.name]: setting.default }),
    ]);
    expect(isReservedVariable(setting.variable)).toBe(false);
  }
  expect(new Set(SETTINGS.map(({ variable }) => variable)).size).toBe(SETTINGS.length);
  expect(SETTINGS.find(({ key }) => key === 'log.level')).toMatchObject({
    variable: 'DESKTERITY_LOG_LEVEL',
    default: 'info',
    accepts: 'one of debug, info, warn, error',
  });
  expect(SETTINGS.find(({ key }) => key === 'log.keep_days')?.accepts).toBe('a whole number from 1 to 365');
});

// A variable that the program reads but the configuration refuses would fail every command of a user who sets it.
it('every DESKTERITY_ variable in src is a setting or reserved', () => {
  const root = join(import.meta.dirname, '../../src');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap(
      (name) => readFileSync(join(root, name), 'utf8').match(/\bDESKTERITY_[A-Z][A-Z_]*[A-Z]\b/g) ?? [],
    );
  expect(names).toContain('DESKTERITY_SESSION');
  const known = new Set(SETTINGS.flatMap(({ variable, otherVariable }) => [variable, otherVariable]));
  // Defined by the build, not an environment variable.
  const defines = new Set(['DESKTERITY_BUILD']);
  const unknown = [...new Set(names)].filter(
    (name) => !known.has(name) && !defines.has(name) && !isReservedVariable(name),
  );
  expect(unknown).toEqual([]);
});

it('the guide has the row of every setting, and no other', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/configuration.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => line.includes('| `DESKTERITY_'));
  expect(rows).toEqual(
    SETTINGS.map(
      ({ key, variable, accepts, default: fallback, description }) =>
        `| \`${key}\` | \`${variable}\` | ${accepts} | \`${fallback}\` | ${description} |`,
    ),
  );
});
