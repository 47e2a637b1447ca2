import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture, FixtureKind } from '../../../fixtures/driver.ts';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import { CALL, NO_KWIN, WaylandStage, worksOnWayland, type StageDisplay } from './stage.ts';

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];

function find(node: TreeNode, name: string): TreeNode | undefined {
  if (node.name.startsWith(name) && node.role === 'button') return node;
  for (const child of node.children) {
    const found = find(child, name);
    if (found) return found;
  }
  return undefined;
}

const DISPLAYS: readonly StageDisplay[] = NO_KWIN === undefined ? ['wayland', 'kwin'] : ['wayland'];
/** Wholly on one, at both scales, and across two. */
const ON_ADDED_SCREENS = [
  { x: -940, y: -60 },
  { x: 1400, y: 350 },
  { x: -100, y: 50 },
];
const CASES = DISPLAYS.flatMap((display) => KINDS.map((kind) => [kind, display] as const));

describe.each(CASES)('places in %s on %s', (kind, display) => {
  let stage: WaylandStage;
  let fixture: Fixture;
  beforeAll(async () => {
    if (!worksOnWayland(kind)) return;
    stage = await WaylandStage.start(display);
    fixture = await stage.fixture(kind);
    if (display === 'wayland') stage.addScreens();
  });
  afterAll(() => stage?.stop());

  async function button(): Promise<TreeNode> {
    const { root } = await stage.window(fixture);
    if (root === undefined) throw new Error('no tree');
    const tree = await stage.desktop.readTree({
      ...CALL,
      root,
      wholeTree: false,
      maxNodes: 5000,
      includeActions: false,
    });
    const found = find(tree.root, 'Press');
    if (found === undefined) throw new Error('no button');
    return found;
  }

  it.skipIf(!worksOnWayland(kind))('are where a click reaches the element', async () => {
    for (const place of [
      { x: 10, y: 40 },
      { x: 250, y: 90 },
      ...(display === 'wayland' ? ON_ADDED_SCREENS : []),
    ]) {
      const { id } = await stage.window(fixture);
      await stage.desktop.controlWindow(id, { kind: 'move', ...place }, CALL);
      const { bounds = { x: 0, y: 0, width: 0, height: 0 } } = await button();
      const point = {
        x: bounds.x + Math.floor(bounds.width / 2),
        y: bounds.y + Math.floor(bounds.height / 2),
      };
      const content = await stage.desktop.contentAt(point, { ...CALL, app: (await button()).handle.app });
      expect(content).toMatchObject({ windowId: id, pid: fixture.pid });
      const before = (await fixture.events()).length;
      const lease = await stage.desktop.input.take('test', CALL);
      await lease.moveTo(point, CALL);
      await lease.click('left', 1, CALL);
      await lease.endLease();
      await fixture.waitForEvent(({ widget, seq }) => widget === 'press' && seq > before, 5000);
      const { path } = (await button()).handle;
      expect(content.lineage.map((each) => each.path)).toContain(path);
    }
  });
});
