import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import { UnlistedEditors, type EditorReader } from '../../../src/platform/linux/desktop/unlisted-editors.ts';

const BUS = ':1.2';

function node(path: string, more: Partial<TreeNode> = {}): TreeNode {
  return {
    handle: { app: BUS, path },
    role: 'generic',
    nativeRole: '',
    name: '',
    states: [],
    children: [],
    ...more,
  };
}

const item = (path: string, x: number): TreeNode =>
  node(path, { role: 'listitem', name: path, bounds: { x, y: 0, width: 80, height: 100 } });
const list = node('list', { role: 'list', children: [item('one', 0), item('two', 100), item('three', 200)] });
const tree = node('window', { role: 'window', children: [list] });
const EDITOR = node('editor', {
  role: 'textbox',
  states: ['focused'],
  bounds: { x: 95, y: 50, width: 90, height: 50 },
});
/** As in Qt 5: the list names its items, and not the area that contains the editor. */
const PARENTS: Readonly<Record<string, string>> = { editor: 'viewport', viewport: 'list', list: 'window' };

const result = (root: TreeNode) => ({
  root,
  complete: true,
  incompleteReasons: [],
  nodeCount: 1,
  callCount: 1,
});

async function read(
  editor: TreeNode,
  parents: Readonly<Record<string, string>> = PARENTS,
): Promise<readonly string[] | undefined> {
  const editors = new UnlistedEditors({ onSignal: () => () => undefined });
  editors.noteFocus(BUS, 'editor');
  const reader: EditorReader = {
    read: async () => result(editor),
    parentOf: async (path) => parents[path],
  };
  const { root } = await editors.addTo(result(tree), BUS, reader);
  return root.children[0]?.children.map(({ handle }) => handle.path);
}

describe('an editor that no element names as its child', () => {
  it('follows the item that it covers', async () => {
    expect(await read(EDITOR)).toEqual(['one', 'two', 'editor', 'three']);
  });

  it('is found in the boxes that hold it and its buttons, as in a property editor', async () => {
    const parents = { editor: 'text', text: 'reset', reset: 'box', box: 'viewport', viewport: 'list' };
    expect(await read(EDITOR, parents)).toEqual(['one', 'two', 'editor', 'three']);
  });

  it('is the last one of its list if it covers none', async () => {
    const bounds = { x: 95, y: 500, width: 90, height: 50 };
    expect(await read({ ...EDITOR, bounds })).toEqual(['one', 'two', 'three', 'editor']);
  });

  it.each<[string, TreeNode, Readonly<Record<string, string>>]>([
    ['is closed', { ...EDITOR, states: ['hidden'] }, PARENTS],
    ['is no editor', { ...EDITOR, role: 'listitem' }, PARENTS],
    // Qt makes new objects for events, and items out of view are left out on purpose.
    ['is an item of the list', EDITOR, { editor: 'list', list: 'window' }],
    ['is in another window', EDITOR, { editor: 'viewport', viewport: 'elsewhere', elsewhere: 'root' }],
    ['names itself as its parent', EDITOR, { editor: 'editor' }],
  ])('is not added if it %s', async (_, editor, parents) => {
    expect(await read(editor, parents)).toEqual(['one', 'two', 'three']);
  });
});
