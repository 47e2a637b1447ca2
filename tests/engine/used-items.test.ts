import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/engine/evidence/evidence.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';
import { judgeClick } from '../../src/engine/judging/judge-click.ts';
import { judgeToggle } from '../../src/engine/judging/judge-state.ts';
import { handleKey, type TreeNode } from '../../src/model/tree/node.ts';
import type { State } from '../../src/model/tree/state.ts';
import type { NodeDetails } from '../../src/ports/desktop/elements.ts';

const handleOf = (path: string) => ({ app: 'office', path });

function node(path: string, more: Partial<TreeNode> = {}): TreeNode {
  const blank = { role: 'generic', nativeRole: 'panel', name: '', states: [] } as const;
  return { ...blank, states: [], children: [], handle: handleOf(path), ...more };
}

/** A check item of an open menu, which closes when the item is used. */
function item(...states: State[]): NodeDetails {
  const { children: _children, ...own } = node('/menu/1', {
    role: 'menuitemcheckbox',
    name: 'Grid Lines',
    states,
    bounds: { x: 10, y: 20, width: 90, height: 20 },
  });
  return { ...own, attributes: {}, relations: [], interfaces: [] };
}

const gone: ObservedChange = {
  change: { kind: 'disappeared', role: 'menuitemcheckbox', name: 'Grid Lines' },
  key: handleKey(handleOf('/menu/1')),
  lineage: [handleKey(handleOf('/menu'))],
  node: node('/menu/1', { role: 'menuitemcheckbox', name: 'Grid Lines' }),
};
const shown: ObservedChange = {
  change: { kind: 'changed', role: 'text', before: 'name "Grid"', after: 'name "No grid"' },
  key: handleKey(handleOf('/status')),
  lineage: [],
  node: node('/status', { role: 'text', name: 'No grid' }),
};
const STATUS_EVENT = { kind: 'name-changed', detail: '', node: handleOf('/status'), atMs: 1 } as const;

function seen(more: Partial<Observation>): Observation {
  return {
    outcome: { accepted: true, delivered: true, via: 'test' },
    before: item('checked'),
    after: undefined,
    events: [],
    changes: [gone],
    windowChanges: [],
    targetKey: gone.key,
    ...more,
  };
}

describe.each([
  ['that was removed with its menu', undefined],
  ['of which only an old state is known', item('checked', 'hidden')],
])('a check item %s', (_how, after) => {
  it('was switched if something else shows what it does', () => {
    const judged = judgeToggle(seen({ after, changes: [gone, shown], events: [STATUS_EVENT] }));
    expect(judged).toMatchObject({ effect: 'confirmed' });
    expect(judged.evidence[0]).toContain('No grid');
  });

  it('may have been if the tree shows nothing else: the picture may tell', () => {
    expect(judgeToggle(seen({ after }))).toMatchObject({
      effect: 'unverified',
      mayBePictured: true,
      hasClosedWithIt: true,
    });
  });

  it('is unknown if its menu was not open, so that its state was old before', () => {
    const before = item('checked', 'hidden');
    const judged = judgeToggle(seen({ before, after, changes: [shown], events: [STATUS_EVENT] }));
    expect(judged.effect).not.toBe('confirmed');
    expect(judged.mayBePictured).toBeUndefined();
  });
});

it('a click on one is judged alike, and the closing of its menu proves nothing', () => {
  const after = item('checked', 'hidden');
  expect(judgeClick(seen({ after }))).toMatchObject({ effect: 'unverified', mayBePictured: true });
  expect(judgeClick(seen({ after, changes: [shown], events: [STATUS_EVENT] })).effect).toBe('confirmed');
});
