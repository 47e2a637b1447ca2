import { expect, test } from 'vitest';
import { mouseBytes } from '../../src/terminal/screen/mouse-bytes.ts';

const SGR = { mouseTracking: 'vt200', isSgrMouse: true } as const;
const OLD = { mouseTracking: 'vt200', isSgrMouse: false } as const;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('a click in the SGR encoding', () => {
  const place = { column: 299, row: 9 };
  expect(text(mouseBytes({ kind: 'down', button: 'left' }, place, SGR))).toBe('\u001B[<0;300;10M');
  expect(text(mouseBytes({ kind: 'up', button: 'right' }, place, SGR))).toBe('\u001B[<2;300;10m');
  expect(text(mouseBytes({ kind: 'wheel', direction: 'down' }, place, SGR))).toBe('\u001B[<65;300;10M');
});

test('a click in the original encoding, which ends at column 223', () => {
  expect(text(mouseBytes({ kind: 'down', button: 'middle' }, { column: 0, row: 222 }, OLD))).toBe(
    '\u001B[M!!\u00FF',
  );
  expect(text(mouseBytes({ kind: 'up', button: 'middle' }, { column: 0, row: 0 }, OLD))).toBe('\u001B[M#!!');
  expect(() => mouseBytes({ kind: 'down', button: 'left' }, { column: 223, row: 0 }, OLD)).toThrow(
    /only up to column and row 223/,
  );
});

test('nothing is sent if the mouse is not tracked', () => {
  expect(() =>
    mouseBytes(
      { kind: 'down', button: 'left' },
      { column: 0, row: 0 },
      { mouseTracking: 'none', isSgrMouse: true },
    ),
  ).toThrow(/does not track the mouse/);
  const x10 = { mouseTracking: 'x10', isSgrMouse: false } as const;
  expect(mouseBytes({ kind: 'up', button: 'left' }, { column: 0, row: 0 }, x10)).toHaveLength(0);
});
