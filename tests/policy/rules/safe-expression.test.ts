import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain } from '../../../src/policy/rules/pattern.ts';
import { safeExpression } from '../../../src/policy/rules/safe-expression.ts';

function test(source: string, text: string, isWhole = false): boolean {
  const { expression, problem } = safeExpression(source, { isWhole });
  if (expression === undefined) throw new Error(problem);
  return expression.test(plain(text));
}

const literal = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', String.raw`\d`, '(?:ab|b)', '(a|ba)', 'ab');
const piece = fc
  .tuple(literal, fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}'))
  .map(([one, times]) => (times !== '' && one === 'ab' ? `(?:ab)${times}` : one + times));
const pattern = fc
  .tuple(
    fc.constantFrom('', '^'),
    fc.array(piece, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '$', '|b'),
  )
  .map(([start, pieces, end]) => start + pieces.join('') + end);

describe('safeExpression', () => {
  it('matches what a regular expression matches', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', '1'), maxLength: 8 }),
        (source, text) => {
          expect([source, text, test(source, text)]).toEqual([
            source,
            text,
            new RegExp(source, 'iu').test(text),
          ]);
          const whole = new RegExp(`^(?:${source})$`, 'iu').test(text);
          expect([source, text, test(source, text, true)]).toEqual([source, text, whole]);
        },
      ),
    );
  });

  it.each([
    ['^/opt/(bank|pay)-[a-z0-9]+/bin/.*$', '/opt/pay-2/bin/x', true],
    ['^/opt/(bank|pay)-[a-z0-9]+/bin/.*$', '/srv/opt/pay-2/bin/x', false],
    ['Delete|Löschen', 'LÖSCHEN', true],
    [String.raw`\.desktop$`, 'a.desktop', true],
    ['[A-F]{3}', 'xdeaf', true],
    ['', 'anything', true],
  ])('%s on %s: %s', (source, text, expected) => {
    expect(test(source, text)).toBe(expected);
  });

  it.each([
    ['(a', 'a ( without a )'],
    ['a)', 'a ) without a ('],
    ['[a', 'a [ without a ]'],
    ['*a', '* where a character'],
    ['(?=a)b', 'a group other than'],
    [String.raw`(a)\1`, String.raw`\ before 1`],
    ['a**', 'repeats a repetition'],
    ['a{2,1}', 'smaller'],
    ['a{101}', 'more than 100 times'],
    ['((a{50}){50}){50}', 'too large'],
    ['('.repeat(30) + ')'.repeat(30), 'inside each other'],
    ['a'.repeat(257), 'longer than 256'],
    ['[z-a]', 'empty range'],
    ['\\', 'ends with'],
  ])('refuses %s', (source, expected) => {
    expect(safeExpression(source, { isWhole: false }).problem).toContain(expected);
  });

  it.each(['(a+)+$', '(a|a)*b', '(.*)*x', '(a|aa)+$', '.*.*.*.*x', '(a?){50}a{50}c'])(
    '%s takes little time on any text',
    (source) => {
      const begun = performance.now();
      test(source, `${'a'.repeat(400)}!`);
      // Backtracking would take years.
      expect(performance.now() - begun).toBeLessThan(1000);
    },
  );
});
