import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { encodePng } from '../../../../src/image/png.ts';
import { clientResources } from '../../../../src/surfaces/mcp/resources/client-resources.ts';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { deskWorld, VOICE } from './desk-world.ts';

const URI = 'deskterity://clipboard';
const SOON = { timeout: 3000 };

function scene() {
  const on = deskWorld([]);
  const resources = clientResources(on.calls, { version: '1.2.3' });
  const read = (uri: string) => resources.read(uri, VOICE);
  const data = async (uri: string): Promise<unknown> => {
    const [content] = (await read(uri)).contents;
    if (content === undefined || !('text' in content)) throw new Error('no text');
    return JSON.parse(content.text);
  };
  return { ...on, resources, read, data };
}

describe('the clipboard', () => {
  const png = encodePng({
    width: 1,
    height: 1,
    bgrx: new Uint8Array(4),
    origin: { x: 0, y: 0 },
    scale: 1,
  });

  it('is read as text, picture or nothing', async () => {
    const { desktop, data, read } = scene();
    expect(await data(URI)).toEqual({ kind: 'empty', formats: [], has_image: false });
    desktop.clipboard.content = { kind: 'text', text: 'Grüße' };
    expect(await data(URI)).toEqual({
      kind: 'text',
      text: 'Grüße',
      bytes: 7,
      formats: ['text/plain'],
      has_image: false,
    });
    desktop.clipboard.content = { kind: 'image', png };
    const { contents } = await read(URI);
    expect(contents).toEqual([
      { uri: URI, mimeType: 'application/json', text: expect.any(String) },
      { uri: URI, mimeType: 'image/png', blob: png.toString('base64') },
    ]);
    expect(await data(URI)).toEqual({
      kind: 'image',
      bytes: png.length,
      formats: ['image/png'],
      has_image: true,
    });
  });

  it('lists the formats on offer if there is neither text nor a picture', async () => {
    const { desktop, data } = scene();
    desktop.clipboard.formats = async () => ({ names: ['text/uri-list'], text: false, image: false });
    expect(await data(URI)).toEqual({ kind: 'other', formats: ['text/uri-list'], has_image: false });
  });

  it('that cannot be read is an error, not empty', async () => {
    const { desktop, read } = scene();
    for (const code of ['TIMEOUT', 'CLIPBOARD_EMPTY'] as const) {
      const failure = new DeskterityError(code, 'No.', { suggestion: 'Repeat it.', retryable: true });
      desktop.clipboard.read = () => Promise.reject(failure);
      await expect(read(URI)).rejects.toMatchObject({ code: -32603, data: { code } });
    }
  });

  it('is reported without being read, rapid changes once', async () => {
    const { desktop, resources, app, calls } = scene();
    const readings = [vi.spyOn(desktop.clipboard, 'read'), vi.spyOn(desktop.clipboard, 'formats')];
    let told = 0;
    const end = await resources.watch(URI, () => (told += 1));
    expect(app.keptBy()).toEqual(['1 watch']);
    for (let count = 0; count < 50; count++)
      desktop.clipboard.content = { kind: 'text', text: `secret ${count}` };
    await expect.poll(() => told, SOON).toBe(1);
    desktop.clipboard.content = undefined;
    await expect.poll(() => told, SOON).toBe(2);
    for (const reading of readings) expect(reading).not.toHaveBeenCalled();
    await calls.answer('clipboard set', { text: 'ours' });
    await expect.poll(() => told, SOON).toBe(3);
    desktop.clipboard.content = undefined;
    end();
    end();
    desktop.clipboard.content = { kind: 'text', text: 'x' };
    // Longer than a change takes to be told.
    await sleep(250);
    expect(told).toBe(3);
    expect(app.keptBy()).toEqual([]);
  });

  it('is reported again after the display was lost', async () => {
    const { desktop, resources } = scene();
    let told = 0;
    const end = await resources.watch(URI, () => (told += 1));
    desktop.clipboard.say('lost');
    await expect.poll(() => told, SOON).toBe(1);
    desktop.clipboard.content = { kind: 'text', text: 'x' };
    await expect.poll(() => told, SOON).toBe(2);
    end();
  });

  it('is refused if it cannot be watched, and holds nothing', async () => {
    const { desktop, resources, app } = scene();
    desktop.clipboard.watch = () =>
      Promise.reject(new DeskterityError('ACTION_NOT_SUPPORTED', 'No.', { suggestion: 'Read it.' }));
    await expect(resources.watch(URI, () => undefined)).rejects.toMatchObject({
      data: { code: 'ACTION_NOT_SUPPORTED' },
    });
    expect(app.keptBy()).toEqual([]);
  });
});
