import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDesktopEntry } from '../../../../src/platform/linux/process/desktop-entry.ts';
import { expandExec } from '../../../../src/platform/linux/process/exec-line.ts';

function expand(exec: string, args: readonly string[] = [], icon?: string): string[] | undefined {
  return expandExec(exec, { args, icon, name: 'My App', file: '/x/my.desktop' });
}

describe('expandExec', () => {
  it.each<[string, string[], string[] | undefined]>([
    ['kcalc', [], ['kcalc']],
    ['kcalc', ['--x', 'y z'], ['kcalc', '--x', 'y z']],
    ['kcalc %U', [], ['kcalc']],
    ['kcalc %U', ['a', 'b'], ['kcalc', 'a', 'b']],
    ['view %f --fast', ['a'], ['view', 'a', '--fast']],
    ['view %F %u', ['a', 'b'], ['view', 'a', 'b']],
    ['view --file=%f --fast', ['a', 'b'], ['view', '--file=a', 'b', '--fast']],
    ['app -t %c -k %k', [], ['app', '-t', 'My App', '-k', '/x/my.desktop']],
    ['app 100%% %d%D%n%N%v%m x', [], ['app', '100%', 'x']],
    ['"/opt/my app/run" "a b" "" c"d e"f', [], ['/opt/my app/run', 'a b', '', 'cd ef']],
    ['a "\\"\\`\\$\\\\" \\x', [], ['a', '"`$\\', '\\x']],
    ['  spaced \t out ', [], ['spaced', 'out']],
    ['a "open', [], undefined],
    ['', [], undefined],
    ['%F', [], undefined],
  ])('%j with %j', (exec, args, command) => {
    expect(expand(exec, args)).toEqual(command);
  });

  it('expands the icon only if there is one', () => {
    expect(expand('app %i', [], 'sun')).toEqual(['app', '--icon', 'sun']);
    expect(expand('app %i')).toEqual(['app']);
  });

  it('restores every command quoted by the specification, through a desktop file', () => {
    const word = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/[\0\n\r]/.test(text));
    const program = word.filter((text) => text !== '');
    fc.assert(
      fc.property(
        program,
        fc.array(word, { maxLength: 5 }),
        fc.array(word, { maxLength: 3 }),
        (first, rest, args) => {
          const quoted = [first, ...rest].map(
            (text) => `"${text.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`,
          );
          const value = `${quoted.join(' ')} %U`.replaceAll('\\', '\\\\');
          const entry = parseDesktopEntry(
            `[Desktop Entry]\nType=Application\nExec=${value}\n`,
            '/x.desktop',
            'x',
          );
          expect(expand(entry?.exec ?? '', args)).toEqual([first, ...rest, ...args]);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (exec, args) => {
        const command = expand(exec, args);
        expect(command === undefined || command[0] !== '').toBe(true);
      }),
      { seed: 8, numRuns: 1000 },
    );
  });
});
