import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTypable, textUnits } from '../../../../../src/platform/linux/display/keys/keyboard-text.ts';

describe('text to type', () => {
  it('becomes its code points, with one line feed per line ending', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom('\n', '\r', '\r\n'), (lines, end) => {
        const units = textUnits(lines.join(end));
        expect(units.map(({ character }) => character).join('')).toBe(lines.join('\n'));
        expect(units.at(-1)?.end ?? 0).toBe(Array.from(lines.join(end)).length);
      }),
    );
    expect(textUnits('\n\r\r\n\n').map(({ character }) => character)).toEqual(['\n', '\n', '\n', '\n']);
    expect(textUnits('👩‍👧e\u{301}').map(({ character }) => character)).toEqual([
      '👩',
      '\u{200D}',
      '👧',
      'e',
      '\u{301}',
    ]);
  });

  it.each(['\0', '\u{7}', '\u{1B}', '\u{7F}', '\u{85}', '\u{D800}', 'a\u{DC00}', '\u{FFFE}', '\u{1FFFF}'])(
    'is refused if it contains what no key produces: %j',
    (text) => {
      expect(() => checkTypable(text)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', delivered: false }),
      );
    },
  );

  it('may be anything else', () => {
    expect(() => checkTypable('\t\r\n \u{A0}\u{AD}\u{200B}\u{202E}\u{FEFF}\u{E000}\u{10FFFD}')).not.toThrow();
  });
});
