import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { encodePng } from '../../src/image/png.ts';
import type { ClipboardContent } from '../../src/ports/clipboard.ts';
import { DEADLINE, stage } from './support/stage.ts';

const text = (words: string): ClipboardContent => ({ kind: 'text', text: words });
const PNG = encodePng({ width: 1, height: 1, bgrx: new Uint8Array(4), origin: { x: 0, y: 0 }, scale: 1 });

async function start() {
  const on = await stage([]);
  const write = (content: ClipboardContent, outlivesCall = true) =>
    on.engine.writeClipboard({ ...DEADLINE, content, outlivesCall });
  return { ...on, write };
}

describe('writing the clipboard', () => {
  it('is confirmed by reading it back', async () => {
    const { engine, write } = await start();
    expect(await write(text('ąę😀'))).toEqual({
      effect: 'confirmed',
      evidence: ['the same content was read back from the display'],
      formats: ['text/plain'],
      bytes: 8,
    });
    expect(await engine.readClipboard({ ...DEADLINE, kind: 'text' })).toEqual(text('ąę😀'));
    expect(await write({ kind: 'image', png: PNG })).toMatchObject({
      effect: 'confirmed',
      bytes: PNG.length,
    });
    expect(await engine.clipboardFormats(DEADLINE)).toMatchObject({ text: false, image: true });
  });

  it.each([text('theirs'), { kind: 'image', png: PNG } as const])(
    'fails if another program replaces it immediately: %o',
    async (rival) => {
      const { desktop, write } = await start();
      desktop.clipboard.rival = rival;
      await expect(write(text('mine'))).rejects.toMatchObject({
        code: 'ACTION_FAILED',
        delivered: true,
        result: { effect: 'no_op' },
      });
    },
  );

  it('is not confirmed if it cannot be read back', async () => {
    const { desktop, write } = await start();
    desktop.clipboard.read = () =>
      Promise.reject(new DeskterityError('TIMEOUT', 'Slow.', { suggestion: 'Wait.' }));
    expect(await write(text('x'))).toMatchObject({
      effect: 'unverified',
      evidence: ['it could not be read back: Slow.'],
    });
  });

  it.each([
    ['half a character', text('a\uD83D')],
    ['an end mark', text('a\0')],
    ['more than fits', text('x'.repeat(16 * 1_048_576 + 1))],
    ['what is no PNG file', { kind: 'image', png: Buffer.from('GIF89a') }],
    ['a PNG file that is cut off', { kind: 'image', png: PNG.subarray(0, -5) }],
    ['a damaged PNG file', { kind: 'image', png: Buffer.from(PNG).fill(1, 20, 24) }],
  ] as const)('refuses %s before anything is done', async (_, content) => {
    const { desktop, write } = await start();
    await expect(write(content)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(desktop.clipboard.content).toBeUndefined();
  });
});

describe('clearing the clipboard', () => {
  it('is confirmed if it is empty afterwards', async () => {
    const { engine, write } = await start();
    await write(text('x'));
    expect(await engine.clearClipboard(DEADLINE)).toMatchObject({ effect: 'confirmed', formats: [] });
    await expect(engine.readClipboard({ ...DEADLINE, kind: 'text' })).rejects.toMatchObject({
      code: 'CLIPBOARD_EMPTY',
    });
  });

  it('is not confirmed if a clipboard manager restores its copy', async () => {
    const { engine, desktop } = await start();
    desktop.clipboard.rival = text('remembered');
    expect(await engine.clearClipboard(DEADLINE)).toMatchObject({
      effect: 'unverified',
      formats: ['text/plain'],
    });
  });
});
