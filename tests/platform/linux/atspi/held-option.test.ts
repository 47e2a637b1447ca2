import { expect, it } from 'vitest';
import { holdsItsName } from '../../../../src/platform/linux/atspi/tree/enrich.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';

function named(name: string, children: RawNode[] = []): RawNode {
  const node = new RawNode(':1.1', '/it', 1);
  node.name = name;
  node.children = children;
  return node;
}

const list = (): RawNode =>
  named(
    '',
    ['red', 'green'].map((name) => named(name)),
  );

it('takes the name of a combo box for what it holds if one of its options is called so', () => {
  expect(holdsItsName(named('red', [list()]))).toBe(true);
});

it.each([
  ['a label', named('Colour', [list()])],
  ['no name', named('', [named('', [named('')])])],
  ['options that were not read', named('red')],
])('does not with %s', (_what, combobox) => {
  expect(holdsItsName(combobox)).toBe(false);
});
