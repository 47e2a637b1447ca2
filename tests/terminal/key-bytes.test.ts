import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { keyBytes } from '../../src/terminal/screen/key-bytes.ts';

function sent(keys: string, isApplicationCursor = false): string {
  return Buffer.from(keyBytes(parseKeyCombination(keys), { isApplicationCursor })).toString();
}

describe('key bytes', () => {
  test.each([
    ['a', 'a'],
    ['shift+a', 'A'],
    ['é', 'é'],
    ['😀', '😀'],
    ['space', ' '],
    ['ctrl+c', '\u0003'],
    ['ctrl+shift+c', '\u0003'],
    ['ctrl+a', '\u0001'],
    ['ctrl+z', '\u001A'],
    ['ctrl+space', '\u0000'],
    ['ctrl+[', '\u001B'],
    ['ctrl+\\', '\u001C'],
    ['ctrl+_', '\u001F'],
    ['ctrl+?', '\u007F'],
    ['alt+x', '\u001Bx'],
    ['alt+shift+x', '\u001BX'],
    ['ctrl+alt+x', '\u001B\u0018'],
    ['alt+Enter', '\u001B\r'],
    ['Enter', '\r'],
    ['Tab', '\t'],
    ['shift+Tab', '\u001B[Z'],
    ['Escape', '\u001B'],
    ['Backspace', '\u007F'],
    ['ctrl+Backspace', '\b'],
    ['up', '\u001B[A'],
    ['Home', '\u001B[H'],
    ['ctrl+right', '\u001B[1;5C'],
    ['alt+left', '\u001B[1;3D'],
    ['ctrl+shift+alt+F5', '\u001B[15;8~'],
    ['F1', '\u001BOP'],
    ['F13', '\u001B[1;2P'],
    ['PageUp', '\u001B[5~'],
    ['menu', '\u001B[29~'],
  ])('%s', (keys, bytes) => {
    expect(sent(keys)).toBe(bytes);
  });

  test('arrows, Home and End differ in application mode, except with modifiers', () => {
    expect(['up', 'down', 'right', 'left', 'Home', 'End'].map((key) => sent(key, true))).toEqual(
      ['A', 'B', 'C', 'D', 'H', 'F'].map((letter) => `\u001BO${letter}`),
    );
    expect(sent('shift+up', true)).toBe('\u001B[1;2A');
  });

  test.each(['Shift', 'ctrl', 'CapsLock', 'VolumeUp', 'ctrl+é', 'ctrl+F25x'])(
    '%s sends nothing, which is said',
    (keys) => {
      expect(() => sent(keys)).toThrow(DeskterityError);
    },
  );
});

/** The terminfo entry for xterm on this machine, by capability name. */
function database(): ReadonlyMap<string, string> | undefined {
  try {
    const text = execFileSync('infocmp', ['-x', '-1', 'xterm-256color'], { encoding: 'utf8' });
    return new Map(
      [...text.matchAll(/^\t(k\w+)=(.*),$/gm)].map(([, name = '', value = '']) => [
        name,
        value.replaceAll(String.raw`\E`, '\u001B').replace('^?', '\u007F'),
      ]),
    );
  } catch {
    return undefined;
  }
}

const known = database();

describe.skipIf(known === undefined)(
  `the terminal database agrees${known === undefined ? ' (skipped: infocmp is not installed)' : ''}`,
  () => {
    const modifiers = [
      ['', 'shift+'],
      ['3', 'alt+'],
      ['4', 'shift+alt+'],
      ['5', 'ctrl+'],
      ['6', 'ctrl+shift+'],
      ['7', 'ctrl+alt+'],
    ];
    const named: [string, string][] = [
      ['kcuu1', 'up'],
      ['kcud1', 'down'],
      ['kcuf1', 'right'],
      ['kcub1', 'left'],
      ['khome', 'Home'],
      ['kend', 'End'],
      ['kich1', 'Insert'],
      ['kdch1', 'Delete'],
      ['kpp', 'PageUp'],
      ['knp', 'PageDown'],
      ['kcbt', 'shift+Tab'],
      ['kbs', 'Backspace'],
      ...Array.from({ length: 24 }, (_, index): [string, string] => [`kf${index + 1}`, `F${index + 1}`]),
      ...modifiers.flatMap(([digit = '', modifier = '']) =>
        [
          ['UP', 'up'],
          ['DN', 'down'],
          ['RIT', 'right'],
          ['LFT', 'left'],
          ['HOM', 'Home'],
          ['END', 'End'],
          ['DC', 'Delete'],
          ['IC', 'Insert'],
          ['PRV', 'PageUp'],
          ['NXT', 'PageDown'],
        ].map(([name = '', key = '']): [string, string] => [`k${name}${digit}`, `${modifier}${key}`]),
      ),
    ];
    const keys = named.flatMap(([name, key]) => {
      const bytes = known?.get(name);
      return bytes === undefined ? [] : [{ name, key, bytes }];
    });

    test('knows most keys', () => {
      expect(keys.length).toBeGreaterThan(60);
    });
    test.each(keys)('$name is $key', ({ key, bytes }) => {
      expect(sent(key, true)).toBe(bytes);
    });
  },
);
