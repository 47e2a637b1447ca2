import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import { memoryStore } from '../../../scripts/proof/stage.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import type { NodeHandle, TreeNode } from '../../../src/model/tree/node.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { createClock } from '../../../src/platform/node/clock.ts';

const CALL = { deadlineMs: 15_000 };

let place: PrivateDesktop;
let desktop: LinuxDesktop;
let fixture: Fixture;

beforeAll(async () => {
  place = await PrivateDesktop.start({ deadlineMs: 20_000 });
  desktop = new LinuxDesktop(place.environment);
  fixture = await startFixture('swing', { environment: place.environment, deadlineMs: 40_000 });
});
afterAll(async () => {
  await fixture.stop();
  await desktop.close();
  await place.stop();
});

async function nodes(wholeTree: boolean): Promise<TreeNode[]> {
  for (const end = performance.now() + 15_000; performance.now() < end;) {
    const [window] = await desktop.listWindows({ ...CALL, pid: fixture.pid });
    if (window?.root !== undefined) {
      const request = { ...CALL, root: window.root, wholeTree, maxNodes: 5000, includeActions: false };
      return descend((await desktop.readTree(request)).root);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('there is no window to read');
}

function descend(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(descend)];
}

async function handleOf(id: string): Promise<NodeHandle> {
  const widget = expectedWidgets('swing').find((candidate) => candidate.id === id);
  const found = (await nodes(false)).find(({ role, name }) => role === widget?.role && name === widget.name);
  if (!found) throw new Error(`no ${id}`);
  return found.handle;
}

/** One of the names has a character beyond U+FFFF: whoever asks for all of them at once ends the application. */
it('reads every widget as in widgets.json, and the application survives', async () => {
  const tree = await nodes(true);
  for (const widget of expectedWidgets('swing').filter((each) => !each.kind.endsWith('dialog'))) {
    const alike = tree.filter(({ role, name, description = '' }) => {
      const isNamed = widget.name === '' || [name, description].includes(widget.name);
      return (role === 'menu' ? 'menuitem' : role) === widget.role && isNamed;
    });
    expect(alike.length, `${widget.id}: ${widget.role} "${widget.name}"`).toBeGreaterThan(0);
  }
  const told = tree.map(({ role, name }) => `${role} ${name}`);
  expect(told).toEqual(
    expect.arrayContaining(['listitem Apple', 'cell Item 1', 'treeitem Documents', 'listitem Row 139']),
  );
  expect(tree.find(({ role }) => role === 'combobox')).toMatchObject({ name: 'Colour', value: 'red' });
  expect(await fixture.control('get', { widget: 'counter' })).toMatchObject({ text: 'pressed 0' });
});

it('reports a removed element as gone, although it still responds', async () => {
  const button = await handleOf('enable_later');
  expect((await desktop.describe(button, CALL)).states).not.toContain('defunct');
  await fixture.control('remove', { widget: 'enable_later' });
  expect((await desktop.describe(button, CALL)).states).toContain('defunct');
  const item = (await nodes(true)).find(({ role, name }) => role === 'menuitem' && name === 'Save');
  // It is in a menu that is closed.
  expect((await desktop.describe(item?.handle ?? button, CALL)).states).not.toContain('defunct');
});

it('reports that rows are recreated on every request', async () => {
  const rows = async () => (await nodes(false)).filter(({ name }) => name === 'Cherry');
  const [[first], [second]] = [await rows(), await rows()];
  expect(first?.handle.path).not.toBe(second?.handle.path);
  const old = await desktop.describe(first?.handle ?? { app: '', path: '' }, CALL);
  expect(old).toMatchObject({ role: 'listitem', name: 'Cherry', remade: true });
  expect(await desktop.describe(await handleOf('press'), CALL)).not.toHaveProperty('remade');
});

it('follows a recreated node after its neighbours have changed', async () => {
  await fixture.control('set', { widget: 'tabs', property: 'selected', value: 'Advanced' });
  const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
  const query = { query: 'Documents', by: 'exact', limit: 1, wholeTree: false } as const;
  const ref = (await engine.find({ ...CALL, ...query, app: String(fixture.pid) })).matches[0]?.ref ?? '';
  for (const act of ['expand', 'collapse'] as const) {
    const { changes = [] } = await engine.act({ ...CALL, ref, act });
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'changed', name: 'Documents' }));
    const told = (await fixture.events()).at(-1);
    expect(told).toMatchObject({
      widget: 'files',
      event: act === 'expand' ? 'expanded' : 'collapsed',
      value: 'Documents',
    });
    // What was made anew and is the same is no change.
    expect(changes.filter(({ name }) => name === 'Item 1' || name === 'Price')).toEqual([]);
  }
  await fixture.control('set', { widget: 'tabs', property: 'selected', value: 'General' });
});

