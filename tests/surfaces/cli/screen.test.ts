import { describe, expect, it } from 'vitest';
import { formatIn, hasColour, screenFacts, widthOf } from '../../../src/surfaces/cli/printing/screen.ts';

describe('colour', () => {
  it.each<[Record<string, string>, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
  ])('%j, terminal %j: %j', (environment, isTerminal, expected) => {
    expect(hasColour(environment, isTerminal)).toBe(expected);
  });
});

describe('the width', () => {
  it.each<[string | undefined, number | undefined, number]>([
    [undefined, 132, 132],
    ['100', 132, 100],
    ['nonsense', 132, 132],
    [undefined, 0, 80],
    [undefined, undefined, 80],
    ['3', 132, 20],
    ['999999', 132, 1000],
  ])('COLUMNS=%s on a terminal of %s is %i', (named, columns, expected) => {
    expect(widthOf(named === undefined ? {} : { COLUMNS: named }, columns)).toBe(expected);
  });
});

describe('ASCII', () => {
  const isAscii = (environment: Record<string, string>) =>
    screenFacts(environment, { isTTY: true, columns: 80, write: () => true }).ascii;

  it('is for terminals and locales that say so', () => {
    expect(isAscii({ TERM: 'linux' })).toBe(true);
    expect(isAscii({ TERM: 'dumb' })).toBe(true);
    expect(isAscii({ LANG: 'de_DE.ISO-8859-1' })).toBe(true);
    expect(isAscii({ LANG: 'en_GB.UTF-8', TERM: 'xterm' })).toBe(false);
    expect(isAscii({ LC_ALL: 'C.utf8' })).toBe(false);
    // It names no encoding; today's terminals use UTF-8.
    expect(isAscii({ LANG: 'C' })).toBe(false);
    // Nobody sets these by chance.
    expect(isAscii({ LC_ALL: 'C', LANG: 'en_GB.UTF-8' })).toBe(true);
    expect(isAscii({ LC_CTYPE: 'POSIX' })).toBe(true);
    expect(isAscii({ LC_ALL: 'en_GB.UTF-8', LC_CTYPE: 'C' })).toBe(false);
  });
});

describe('DESKTERITY_FORMAT', () => {
  it('fixes the form, before its long spelling', () => {
    expect(formatIn({ DESKTERITY_FORMAT: 'outline', DESKTERITY_OUTPUT_FORMAT: 'json' })).toBe('outline');
    expect(formatIn({ DESKTERITY_OUTPUT_FORMAT: 'JSON' })).toBe('json');
    expect(formatIn({ DESKTERITY_FORMAT: 'auto' })).toBeUndefined();
    expect(formatIn({ DESKTERITY_FORMAT: '' })).toBeUndefined();
  });

  it('that is invalid is an error', () => {
    expect(() => formatIn({ DESKTERITY_FORMAT: 'yaml' })).toThrow(
      'The variable DESKTERITY_FORMAT is "yaml", but must be one of auto, json, human, outline, text, quiet.',
    );
  });
});
