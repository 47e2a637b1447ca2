import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pasteBytes, typedBytes } from '../../src/terminal/screen/text-bytes.ts';

const END = '\u001B[201~';

test('typing ends lines as the Enter key does', () => {
  expect(Buffer.from(typedBytes('a\nb\r\nc\u0003')).toString()).toBe('a\rb\rc\u0003');
});

test('pasting stands between marks where the program asked for it', () => {
  const paste = (isBracketedPaste: boolean) =>
    Buffer.from(pasteBytes('a\n\tb\u0003漢', { isBracketedPaste })).toString();
  expect(paste(true)).toBe('\u001B[200~a\r\tb漢\u001B[201~');
  expect(paste(false)).toBe('a\r\tb漢');
});

test('no text ends its own paste', () => {
  const pieces = fc.constantFrom(
    '\u001B',
    '[',
    '2',
    '0',
    '1',
    '~',
    END,
    '\u009B201~',
    '\u001B\u001B[201~[201~',
    '\u0000',
    'x',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
      const pasted = Buffer.from(pasteBytes(parts.join(''), { isBracketedPaste: true })).toString();
      expect(pasted.indexOf(END)).toBe(pasted.length - END.length);
      expect(pasted.slice(6, -END.length)).not.toMatch(/[^\P{Cc}\t\r]/u);
    }),
  );
});
