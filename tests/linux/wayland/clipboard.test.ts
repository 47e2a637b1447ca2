import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALL, WaylandStage } from './stage.ts';

let stage: WaylandStage;
beforeAll(async () => {
  stage = await WaylandStage.start();
});
afterAll(() => stage.stop());

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateSync(Buffer.alloc(100_000, 7))]);

/** What another program reads, while this one serves it. */
async function paste(...args: readonly string[]): Promise<Buffer> {
  const { stdout } = await promisify(execFile)('wl-paste', [...args], {
    env: { ...stage.place.environment },
    encoding: 'buffer',
    timeout: 5000,
  });
  return stdout;
}

/** Another program copies. It stays alive to serve the content. */
async function copy(text: string, ...args: readonly string[]): Promise<void> {
  const child = spawn('wl-copy', [...args, '--', text], {
    env: { ...stage.place.environment },
    stdio: 'ignore',
  });
  await once(child, 'exit');
}

describe('the clipboard of sway', () => {
  it('is empty at first', async () => {
    const { clipboard } = stage.desktop;
    expect(await clipboard.formats(CALL)).toEqual({ names: [], text: false, image: false });
    await expect(clipboard.read('text', CALL)).rejects.toMatchObject({ code: 'CLIPBOARD_EMPTY' });
  });

  it('gives other programs what was written, again and again', async () => {
    const { clipboard } = stage.desktop;
    const text = `héllo 你好 😀\n${'long '.repeat(40_000)}`;
    await clipboard.write({ ...CALL, content: { kind: 'text', text }, outlivesCall: true });
    expect(clipboard.isOwned).toBe(true);
    expect((await paste('-n')).toString()).toBe(text);
    expect((await paste('-n')).toString()).toBe(text);
    expect(await clipboard.read('text', CALL)).toEqual({ kind: 'text', text });
  });

  it('holds pictures', async () => {
    const { clipboard } = stage.desktop;
    await clipboard.write({ ...CALL, content: { kind: 'image', png: PNG }, outlivesCall: true });
    expect((await paste('-t', 'image/png')).equals(PNG)).toBe(true);
    expect(await clipboard.formats(CALL)).toMatchObject({ text: false, image: true });
    await expect(clipboard.read('text', CALL)).rejects.toMatchObject({ code: 'CLIPBOARD_EMPTY' });
  });

  it('takes what other programs copy, and is ours no longer', async () => {
    const { clipboard } = stage.desktop;
    const changes: string[] = [];
    const end = await clipboard.watch((change) => changes.push(change), CALL);
    await copy('from another program');
    await expect.poll(() => changes, { timeout: 5000 }).toContain('changed');
    await expect.poll(() => clipboard.isOwned, { timeout: 5000 }).toBe(false);
    expect(await clipboard.read('text', CALL)).toEqual({ kind: 'text', text: 'from another program' });
    await clipboard.clear(CALL);
    expect(await clipboard.formats(CALL)).toMatchObject({ names: [] });
    end();
  });

  it('is not written by a process that would not keep it', async () => {
    const write = stage.desktop.clipboard.write({
      ...CALL,
      content: { kind: 'text', text: 'x' },
      outlivesCall: false,
    });
    await expect(write).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE', delivered: false });
  });
});
