import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../../../src/platform/linux/atspi/bus/application.ts';
import type { Extents } from '../../../../src/platform/linux/atspi/tree/object-facts.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { mapStates, placeOfExtents } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { readingTemplates } from '../../../../src/platform/linux/atspi/tree/templates.ts';
import {
  hideUnmapped,
  isUnmapped,
  mappedCall,
} from '../../../../src/platform/linux/atspi/tree/unseen/unmapped.ts';
import type { BusValue } from '../../../../src/platform/linux/dbus/index.ts';
import { PATIENT } from '../dbus/support/echo.ts';
import { Fixture } from '../dbus/support/fixture.ts';
import { buildReply } from '../dbus/support/message.ts';

const PLACE: Extents = { x: 666, y: 46, width: 214, height: 160 };
const templates = readingTemplates(undefined);

interface Facts {
  readonly isMapped?: boolean | undefined;
  readonly extents?: Extents | undefined;
  readonly isTopLevel?: boolean;
}

function node(path: string, facts: Facts, ...children: RawNode[]): RawNode {
  const { isMapped, extents = PLACE, isTopLevel = false } = facts;
  const made = new RawNode(':1.1', path, isTopLevel ? 0 : 1, isTopLevel);
  return Object.assign(made, { nativeRole: NATIVE.PANEL, extents, isMapped, children });
}

const shows = (path: string, ...children: RawNode[]): RawNode => node(path, { isMapped: true }, ...children);
const hides = (path: string, ...children: RawNode[]): RawNode => node(path, { isMapped: false }, ...children);
/** A page of a stack has no place, and answers nothing about it. */
const page = (path: string, ...children: RawNode[]): RawNode =>
  Object.assign(node(path, {}, ...children), { extents: undefined });

/** The sub-menu of a popover, as GTK 4.8 reports it after the page with the main menu. */
function popover(isDrawn = true) {
  const item = hides('item-main', hides('label-main'));
  const main = page('page-main', hides('menu-main', item));
  const sub = page(
    'page-sub',
    node('menu-sub', { isMapped: isDrawn }, node('item-sub', { isMapped: isDrawn })),
  );
  const root = node('window', { isMapped: isDrawn, isTopLevel: true }, shows('stack', main, sub));
  if (!isDrawn) Object.assign(root.children[0] ?? {}, { isMapped: false });
  return { root, main, sub, item };
}

describe('what GTK 4 keeps at its place without drawing it', () => {
  it('leaves out the page of a stack in which nothing contains its own middle', () => {
    const { root, main, sub } = popover();
    hideUnmapped(root, false);
    expect([main.dropped, sub.dropped]).toEqual([true, false]);
  });

  it('hides what is in it in a reading of everything', () => {
    const { root, main, item } = popover();
    hideUnmapped(root, true);
    const shown = { showingIsTruthful: false, isPassword: false, ...placeOfExtents(item.extents) };
    expect(main.dropped).toBe(false);
    expect(mapStates([0, 0], { role: 'menuitem', ...shown })).toContain('hidden');
  });

  it('leaves out a single element that another one did not replace', () => {
    const label = hides('label');
    const box = shows('box', label, shows('button'));
    hideUnmapped(node('window', { isMapped: true, isTopLevel: true }, box), false);
    expect([box.dropped, label.dropped]).toEqual([false, true]);
  });

  it('keeps a box that lets clicks pass, if anything in it is drawn, and what did not answer', () => {
    const [silent, bare] = [node('silent', {}), page('bare')];
    const box = hides('box', shows('button'), silent);
    hideUnmapped(node('window', { isMapped: true, isTopLevel: true }, box, bare), false);
    expect([box.dropped, silent.dropped, bare.dropped]).toEqual([false, false, false]);
  });

  it('keeps everything in a window that is itself not drawn', () => {
    const { root, main, sub } = popover(false);
    hideUnmapped(root, false);
    expect([main.dropped, sub.dropped]).toEqual([false, false]);
  });

  it('asks nothing of what is too thin to know which pixel is its middle', () => {
    expect(mappedCall(templates, { ...PLACE, height: 1 }, true)).toBeUndefined();
    expect(mappedCall(templates, undefined, true)).toBeUndefined();
    expect(mappedCall(templates, PLACE, true)).toBeDefined();
  });
});

describe('an element of GTK 4, asked by itself', () => {
  const fixture = new Fixture();
  const CHILDREN: Readonly<Record<string, readonly string[]>> = { '/box': ['/button'], '/page': ['/item'] };
  let mapped: ReadonlySet<string>;
  let channel: Channel;

  beforeEach(async () => {
    const { connection } = await fixture.pair(({ serial, fields: { member = '', path = '' } }, socket) => {
      const answers: Record<string, { signature: string; values: BusValue[] }> = {
        Contains: { signature: 'b', values: [mapped.has(path)] },
        GetExtents: { signature: '(iiii)', values: [[666, 46, 214, 160]] },
        GetChildren: {
          signature: 'a(so)',
          values: [(CHILDREN[path] ?? []).map((child) => [':1.7', child])],
        },
      };
      socket.write(buildReply(serial, answers[member] ?? { signature: '', values: [] }));
    });
    channel = { connection, templates } as unknown as Channel;
  });
  afterEach(async () => fixture.end());

  const asked = (path: string): Promise<boolean> =>
    isUnmapped(channel, { path, extents: PLACE }, { windowCoordinates: true, rootPath: '/window' }, PATIENT);

  it('is not drawn if neither it nor anything in it is, in a window that is', async () => {
    mapped = new Set(['/window', '/button']);
    expect([await asked('/item'), await asked('/page')]).toEqual([true, true]);
    expect([await asked('/button'), await asked('/box')]).toEqual([false, false]);
  });

  it('is not known to be hidden in a window that is not drawn', async () => {
    mapped = new Set();
    expect([await asked('/item'), await asked('/window')]).toEqual([false, false]);
  });
});
