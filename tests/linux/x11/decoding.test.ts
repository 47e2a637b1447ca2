import { describe, expect, it } from 'vitest';
import { decodeCompoundText } from '../../../src/platform/linux/display/x11/properties.ts';
import { parseXauthority } from '../../../src/platform/linux/display/x11/xauthority.ts';

describe('decodeCompoundText', () => {
  it.each([
    ['Latin-1 only', Buffer.from('Gr\u00FC\u00DFe', 'latin1'), 'Gr\u00FC\u00DFe'],
    [
      'a switch to UTF-8 and back',
      Buffer.concat([Buffer.from('a \u001B%G'), Buffer.from('\u65E5\u672C'), Buffer.from('\u001B%@ b')]),
      'a \u65E5\u672C b',
    ],
    ['an unknown character set', Buffer.from('x\u001B$(By', 'latin1'), 'xy'],
    ['a cut escape sequence', Buffer.from('x\u001B%', 'latin1'), 'x'],
  ])('reads %s', (_name, bytes, text) => {
    expect(decodeCompoundText(bytes)).toBe(text);
  });
});

describe('parseXauthority', () => {
  it('keeps the entries before a truncation', () => {
    const entry = Buffer.from('0100000268690001300001410001ff', 'hex');
    const parsed = { family: 256, address: 'hi', display: '0', name: 'A', data: '\u00FF' };
    expect(parseXauthority(entry)).toEqual([parsed]);
    expect(parseXauthority(Buffer.concat([entry, entry.subarray(0, 9)]))).toEqual([parsed]);
    expect(parseXauthority(Buffer.alloc(0))).toEqual([]);
  });
});