it('knows where the items of an open menu are drawn, which its bridge does not', async () => {
  const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
  const scope = { ...CALL, app: String(fixture.pid), by: 'exact', role: 'menuitem', limit: 9 } as const;
  const refOf = async (query: string): Promise<string> =>
    (await engine.find({ ...scope, query, wholeTree: false })).matches[0]?.ref ?? '';
  await engine.click({ ...CALL, ref: await refOf('File'), mode: 'pointer' });
  const tree = await nodes(false);
  const boxOf = (name: string): number => tree.find((node) => node.name === name)?.bounds?.y ?? 0;
  // Not over their menu.
  expect(boxOf('Open')).toBeGreaterThan(boxOf('File'));
  expect(boxOf('Save')).toBeGreaterThan(boxOf('Open'));
  await engine.click({ ...CALL, ref: await refOf('Save'), mode: 'pointer' });
  const isMenu = ({ event }: { event: string }): boolean => event === 'menu-activated';
  const event = await fixture.waitForEvent(isMenu, 5000);
  expect(event).toMatchObject({ widget: 'file_save' });
});

it.each(['click', 'expand'] as const)('%s opens a menu of Swing as a person does', async (act) => {
  const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
  const app = String(fixture.pid);
  const refOf = async (query: string): Promise<string> =>
    (await engine.find({ ...CALL, app, query, by: 'exact', role: 'menuitem', limit: 1, wholeTree: false }))
      .matches[0]?.ref ?? '';
  const opened = async (mode?: 'pointer') => {
    const request = { ...CALL, ref: await refOf('File'), mode };
    const { via } = await (act === 'click' ? engine.click(request) : engine.act({ ...request, act }));
    const items = (await nodes(false)).filter(({ role }) => role === 'menuitem').map(({ name }) => name);
    // A second click on its title closes it.
    await engine.click({ ...request, mode: 'pointer' });
    return { via, items };
  };
  const byHand = await opened('pointer');
  expect(byHand.items).toEqual(expect.arrayContaining(['Open', 'Save']));
  expect(await opened()).toEqual({ via: 'at-spi:Action.DoAction(click)', items: byHand.items });
});

it('type inserts at the caret of a Swing field what keys would', async () => {
  const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
  const query = { app: String(fixture.pid), query: 'Name', by: 'exact', role: 'textbox', limit: 1 } as const;
  const typed = async (mode: 'focus' | 'background') => {
    await fixture.control('set', { widget: 'name', property: 'text', value: 'before ' });
    const ref = (await engine.find({ ...CALL, ...query, wholeTree: false })).matches[0]?.ref ?? '';
    const { via } = await engine.type({ ...CALL, ref, text: 'after', delayMs: 0, clearFirst: false, mode });
    return { via, state: await fixture.control('get', { widget: 'name' }) };
  };
  const byHand = await typed('focus');
  const byAction = await typed('background');
  expect(byAction.via).toContain('EditableText.InsertText');
  expect([byHand.state, byAction.state]).toMatchObject([{ text: 'before after' }, { text: 'before after' }]);
});

it('leaves out what is in a panel of no width, which Java reports as showing', async () => {
  const inDock = (tree: readonly TreeNode[]) => tree.find(({ name }) => name === 'In a closed dock');
  expect(inDock(await nodes(false))).toBeUndefined();
  const found = inDock(await nodes(true));
  expect(found?.states).toContain('hidden');
  const alone = await desktop.describe(found?.handle ?? { app: '', path: '' }, CALL);
  expect([alone.name, alone.states]).toEqual(['In a closed dock', expect.arrayContaining(['hidden'])]);
});

it('changes a part of a text of several lines', async () => {
  const text = 'first\nsecond line';
  await fixture.control('set', { widget: 'notes', property: 'text', value: text });
  const notes = await handleOf('notes');
  expect(await desktop.textEditing(notes, CALL)).toEqual({ changesParts: true, isFormatted: false });
  const change = { text, at: 6, removed: 'second', inserted: '2' };
  expect(await desktop.changeText(notes, change, CALL)).toMatchObject({ accepted: true });
  expect(await desktop.describe(notes, CALL)).toMatchObject({ text: 'first\n2 line' });
  await fixture.control('set', { widget: 'notes', property: 'text', value: '' });
});

it('refuses text and numbers that its bridge would corrupt, and reports what it cannot read', async () => {
  const field = await handleOf('name');
  await desktop.setValue(field, 'zażółć 日本', CALL);
  expect(await desktop.describe(field, CALL)).toMatchObject({ text: 'zażółć 日本' });
  const spoilt = { code: 'NOT_ACTIONABLE', delivered: false };
  await expect(desktop.setValue(field, 'a 😀', CALL)).rejects.toMatchObject(spoilt);
  await expect(desktop.insertText(field, '😀', CALL)).rejects.toMatchObject(spoilt);
  await fixture.control('set', { widget: 'name', property: 'text', value: 'a 😀' });
  expect(await desktop.describe(field, CALL)).toMatchObject({ text: '\uFFFD'.repeat(4) });
  await expect(desktop.setValue(await handleOf('volume'), '80', CALL)).rejects.toMatchObject({
    code: 'ACTION_NOT_SUPPORTED',
    delivered: false,
  });
});
