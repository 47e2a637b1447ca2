import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpEncoder } from '../../src/image/webp.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { plainImage } from './images.ts';

describe('WebP', () => {
  it('has the size and the colours of the picture, and fewer bytes for less quality', async () => {
    const image = plainImage(320, 200, 0xd0_20_40);
    for (let at = 0; at < image.bgrx.length / 2; at += 1) image.bgrx[at] = (at * 7919) % 251;
    const [good, poor] = await Promise.all(
      [90, 5].map(async (quality) => (await webpEncoder(quality))(image)),
    );
    const { data, info } = await sharp(good).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.format, info.width, info.height]).toEqual(['raw', 320, 200]);
    expect((await sharp(good).metadata()).format).toBe('webp');
    const [red = 0, green = 0, blue = 0] = data.subarray(-3);
    for (const [is, was] of [
      [red, 0xd0],
      [green, 0x20],
      [blue, 0x40],
    ] as const)
      expect(Math.abs(is - was)).toBeLessThan(8);
    expect(poor?.byteLength).toBeLessThan((good?.byteLength ?? 0) / 2);
  });

  it('is refused with the way to get it where the package is missing or broken', async () => {
    for (const [error, message] of [
      [new Error("Cannot find package 'sharp' imported from /usr/lib/image.js"), 'is not installed'],
      [new Error("Cannot find module 'sharp'\nRequire stack:\n- /usr/lib/desk.cjs"), 'is not installed'],
      [new Error("Cannot find module 'detect-libc'"), 'does not start'],
      [new Error('Could not load the "sharp" module using the linux-x64 runtime'), 'does not start'],
    ] as const) {
      const failure = await webpEncoder(80, () => Promise.reject(error)).catch((reason: unknown) => reason);
      expect(failure).toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        message: expect.stringContaining(message),
        suggestion: expect.stringContaining('npm install sharp'),
        platformDetail: error.message,
        delivered: false,
      });
    }
  });

  it('is refused for what is too large, and for what is no image', async () => {
    const encode = await webpEncoder(80);
    await expect(encode(plainImage(16_384, 1))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(encode({ ...plainImage(4, 4), width: 5 })).rejects.toThrow(DeskterityError);
  });
});
