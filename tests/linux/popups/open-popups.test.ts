import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_KINDS, type FixtureKind } from '../../../fixtures/driver.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../../src/model/tree/node.ts';
import { CALL, named, Stage } from '../long-lived/stage.ts';

const MENU_ROLES = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio']);

let stage: Stage;
const roots = new Map<FixtureKind, NodeHandle>();
beforeAll(async () => {
  stage = await Stage.open();
  for (const kind of FIXTURE_KINDS) {
    const fixture = await stage.start(kind);
    roots.set(kind, (await stage.window(fixture.pid)).root);
  }
}, 60_000);
afterAll(() => stage.close());
// An open menu would take the next click.
afterEach(() => {
  stage.run('xdotool', 'key', 'Escape', 'Escape');
});

function all(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(all)];
}

function field(root: TreeNode, name: string): TreeNode {
  const found = all(root).find((node) => node.role === 'textbox' && node.name === name);
  if (!found) throw new Error(`there is no field ${name}`);
  return found;
}

async function tree(kind: FixtureKind): Promise<TreeNode> {
  const root = roots.get(kind);
  if (!root) throw new Error(`${kind} did not start`);
  return (await stage.read(root)).root;
}

function middle({ name, bounds }: TreeNode): { readonly x: number; readonly y: number } {
  if (!bounds) throw new Error(`${name} is nowhere`);
  return { x: Math.floor(bounds.x + bounds.width / 2), y: Math.floor(bounds.y + bounds.height / 2) };
}

async function click(node: TreeNode, button: 1 | 3): Promise<void> {
  const { x, y } = middle(node);
  stage.run('xdotool', 'mousemove', String(x), String(y), 'click', String(button));
  // What opens a menu must not be disturbed by questions.
  await sleep(100);
}

/** Reads until there are, or are no longer, items in the tree that were not in `before`. */
async function itemsBeyond(
  before: TreeNode,
  kind: FixtureKind,
  wanted: boolean,
): Promise<readonly TreeNode[]> {
  const known = new Set(all(before).map(({ handle }) => handleKey(handle)));
  for (let attempt = 0; attempt < 50; attempt++) {
    const items = all(await tree(kind)).filter(
      ({ role, handle, name }) => MENU_ROLES.has(role) && name !== '' && !known.has(handleKey(handle)),
    );
    if (items.length > 0 === wanted) return items;
    await sleep(100);
  }
  throw new Error(`the menu of ${kind} is ${wanted ? 'not there' : 'still there'}`);
}

/** Its items are there once each, and where they say they are, by the display and by the application. */
async function expectWorkable(items: readonly TreeNode[], kind: FixtureKind): Promise<void> {
  expect(new Set(items.map(({ handle }) => handleKey(handle))).size).toBe(items.length);
  // GTK 4 does not say where the items of a bar's menu really are.
  if (kind === 'gtk4') return;
  for (const item of items.slice(0, 3)) {
    const content = await stage.desktop.contentAt(middle(item), { ...CALL, app: item.handle.app });
    expect(content.isPopup).toBe(true);
    expect(content.lineage.map(handleKey)).toContain(handleKey(item.handle));
  }
}

async function toFront(kind: FixtureKind): Promise<TreeNode> {
  const { handle } = await tree(kind);
  const windows = await stage.desktop.listWindows(CALL);
  const window = windows.find(({ root }) => root && handleKey(root) === handleKey(handle));
  stage.run('xdotool', 'windowactivate', '--sync', window?.id.replace('x11:', '') ?? '');
  await sleep(200);
  return tree(kind);
}

describe.each(FIXTURE_KINDS)('%s', (kind) => {
  it('the menu of the bar is listed while it is open', async () => {
    const before = await toFront(kind);
    await click(named(before, 'Edit'), 1);
    const items = await itemsBeyond(before, kind, true);
    expect(items.map(({ name }) => name)).toContain('Word wrap');
    await expectWorkable(items, kind);
    stage.run('xdotool', 'key', 'Escape');
    await itemsBeyond(before, kind, false);
  });
});

// The menu of a text field of GTK 4 is in no tree at all: the field says that it has no children.
describe.each(['gtk3', 'qt5', 'qt6'] as const)('%s', (kind) => {
  it('a context menu is part of its window, even if it opened before we listened', async () => {
    const before = await toFront(kind);
    await click(field(before, 'Name'), 3);
    const items = await itemsBeyond(before, kind, true);
    expect(items.map(({ name }) => name.split('\t')[0])).toEqual(
      expect.arrayContaining(['Cut', 'Copy', 'Paste', 'Delete', 'Select All']),
    );
    await expectWorkable(items, kind);
    const beside = middle(named(before, 'Edit'));
    const title = await stage.desktop.contentAt(beside, { ...CALL, app: before.handle.app, menus: true });
    expect(title.isBehindMenu).toBe(true);
    const under = field(before, 'Notes');
    const stranger = stage.fresh();
    try {
      const root = roots.get(kind);
      if (!root) throw new Error(`${kind} did not start`);
      await stranger.listWindows(CALL);
      const seen = await stranger.readTree({
        ...CALL,
        root,
        wholeTree: false,
        maxNodes: 20_000,
        includeActions: false,
      });
      expect(all(seen.root).map(({ handle }) => handleKey(handle))).toEqual(
        expect.arrayContaining(items.map(({ handle }) => handleKey(handle))),
      );
      // Its items count against the limit like everything else.
      const maxNodes = all(before).length + 3;
      const cut = await stranger.readTree({
        ...CALL,
        root,
        wholeTree: false,
        maxNodes,
        includeActions: false,
      });
      expect(all(cut.root).length).toBeLessThanOrEqual(maxNodes + 1);
      expect(cut.complete).toBe(false);
    } finally {
      await stranger.close();
    }
    // What lies under the menu is not what a click there would reach.
    const [item] = items;
    const content = item && (await stage.desktop.contentAt(middle(item), { ...CALL, app: item.handle.app }));
    const keys = content?.lineage.map(handleKey) ?? [];
    expect(keys).not.toContain(handleKey(under.handle));
    expect(keys).not.toContain(handleKey(field(before, 'Name').handle));
    stage.run('xdotool', 'key', 'Escape');
    await itemsBeyond(before, kind, false);
  });
});
