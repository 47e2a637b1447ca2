import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bounds } from '../../../src/model/tree/bounds.ts';
import type { NodeHandle } from '../../../src/model/tree/node.ts';
import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { CALL, named, Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage.close();
});

async function boundsOf(node: NodeHandle): Promise<Bounds> {
  const { bounds } = await stage.desktop.describe(node, CALL);
  if (!bounds) throw new Error('the element is nowhere');
  return bounds;
}

describe.each(['gtk3', 'gtk4', 'qt6'] as const)('a %s window', (kind) => {
  it('is found after it was moved and resized, without a new list', async () => {
    const fixture = await stage.start(kind);
    const window = await stage.window(fixture.pid);
    const id = window.id.replace('x11:', '');
    stage.run('xdotool', 'windowmove', '--sync', id, '100', '100');
    const button = named((await stage.read(window.root)).root, 'Press').handle;
    const client = (): { x: number; y: number } => {
      const shell = stage.run('xdotool', 'getwindowgeometry', '--shell', id);
      const number = (name: string): number => Number(new RegExp(`^${name}=(.*)$`, 'm').exec(shell)?.[1]);
      return { x: number('X'), y: number('Y') };
    };
    const before = { client: client(), button: await boundsOf(button) };
    stage.run('xdotool', 'windowmove', '--sync', id, '400', '250');
    const after = client();
    const expected = {
      ...before.button,
      x: before.button.x + after.x - before.client.x,
      y: before.button.y + after.y - before.client.y,
    };
    expect(after).not.toEqual(before.client);
    await expect.poll(() => boundsOf(button), { timeout: 3000 }).toEqual(expected);
    const tree = await stage.read(window.root);
    expect(named(tree.root, 'Press').bounds).toEqual(expected);

    stage.run('xdotool', 'windowsize', '--sync', id, '900', '700');
    await expect
      .poll(async () => (await stage.read(window.root)).root.bounds?.width, { timeout: 3000 })
      .toBeGreaterThanOrEqual(880);
    const frame = (await stage.read(window.root)).root.bounds;
    const resized = await boundsOf(button);
    expect(resized.x).toBeGreaterThanOrEqual(frame?.x ?? 0);
    expect(resized.x + resized.width).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
  });

  it('is not confused with another window that its application opened later', async () => {
    const fixture = await stage.start(kind, `two windows of ${kind}`);
    const window = await stage.window(fixture.pid);
    stage.run('xdotool', 'windowmove', '--sync', window.id.replace('x11:', ''), '50', '60');
    // A window may be listed before its elements are.
    await expect.poll(async () => (await stage.read(window.root)).complete).toBe(true);
    await boundsOf(named((await stage.read(window.root)).root, 'Press').handle);
    await fixture.control('open_dialog');
    const another = stage.fresh();
    try {
      await expect
        .poll(
          async () =>
            (await another.listWindows({ ...CALL, pid: fixture.pid })).filter(({ root }) => root).length,
        )
        .toBe(2);
      const windows = await another.listWindows({ ...CALL, pid: fixture.pid });
      const dialog = windows.find((candidate) => candidate.root?.path !== window.root.path)?.root;
      if (!dialog) throw new Error('there is no dialog');
      const read = (desktop: LinuxDesktop) =>
        desktop.readTree({ ...CALL, root: dialog, wholeTree: false, maxNodes: 1000, includeActions: false });
      await expect
        .poll(async () => named((await read(stage.desktop)).root, 'OK').bounds, { timeout: 3000 })
        .toEqual(named((await read(another)).root, 'OK').bounds);
    } finally {
      await another.close();
      await fixture.control('close_dialog');
    }
  });
});
