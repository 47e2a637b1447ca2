import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture } from '../../../fixtures/driver.ts';
import type { DesktopWindow, WindowRequest } from '../../../src/ports/desktop/windows.ts';
import { CALL, WaylandStage } from './stage.ts';

const Node = z.object({
  pid: z.number().optional(),
  rect: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  window_rect: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  focused: z.boolean(),
  nodes: z.array(z.unknown()),
  floating_nodes: z.array(z.unknown()),
});

let stage: WaylandStage;
let first: Fixture;
let second: Fixture;
beforeAll(async () => {
  stage = await WaylandStage.start();
  first = await stage.fixture('gtk3', 'First');
  second = await stage.fixture('gtk4', 'Second');
});
afterAll(() => stage.stop());

/** What swaymsg says about the window of a process. */
function told(pid: number): z.output<typeof Node> | undefined {
  const search = (data: unknown): z.output<typeof Node> | undefined => {
    const node = Node.parse(data);
    if (node.pid === pid) return node;
    for (const child of [...node.nodes, ...node.floating_nodes]) {
      const found = search(child);
      if (found) return found;
    }
    return undefined;
  };
  return search(JSON.parse(stage.sway('-t', 'get_tree')));
}

async function control(fixture: Fixture, request: WindowRequest): Promise<DesktopWindow> {
  const { id } = await stage.window(fixture);
  await stage.desktop.controlWindow(id, request, CALL);
  return stage.window(fixture);
}

describe('windows of sway', () => {
  it('are listed with title, process, place and tree', async () => {
    const windows = await stage.desktop.listWindows(CALL);
    expect(windows).toHaveLength(2);
    expect(windows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: 'First', pid: first.pid, accessible: true, minimized: false }),
        expect.objectContaining({ title: 'Second', pid: second.pid, accessible: true, focused: true }),
      ]),
    );
    for (const { pid, bounds } of windows) {
      const node = told(pid);
      expect(bounds).toEqual({
        x: (node?.rect.x ?? 0) + (node?.window_rect.x ?? 0),
        y: (node?.rect.y ?? 0) + (node?.window_rect.y ?? 0),
        width: node?.window_rect.width,
        height: node?.window_rect.height,
      });
    }
  });

  it('get the focus', async () => {
    expect(await control(first, { kind: 'focus' })).toMatchObject({ focused: true, hasInput: true });
    expect(told(first.pid)?.focused).toBe(true);
    expect(await control(second, { kind: 'focus' })).toMatchObject({ focused: true });
    expect(told(first.pid)?.focused).toBe(false);
  });

  it('are moved and resized by what their client draws', async () => {
    await control(first, { kind: 'resize', width: 900, height: 650 });
    await expect
      .poll(async () => (await stage.window(first)).bounds, { timeout: 5000 })
      .toMatchObject({ width: 900, height: 650 });
    expect((await control(first, { kind: 'move', x: 33, y: 77 })).bounds).toMatchObject({ x: 33, y: 77 });
    const node = told(first.pid);
    expect({
      x: (node?.rect.x ?? 0) + (node?.window_rect.x ?? 0),
      y: (node?.rect.y ?? 0) + (node?.window_rect.y ?? 0),
    }).toEqual({ x: 33, y: 77 });
  });

  it('are minimized and restored where they were', async () => {
    const { bounds } = await stage.window(first);
    expect(await control(first, { kind: 'minimize' })).toMatchObject({ minimized: true });
    expect(await control(first, { kind: 'restore' })).toMatchObject({ minimized: false, bounds });
  });

  it('are not maximized, which sway does not know', async () => {
    const { id } = await stage.window(first);
    await expect(stage.desktop.controlWindow(id, { kind: 'maximize' }, CALL)).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      message: 'Sway does not maximize windows.',
      delivered: false,
    });
  });

  it('are not moved while they are tiled', async () => {
    const { id } = await stage.window(first);
    stage.sway('[title="First"] floating disable');
    await expect(stage.desktop.controlWindow(id, { kind: 'move', x: 0, y: 0 }, CALL)).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      message: expect.stringContaining('tiled'),
    });
    stage.sway('[title="First"] floating enable');
  });

  it('report what happens to them, and end with their application', async () => {
    const kinds: string[] = [];
    const end = await stage.desktop.watch(({ kind }) => kinds.push(kind), { ...CALL, windowsOnly: true });
    const third = await stage.fixture('gtk3', 'Third');
    const { id } = await stage.window(third);
    await stage.desktop.controlWindow(id, { kind: 'close' }, CALL);
    await expect
      .poll(() => kinds, { timeout: 5000 })
      .toEqual(expect.arrayContaining(['window-opened', 'window-closed']));
    await expect.poll(() => told(third.pid), { timeout: 5000 }).toBeUndefined();
    end();
  });

  it('are refused by an id that is none', async () => {
    for (const id of ['sway:99999', 'x11:0x1', 'nonsense'])
      await expect(stage.desktop.controlWindow(id, { kind: 'focus' }, CALL)).rejects.toMatchObject({
        delivered: id.startsWith('sway') ? undefined : false,
      });
  });
});

describe('the desktop', () => {
  it('tells what it is', async () => {
    expect(await stage.desktop.status(CALL)).toMatchObject({
      display: stage.place.display,
      session: 'wayland',
      windowManager: expect.stringMatching(/^sway \d/),
      screen: { width: 1280, height: 800 },
    });
    expect(await stage.desktop.permissions({ ...CALL, request: false })).toMatchObject({ granted: true });
  });
});
