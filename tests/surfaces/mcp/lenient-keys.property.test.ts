import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchKeys } from '../../../src/surfaces/mcp/dialects/terminal/lenient-keys.ts';

const LINES = ['lines', 'maxlines', 'max_lines'];
const table = new Map([
  ['lines', LINES.slice(1)],
  ['tag', ['session_tag']],
]);

const inSomeCase = (word: string) =>
  fc.array(fc.boolean(), { minLength: word.length, maxLength: word.length }).map((isUpper) =>
    word
      .split('')
      .map((letter, index) => (isUpper[index] === true ? letter.toUpperCase() : letter))
      .join(''),
  );

it('uses the spelling with the highest precedence in any case and order, and notes all others', () => {
  const keys = fc.uniqueArray(
    fc.oneof(...LINES.map(inSomeCase), fc.constantFrom('tag', 'Session_Tag', 'fooBar', 'tabs')),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(keys, (given) => {
      const { values, notes } = matchKeys(
        Object.fromEntries(given.map((key) => [key, key])),
        table,
        'terminal',
      );
      const strength = (key: string) => (key === 'lines' ? -1 : LINES.indexOf(key.toLowerCase()));
      const candidates = given.filter((key) => LINES.includes(key.toLowerCase()));
      const best = Math.min(...candidates.map(strength));
      const wanted = candidates.find((key) => strength(key) === best);
      expect(values.get('lines')).toBe(wanted);
      expect(notes).toHaveLength(given.length - values.size);
    }),
  );
});
