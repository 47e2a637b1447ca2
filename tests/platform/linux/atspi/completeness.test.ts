import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../../../src/model/tree/node.ts';
import {
  isCutByDepth,
  isStillLoading,
  missingContent,
} from '../../../../src/platform/linux/desktop/read-window-tree.ts';
import type { ToolkitKind } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';
import type { TreeResult } from '../../../../src/ports/desktop/elements.ts';
import { spelled } from '../../../spelled.ts';

const BOX = { x: 0, y: 0, width: 10, height: 10 };

function node(changes: Partial<TreeNode> = {}): TreeNode {
  return {
    handle: { app: ':1.7', path: '/n' },
    role: 'group',
    nativeRole: 'panel',
    name: '',
    states: [],
    bounds: BOX,
    children: [],
    ...changes,
  };
}

function result(...children: TreeNode[]): TreeResult {
  const root = node({ role: 'window', nativeRole: 'frame', children });
  const count = (tree: TreeNode): number => 1 + tree.children.reduce((sum, child) => sum + count(child), 0);
  return { root, complete: true, incompleteReasons: [], nodeCount: count(root), callCount: 1 };
}

const page = (changes: Partial<TreeNode>): TreeNode =>
  node({ nativeRole: 'document web', name: 'Page', ...changes });
const of = (kind: ToolkitKind) => ({ traits: { kind } });
const deep = (inside: TreeNode): TreeNode => node({ children: [node({ children: [inside] })] });

describe('an incomplete tree', () => {
  it('is an empty window of any toolkit', () => {
    for (const kind of ['gtk3', 'qt', 'chromium'] as const)
      expect(spelled(missingContent(of(kind), result()))).toContain('--whole-tree');
  });

  it('is a Chromium without a document and little else', () => {
    expect(missingContent(of('chromium'), result(node()))).toContain('--force-renderer-accessibility');
    expect(missingContent(of('chromium'), result(deep(page({}))))).toBeUndefined();
    const large = result(...Array.from({ length: 10 }, () => node()));
    expect(missingContent(of('chromium'), large)).toBeUndefined();
  });

  it('is known to be a Chromium without its flag, whatever its window says', () => {
    for (const children of [[], [node()]])
      expect(missingContent(of('chromium'), result(...children), () => false)).toContain(
        'started without --force-renderer-accessibility',
      );
    expect(spelled(missingContent(of('chromium'), result(), () => true))).toContain('may be starting');
    expect(missingContent(of('chromium'), result(deep(page({}))), () => false)).toBeUndefined();
  });

  it('is not a small part of a window of Chromium, such as a dialog of a page', () => {
    const dialog = result(node());
    const root = { ...dialog.root, role: 'dialog' as const };
    expect(missingContent(of('chromium'), { ...dialog, root })).toBeUndefined();
  });

  it('is not a small window of another toolkit', () => {
    expect(missingContent(of('gtk3'), result(node()))).toBeUndefined();
  });

  it('is not one whose children were omitted on purpose', () => {
    const cut = result();
    expect(missingContent(of('qt'), { ...cut, root: { ...cut.root, elided: 'depth' } })).toBeUndefined();
  });
});

describe('a Firefox that is still loading its page', () => {
  const button = (changes: Partial<TreeNode>): TreeNode =>
    node({ role: 'button', states: ['focusable'], ...changes });
  it.each<[string, TreeNode[], boolean]>([
    ['has nothing in its window', [], true],
    ['has a page without name and content', [deep(page({ name: '' }))], true],
    ['has a page whose parts have no boxes', [page({ children: [node({ bounds: undefined })] })], true],
    ['has a page whose buttons have no actions yet', [page({ children: [button({ actions: [] })] })], true],
    [
      'is full when one has',
      [page({ children: [button({ actions: ['press'] }), button({ actions: [] })] })],
      false,
    ],
    ['is full when actions were not read', [page({ children: [button({})] })], false],
    ['is full with a named page that is empty', [page({})], false],
    [
      'is full with content and boxes',
      [page({ name: '', children: [node(), node({ bounds: undefined })] })],
      false,
    ],
    ['is full without a page', [node()], false],
    ['is not judged where the page was left out', [page({ name: '', elided: 'depth' })], false],
  ])('%s', (_, children, hollow) => {
    expect(isStillLoading(of('gecko'), result(...children))).toBe(hollow);
    expect(isStillLoading(of('gtk3'), result(...children))).toBe(false);
  });
});

it('a tree is cut by depth if any part of it is', () => {
  expect(isCutByDepth(deep(node({ elided: 'depth' })))).toBe(true);
  expect(isCutByDepth(deep(node({ elided: 'budget' })))).toBe(false);
});
