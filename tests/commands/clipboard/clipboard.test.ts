import { describe, expect, it } from 'vitest';
import clear from '../../../src/commands/clipboard/clipboard-clear.ts';
import get from '../../../src/commands/clipboard/clipboard-get.ts';
import hasImage from '../../../src/commands/clipboard/clipboard-has-image.ts';
import set from '../../../src/commands/clipboard/clipboard-set.ts';
import type { Picture } from '../../../src/registry/define.ts';
import { fakeDesktop } from '../fake-engine.ts';

const RECEIPT = { effect: 'confirmed', evidence: ['read back'], formats: ['UTF8_STRING'], bytes: 6 } as const;
const png = Uint8Array.of(1, 2, 3);

const holding = (text: string) =>
  fakeDesktop({ readClipboard: async () => ({ kind: 'text', text }) as const });

describe('clipboard get', () => {
  it('returns the text, quoted in outlines', async () => {
    const output = await get.run(holding('a\u202Eb\n"c"').ctx, get.input.parse({}));
    expect(output).toEqual({ kind: 'text', text: 'a\u202Eb\n"c"', bytes: 9 });
    expect(get.outline?.(output)).toBe(String.raw`"a\u{202E}b\n\"c\""`);
    expect(get.text?.(output)).toBe('a\u202Eb\n"c"');
  });

  it('cuts long text between characters and reports it', async () => {
    const output = await get.run(holding('a😀b').ctx, get.input.parse({ max_bytes: 4 }));
    expect(output).toEqual({ kind: 'text', text: 'a', bytes: 6, omitted_bytes: 5 });
    expect(get.outline?.(output)).toContain('5 of 6 bytes left out');
  });

  it('writes a picture readable only by its owner, named by the time by default', async () => {
    const desk = fakeDesktop({ readClipboard: async () => ({ kind: 'image', png }) });
    expect(await get.run(desk.ctx, get.input.parse({ image: 'a.png' }))).toEqual({
      kind: 'image',
      bytes: 3,
      path: '/home/someone/a.png',
    });
    await get.run(desk.ctx, get.input.parse({ kind: 'image' }));
    expect([...desk.written.keys()]).toEqual([
      '/home/someone/a.png',
      '/home/someone/clipboard-2026-01-31T23-59-58-123Z.png',
    ]);
    expect(desk.calls[0]).toMatchObject({ request: { kind: 'image' } });
  });

  it('attaches a picture instead of writing a file if the surface can show it', async () => {
    const pictures: Picture[] = [];
    const desk = fakeDesktop(
      { readClipboard: async () => ({ kind: 'image', png }) },
      { attach: (picture) => pictures.push(picture) },
    );
    expect(await get.run(desk.ctx, get.input.parse({ kind: 'image' }))).toEqual({ kind: 'image', bytes: 3 });
    expect(pictures).toEqual([{ mimeType: 'image/png', bytes: png }]);
    expect(desk.written.size).toBe(0);
  });

  it('accepts no file for text', () => {
    expect(get.input.safeParse({ kind: 'text', image: 'a.png' }).success).toBe(false);
  });
});

describe('clipboard set', () => {
  it.each([true, false])(
    'passes on the text and whether this process outlives the call: %s',
    async (outlivesCall) => {
      const desk = fakeDesktop({ writeClipboard: async () => RECEIPT }, { outlivesCall });
      const output = await set.run(desk.ctx, set.input.parse({ text: 'secret' }));
      expect(output).toEqual(RECEIPT);
      expect(desk.calls).toMatchObject([
        { request: { content: { kind: 'text', text: 'secret' }, outlivesCall } },
      ]);
      expect(set.outline?.(output)).toBe('confirmed: "UTF8_STRING" 6 bytes\n  evidence: read back');
    },
  );

  it('does not reveal even the length of a secret', async () => {
    const desk = fakeDesktop({ writeClipboard: async () => RECEIPT }, { secrets: ['secret'] });
    const output = await set.run(desk.ctx, set.input.parse({ text: 'secret' }));
    expect(output).not.toHaveProperty('bytes');
  });

  it('reads a picture from a path relative to the caller', async () => {
    const files = {
      ...fakeDesktop().ctx.files,
      read: async (path: string) => (path === '/home/someone/a.png' ? png : undefined),
      find: async (path: string) => ({ path, kind: 'file' as const, bytes: 3, isWritable: false }),
    };
    const desk = fakeDesktop({ writeClipboard: async () => RECEIPT }, { files });
    await set.run(desk.ctx, set.input.parse({ image: 'a.png' }));
    expect(desk.calls).toMatchObject([{ request: { content: { kind: 'image', png } } }]);
    const huge = {
      ...files,
      find: async (path: string) => ({ path, kind: 'file' as const, bytes: 2e7, isWritable: false }),
    };
    await expect(
      set.run(fakeDesktop({}, { files: huge }).ctx, set.input.parse({ image: 'a.png' })),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(set.run(fakeDesktop().ctx, set.input.parse({ image: 'none.png' }))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it.each([{}, { text: 'a', image: 'b' }, { text: '' }])('refuses %o', (input) => {
    expect(set.input.safeParse(input).success).toBe(false);
  });
});

it('clipboard clear reports what is there afterwards', async () => {
  const { ctx } = fakeDesktop({ clearClipboard: async () => ({ ...RECEIPT, formats: [], bytes: 0 }) });
  const output = await clear.run(ctx, clear.input.parse({}));
  expect(output).toEqual({ effect: 'confirmed', evidence: ['read back'], formats: [] });
  expect(clear.outline?.(output)).toBe('confirmed: no formats\n  evidence: read back');
});

it('clipboard has-image reports the formats on offer', async () => {
  const { ctx } = fakeDesktop({
    clipboardFormats: async () => ({ names: ['image/png', 'x\u202E'], text: false, image: true }),
  });
  const output = await hasImage.run(ctx, hasImage.input.parse({}));
  expect(output).toEqual({ has_image: true, formats: ['image/png', 'x\u202E'] });
  expect(hasImage.outline?.(output)).toBe(String.raw`a picture; "image/png" "x\u{202E}"`);
  expect(hasImage.text?.(output)).toBe('true');
});
