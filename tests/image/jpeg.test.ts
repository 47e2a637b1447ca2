import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { encodeJpeg } from '../../src/image/jpeg.ts';
import { plainImage } from './images.ts';

describe('encodeJpeg', () => {
  it('keeps the colours in their order', () => {
    const decoded = jpeg.decode(encodeJpeg(plainImage(16, 16, 0xff_80_00), 95), { useTArray: true });
    expect([decoded.width, decoded.height]).toEqual([16, 16]);
    const [red = 0, green = 0, blue = 0] = decoded.data;
    expect(Math.abs(red - 255) + Math.abs(green - 128) + Math.abs(blue)).toBeLessThan(12);
  });
});
