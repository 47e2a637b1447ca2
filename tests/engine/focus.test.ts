import { describe, expect, it } from 'vitest';
import { focusIn, isFocusOf, takerOfFocus } from '../../src/engine/tree/focus.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';
import type { Role } from '../../src/model/tree/role.ts';

function node(role: Role, name: string, children: TreeNode[] = [], isFocused = false): TreeNode {
  const states: TreeNode['states'] = isFocused ? ['focused'] : [];
  return { handle: { app: 'app', path: `/${role}/${name}` }, role, nativeRole: role, name, states, children };
}

const focused = (role: Role, name: string, children: TreeNode[] = []): TreeNode =>
  node(role, name, children, true);

describe('what has the keyboard focus', () => {
  it('is the innermost element that says so', () => {
    expect(focusIn(node('window', '', [focused('group', '', [focused('textbox', 'Name')])]))?.name).toBe(
      'Name',
    );
    expect(focusIn(node('window', ''))).toBeUndefined();
  });

  it.each([
    ['before', [focused('button', 'File'), node('document', 'Page', [focused('textbox', 'Name')])]],
    ['after', [focused('document', 'Page', [focused('textbox', 'Name')]), focused('button', 'File')]],
    ['and a tab, before', [focused('tab', 'File'), node('document', 'Page', [focused('textbox', 'Name')])]],
  ])('is what lies outside the page if both say so, %s it', (_where, children) => {
    expect(focusIn(node('window', '', children))?.name).toBe('File');
  });

  it('is one element of a window that was read', () => {
    const name = focused('textbox', 'Name');
    const page = node('window', '', [node('document', 'Page', [name])]);
    const bar = node('window', '', [focused('button', 'File'), node('document', 'Page', [name])]);
    expect([page, bar].map((root) => isFocusOf({ root }, name))).toEqual([true, false]);
    expect(isFocusOf(undefined, name)).toBe(false);
  });

  it('was taken from an element by what is neither around nor inside it', () => {
    const name = focused('textbox', 'Name');
    const inside = focused('textbox', 'Street', [focused('group', '')]);
    const around = focused('document', 'Page', [node('textbox', 'City')]);
    const taker = (own: TreeNode, ...children: TreeNode[]): string | undefined =>
      takerOfFocus({ root: node('window', '', children) }, own)?.name;
    expect(taker(name, focused('textbox', 'Address'), node('document', 'Page', [name]))).toBe('Address');
    expect(taker(name, node('document', 'Page', [name]))).toBeUndefined();
    expect(taker(inside, inside)).toBeUndefined();
    expect(taker(node('textbox', 'City'), around)).toBeUndefined();
    expect(taker(name)).toBeUndefined();
    // The tree was cut off before the field.
    expect(taker(name, focused('button', 'File'))).toBeUndefined();
  });
});
