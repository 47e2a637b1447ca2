import { expect, it } from 'vitest';
import type { Observation } from '../../src/engine/evidence/evidence.ts';
import { judgeClick } from '../../src/engine/judging/judge-click.ts';
import { handleKey, type TreeNode } from '../../src/model/tree/node.ts';

function node(path: string, more: Partial<TreeNode> = {}): TreeNode {
  const blank = { role: 'generic', nativeRole: 'panel', name: '', states: [] } as const;
  return { ...blank, children: [], handle: { app: 'files', path }, ...more };
}

/** A click by the pointer on the first of these check boxes, which was on and still is. */
function clicked(...boxes: TreeNode[]): Observation {
  const [target = node('/none')] = boxes;
  const { children: _children, ...own } = target;
  const details = { ...own, attributes: {}, relations: [], interfaces: [] };
  const reading = {
    root: node('/window', { children: [node('/bar', { children: boxes })] }),
    complete: true,
  };
  return {
    outcome: { accepted: undefined, delivered: true, via: 'pointer' },
    before: details,
    after: details,
    events: [],
    changes: [],
    windowChanges: [],
    targetKey: handleKey(target.handle),
    trees: { before: reading, after: reading },
  };
}

const on = node('/bar/1', { role: 'checkbox', name: 'Documents', states: ['checked'] });
const off = node('/bar/2', { role: 'checkbox', name: 'home' });

it('a click on the only one of a group that is on may do something else, which a picture may show', () => {
  expect(judgeClick(clicked(on, off, off))).toMatchObject({
    effect: 'unverified',
    mayBePictured: true,
    evidence: expect.arrayContaining([expect.stringContaining('checked, as the only one of its group')]),
  });
});

it.each([
  ['that stands alone', [on]],
  ['beside another that is on', [on, { ...on, handle: { app: 'files', path: '/bar/3' } }, off]],
  ['that is off', [off, on]],
])('a click on a check box %s switches it', (_which, boxes) => {
  expect(judgeClick(clicked(...boxes))).toMatchObject({ effect: 'no_op' });
});
