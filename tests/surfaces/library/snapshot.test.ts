import { describe, expect, it } from 'vitest';
import type { Node, SnapshotOutput } from '../../../src/surfaces/library/commands.generated.ts';
import { withHelpers, type Snapshot } from '../../../src/surfaces/library/snapshot.ts';

const TREE: Node = {
  role: 'window',
  name: 'Calculator',
  ref: '@w1',
  children: [
    { role: 'textbox', name: 'Display', nameFrom: 'neighbour', ref: '@e1', value: '42', states: ['focused'] },
    { role: 'group', name: 'Keys', children: [{ role: 'button', name: '7', ref: '@e2' }] },
    { role: 'button', name: '7', ref: '@e3' },
    { role: 'button', name: '8' },
    { role: 'list', name: 'History', ref: '@e4', elided: 31, elidedReason: 'depth' },
  ],
};
const OUTPUT: SnapshotOutput = {
  app: 'KCalc',
  refCount: 4,
  tree: TREE,
  complete: true,
  elided: 31,
  cursor: 'c1',
  nodeCount: 40,
  callCount: 3,
};

function snapshot(changes: Partial<SnapshotOutput> = {}): Snapshot {
  const answer = withHelpers({ ...OUTPUT, ...changes });
  if (answer.tree === undefined) throw new Error('it has no tree');
  return answer;
}

describe('a snapshot', () => {
  it('finds the only element with a role and name', () => {
    expect(snapshot().find('textbox', 'Display').ref).toBe('@e1');
    expect(snapshot().find('textbox').ref).toBe('@e1');
    expect(snapshot().find('window', 'Calculator').ref).toBe('@w1');
  });

  it('refuses to choose between several', () => {
    expect(() => snapshot().find('button', '7')).toThrow(
      expect.objectContaining({
        code: 'AMBIGUOUS_TARGET',
        candidates: [
          { ref: '@e2', role: 'button', name: '7' },
          { ref: '@e3', role: 'button', name: '7' },
        ],
      }),
    );
  });

  it.each([
    ['button', '8'],
    ['button', '77'],
    ['textbox', 'display'],
  ] as const)('has no usable %s %j', (role, name) => {
    expect(() => snapshot().find(role, name)).toThrow(expect.objectContaining({ code: 'ELEMENT_NOT_FOUND' }));
  });

  it('lists every element in document order', () => {
    expect(
      snapshot()
        .all()
        .map(({ name }) => name),
    ).toEqual(['Calculator', 'Display', 'Keys', '7', '7', '8', 'History']);
  });

  it('prints itself as the command line does', () => {
    expect(String(snapshot())).toBe(`window "Calculator" @w1
  textbox ~"Display" @e1 value="42" focused
  group "Keys"
    button "7" @e2
  button "7" @e3 "8"
  list "History" (31 items) @e4+
`);
    const late = snapshot({ complete: false, incompleteReasons: ['deadline'] });
    expect(String(late)).toMatch(/\nincomplete: deadline$/);
  });

  it('is plain data otherwise', () => {
    expect(JSON.parse(JSON.stringify(snapshot()))).toEqual(OUTPUT);
    expect(Object.keys(snapshot())).not.toContain('find');
  });

  it('handles a tree of a hundred thousand elements', () => {
    const many = Array.from({ length: 100_000 }, (): Node => ({ role: 'text' }));
    expect(snapshot({ tree: { role: 'window', children: many } }).all()).toHaveLength(100_001);
  });
});
