import { expect, it } from 'vitest';
import type { Extents } from '../../../../src/platform/linux/atspi/tree/object-facts.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { placeSwingParts } from '../../../../src/platform/linux/atspi/tree/swing-places.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

function node(nativeRole: number, extents: Extents, children: RawNode[] = []): RawNode {
  const made = new RawNode(':1.1', '/it', 1);
  Object.assign(made, { nativeRole, extents, children });
  return made;
}

const PANE = { x: 611, y: 205, width: 798, height: 632 };
/** Tabs on the left, of which the one at `y` holds a page at `page`, as measured in the preferences of JOSM. */
function tabs(page: Extents, y = 617) {
  const shown = node(NATIVE.PANEL, page);
  const holding = node(NATIVE.PAGE_TAB, { x: 618, y, width: 221, height: 27 }, [shown]);
  return { root: node(NATIVE.PANEL, PANE, [node(NATIVE.PAGE_TAB_LIST, PANE, [holding])]), shown };
}
const TRUE_PLACE = { x: 841, y: 214, width: 560, height: 615 };

it('puts the page of a Swing tab beside its tab, and only once', () => {
  const { root, shown } = tabs({ ...TRUE_PLACE, x: 848, y: 626 });
  const traits = toolkitTraits('J2SE-access-bridge', 'app');
  placeSwingParts({ traits }, root);
  expect(shown.extents).toStrictEqual(TRUE_PLACE);
  placeSwingParts({ traits }, root);
  expect(shown.extents).toStrictEqual(TRUE_PLACE);
});

it.each([
  ['a page that is in its pane', TRUE_PLACE, 'J2SE-access-bridge'],
  ['a page that would not be in its pane', { ...TRUE_PLACE, y: 900 }, 'J2SE-access-bridge'],
  ['the pages of other toolkits', { ...TRUE_PLACE, x: 848, y: 626 }, 'gtk'],
])('leaves %s where it is', (_what, place, toolkit) => {
  const { root, shown } = tabs(place);
  placeSwingParts({ traits: toolkitTraits(toolkit, 'app') }, root);
  expect(shown.extents).toStrictEqual(place);
});
