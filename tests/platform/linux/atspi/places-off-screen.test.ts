import { describe, expect, it } from 'vitest';
import {
  needsPlace,
  placesOfLabels,
  sparesPlaces,
} from '../../../../src/platform/linux/atspi/tree/places-off-screen.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { bits } from './support/bits.ts';

function node(nativeRole: number, name: string, children: RawNode[] = []): RawNode {
  const made = new RawNode(':1.1', `/${name}`, 1);
  made.nativeRole = nativeRole;
  made.states = bits(STATE.VISIBLE);
  made.name = name;
  made.children = children;
  return made;
}

function shown(made: RawNode): RawNode {
  made.states = bits(STATE.VISIBLE, STATE.SHOWING);
  return made;
}

describe('the place of an element', () => {
  it('is needed if it is on screen, a header, among the first of a page, or the root', () => {
    expect(needsPlace(node(NATIVE.STATIC, 'far down'))).toBe(false);
    expect(needsPlace(shown(node(NATIVE.STATIC, 'here')))).toBe(true);
    expect(needsPlace(node(NATIVE.TABLE_COLUMN_HEADER, 'Price'))).toBe(true);
    expect(needsPlace(new RawNode(':1.1', '/window', 0))).toBe(true);
    const first = node(NATIVE.STATIC, 'first');
    first.isAtopPage = true;
    expect(needsPlace(first)).toBe(true);
  });

  it('is needed of what tells places apart in other toolkits', () => {
    for (const kind of ['gecko', 'chromium', 'gtk3'] as const) expect(sparesPlaces(kind)).toBe(true);
    expect(sparesPlaces('qt')).toBe(false);
    expect(sparesPlaces('gtk4')).toBe(false);
    expect(sparesPlaces('libreoffice')).toBe(false);
  });
});

describe('a control off screen', () => {
  const placed = (root: RawNode): string[] => placesOfLabels(root).map(({ path }) => path);

  it('needs none if it has a name', () => {
    const root = node(NATIVE.PANEL, 'form', [node(NATIVE.LABEL, 'Name'), node(NATIVE.PASSWORD_TEXT, 'Name')]);
    expect(placed(root)).toEqual([]);
  });

  it('without a name needs its own, and those of the texts before it, one of which may be its label', () => {
    const root = node(NATIVE.PANEL, 'form', [
      ...Array.from({ length: 10 }, (_, index) => node(NATIVE.LABEL, `text ${index}`)),
      shown(node(NATIVE.LABEL, 'shown')),
      node(NATIVE.PASSWORD_TEXT, ''),
    ]);
    expect(placed(root)).toEqual(['/', ...[3, 4, 5, 6, 7, 8, 9].map((index) => `/text ${index}`)]);
  });

  it('needs none if its toolkit names its label', () => {
    const field = node(NATIVE.PASSWORD_TEXT, '');
    field.labelledBy = 'Name';
    expect(placed(node(NATIVE.PANEL, 'form', [node(NATIVE.LABEL, 'Name'), field]))).toEqual([]);
  });
});
