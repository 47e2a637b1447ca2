import { describe, expect, it } from 'vitest';
import { installedDiffers } from '../../scripts/lib/npm.mjs';
import { duration } from '../../scripts/lib/progress.mjs';
import { checkMachine, nodeIsNewEnough } from '../../scripts/setup.mjs';

describe('the Node version', () => {
  it('is compared as numbers', () => {
    expect(nodeIsNewEnough('20.19.0')).toBe(true);
    expect(nodeIsNewEnough('22.1.0')).toBe(true);
    expect(nodeIsNewEnough('20.9.0')).toBe(false);
    expect(nodeIsNewEnough('18.20.4')).toBe(false);
  });

  it('that is too old is named with the one needed', () => {
    expect(() => checkMachine({ version: '18.20.4' })).toThrow(
      /needs Node\.js 20\.19 or newer; this is 18\.20\.4/,
    );
  });
});

describe('the platform', () => {
  it.each([
    ['darwin', 'macOS'],
    ['win32', 'Windows'],
  ])('%s is refused by name', (platform, name) => {
    expect(() => checkMachine({ platform })).toThrow(new RegExp(`PLATFORM_UNSUPPORTED: .*${name}`));
  });
});

describe('installed npm packages', () => {
  const locked = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/mac-only': { version: '1.0.0', optional: true },
  };

  it('agree with the lock file when each has its version; optional ones may be absent', () => {
    expect(installedDiffers(locked, { 'node_modules/a': { version: '1.0.0' } })).toBeUndefined();
  });

  it.each([
    [undefined, 'node_modules is missing'],
    [{}, 'node_modules/a is missing'],
    [{ 'node_modules/a': { version: '0.9.0' } }, 'node_modules/a is 0.9.0, the lock file says 1.0.0'],
    [
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } },
      'node_modules/b is not in the lock file',
    ],
  ])('differ otherwise, with a reason', (installed, reason) => {
    expect(installedDiffers(locked, installed)).toBe(reason);
  });
});

describe('durations', () => {
  it('are written for people', () => {
    expect([900, 12_400, 61_000, 599_900].map(duration)).toEqual([
      '0.9 s',
      '12 s',
      '1 min 1 s',
      '10 min 0 s',
    ]);
  });
});
