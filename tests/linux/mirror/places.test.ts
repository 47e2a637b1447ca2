import { afterAll, beforeAll, expect, it } from 'vitest';
import { prune } from '../../../src/model/tree/distill/distill.ts';
import type { OutputNode } from '../../../src/model/tree/node.ts';
import { UNFILTERED } from '../../../src/engine/tree/read-window.ts';
import { CALL, Stage } from '../long-lived/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it('a whole tree without the places of what is off screen tells the same, with fewer messages', async () => {
  const { pid } = await stage.start('gtk3');
  const { root } = await stage.window(pid);
  const read = async (shownPlacesOnly: boolean): Promise<{ tree: OutputNode; callCount: number }> => {
    const request = { ...CALL, root, wholeTree: true, maxNodes: 20_000, includeActions: false };
    const result = await stage.desktop.readTree({ ...request, shownPlacesOnly });
    expect(result.complete).toBe(true);
    const tree = prune(result.root, { ...UNFILTERED, includeBounds: false, wholeTree: true }).root;
    return { tree, callCount: result.callCount };
  };
  const [all, shown] = [await read(false), await read(true)];
  expect(shown.tree).toEqual(all.tree);
  expect(shown.callCount).toBeLessThan(0.9 * all.callCount);
});

it('a tree is the same again while nothing changes, and another one once an element moves without an event', async () => {
  const { pid } = await stage.start('qt5');
  const { root } = await stage.window(pid);
  const read = () =>
    stage.desktop.readTree({
      ...CALL,
      root,
      wholeTree: false,
      maxNodes: 20_000,
      includeActions: false,
      mirrored: true,
    });
  await expect.poll(async () => (await read()).root === (await read()).root, { timeout: 5000 }).toBe(true);
  const before = await read();
  const window = await stage.window(pid);
  await stage.desktop.controlWindow(window.id, { kind: 'move', x: 37, y: 53 }, CALL);
  await expect
    .poll(async () => (await read()).root.bounds, { timeout: 5000 })
    .not.toEqual(before.root.bounds);
});
