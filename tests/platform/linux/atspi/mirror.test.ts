import { beforeEach, describe, expect, it } from 'vitest';
import { noteChange, type Signal } from '../../../../src/platform/linux/atspi/mirror/changes.ts';
import { slotOf, textSlot } from '../../../../src/platform/linux/atspi/mirror/known-object.ts';
import { Mirror } from '../../../../src/platform/linux/atspi/mirror/mirror.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import type { ToolkitKind } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';
import { BodyReader, Variant, type BusValue } from '../../../../src/platform/linux/dbus/index.ts';
import { encodeBody } from '../../../../src/platform/linux/dbus/marshalling/encode.ts';
import { bits } from './support/bits.ts';

const NAME = slotOf('name');
const CHILDREN = slotOf('children');
const STATES = slotOf('state');

let kind: ToolkitKind;
let mirror: Mirror;

beforeEach(() => {
  kind = 'gtk3';
  mirror = new Mirror(() => kind);
  mirror.begin();
});

const ref = (path: string) => ({ bus: ':1.7', path });

/** Tells the mirror what an object on screen answered. */
function told(path: string, facts: { name?: string; role?: number; children?: readonly string[] }): void {
  const object = mirror.object(path);
  mirror.keep(object, STATES, bits(STATE.SHOWING, STATE.VISIBLE), mirror.now);
  mirror.keep(object, slotOf('role'), facts.role ?? NATIVE.PANEL, mirror.now);
  if (facts.name !== undefined) mirror.keep(object, NAME, facts.name, mirror.now);
  if (facts.children !== undefined) mirror.keep(object, CHILDREN, facts.children.map(ref), mirror.now);
}

function signal(member: string, path: string, detail = '', child?: string): void {
  const any = child === undefined ? new Variant('i', 0) : new Variant('(so)', [':1.7', child]);
  const values: BusValue[] = [detail, 0, 0, any, new Map()];
  const body = encodeBody('siiva{sv}', values, true);
  const message: Signal = {
    interface: 'org.a11y.atspi.Event.Object',
    member,
    path,
    signature: 'siiva{sv}',
    reader: () => new BodyReader(body, true),
  };
  noteChange(mirror, message);
}

describe('what an object answered', () => {
  it('is known until an event of it arrives', () => {
    told('/a', { name: 'Save' });
    signal('PropertyChange', '/b', 'accessible-name');
    expect(mirror.answer('/a', NAME)).toBe('Save');
    signal('PropertyChange', '/a', 'accessible-name');
    expect(mirror.answer('/a', NAME)).toBeUndefined();
  });

  it('is not kept if an event arrived between question and answer', () => {
    const object = mirror.object('/a');
    const askedAt = mirror.now;
    signal('PropertyChange', '/a', 'accessible-name');
    mirror.keep(object, NAME, 'old', askedAt);
    expect(mirror.answer('/a', NAME)).toBeUndefined();
    mirror.keep(object, NAME, 'new', mirror.now);
    expect(mirror.answer('/a', NAME)).toBe('new');
  });

  it('is not kept if it was asked before events were received, or if they ended', () => {
    const early = new Mirror(() => kind);
    const askedAt = early.now;
    early.begin();
    early.keep(early.object('/a'), NAME, 'old', askedAt);
    expect(early.answer('/a', NAME)).toBeUndefined();
    early.keep(early.object('/a'), NAME, 'new', early.now);
    expect(early.answer('/a', NAME)).toBe('new');
    early.end();
    expect(early.answer('/a', NAME)).toBeUndefined();
    early.keep(early.object('/a'), NAME, 'late', early.now);
    expect(early.answer('/a', NAME)).toBeUndefined();
  });

  it('is kept when only its caret moves', () => {
    told('/a', { name: 'Notes' });
    signal('TextCaretMoved', '/a');
    expect(mirror.answer('/a', NAME)).toBe('Notes');
  });

  it('is one text up to one place', () => {
    const object = mirror.object('/a');
    mirror.keep(object, textSlot(4), 'four', mirror.now);
    expect(mirror.answer('/a', textSlot(4))).toBe('four');
    expect(mirror.answer('/a', textSlot(9))).toBeUndefined();
  });
});

describe('the objects around and inside a change', () => {
  beforeEach(() => {
    told('/window', { role: NATIVE.FRAME, children: ['/panel', '/other'] });
    told('/panel', { name: 'Panel', children: ['/label'] });
    told('/label', { name: 'Label', children: [] });
    told('/other', { name: 'Other', children: [] });
  });

  it('are asked again, as their names may be made of it', () => {
    signal('TextChanged', '/label', 'insert');
    expect(mirror.answer('/panel', NAME)).toBeUndefined();
    expect(mirror.answer('/other', NAME)).toBe('Other');
  });

  it('are asked again for what they share with it: being on screen, and so their children', () => {
    signal('StateChanged', '/panel', 'showing');
    expect(mirror.answer('/label', STATES)).toBeUndefined();
    expect(mirror.answer('/label', CHILDREN)).toBeUndefined();
    expect(mirror.answer('/label', NAME)).toBe('Label');
    expect(mirror.answer('/other', STATES)).toBeDefined();
  });

  it('are forgotten with it when it is removed, as its path may be reused', () => {
    signal('ChildrenChanged', '/window', 'remove', '/panel');
    expect(mirror.answer('/window', CHILDREN)).toBeUndefined();
    expect(mirror.answer('/panel', NAME)).toBeUndefined();
    expect(mirror.answer('/label', NAME)).toBeUndefined();
    expect(mirror.answer('/other', NAME)).toBe('Other');
  });

  it('are forgotten when its death is all that is told', () => {
    signal('StateChanged', '/panel', 'defunct');
    expect(mirror.answer('/window', CHILDREN)).toBeUndefined();
    expect(mirror.answer('/label', NAME)).toBeUndefined();
  });

  it('are forgotten when another parent lists them', () => {
    mirror.keep(mirror.object('/other'), CHILDREN, [ref('/label')], mirror.now);
    expect(mirror.answer('/label', NAME)).toBeUndefined();
  });

  it('lose the focus when something else gets it', () => {
    mirror.keep(mirror.object('/other'), STATES, bits(STATE.SHOWING, STATE.FOCUSED), mirror.now);
    signal('StateChanged', '/label', 'focused');
    expect(mirror.answer('/other', STATES)).toBeUndefined();
    expect(mirror.answer('/panel', STATES)).toBeDefined();
  });
});

describe('what a toolkit does not report', () => {
  it('is never kept: the children of what is not on screen (GTK 3)', () => {
    const object = mirror.object('/hidden');
    mirror.keep(object, STATES, bits(STATE.VISIBLE), mirror.now);
    mirror.keep(object, slotOf('role'), NATIVE.PANEL, mirror.now);
    mirror.keep(object, CHILDREN, [ref('/x')], mirror.now);
    expect(mirror.answer('/hidden', CHILDREN)).toBeUndefined();
  });

  it('is never kept: what is in lists and tables, and titles (Qt)', () => {
    kind = 'qt';
    told('/window', { role: NATIVE.FRAME, name: 'Title', children: ['/list', '/button'] });
    told('/list', { role: NATIVE.LIST, name: 'Fruits', children: ['/row'] });
    told('/row', { name: 'Apple' });
    told('/button', { name: 'OK' });
    const names = ['/window', '/list', '/row', '/button'].map((path) => mirror.answer(path, NAME));
    expect(names).toEqual([undefined, 'Fruits', undefined, 'OK']);
    expect(mirror.answer('/list', CHILDREN)).toBeUndefined();
  });

  it('is never kept: the widgets of a browser around its page (Chromium)', () => {
    kind = 'chromium';
    told('/window', { role: NATIVE.FRAME, children: ['/page', '/bar'] });
    told('/bar', { name: 'Address' });
    told('/page', { role: NATIVE.DOCUMENT_WEB, name: 'Title', children: ['/link'] });
    told('/link', { name: 'Home', children: [] });
    const names = ['/bar', '/page', '/link'].map((path) => mirror.answer(path, NAME));
    expect(names).toEqual([undefined, undefined, 'Home']);
    expect(mirror.answer('/link', CHILDREN)).toEqual([]);
  });

  it('is never kept: whether something is scrolled into view (Firefox)', () => {
    kind = 'gecko';
    told('/link', { name: 'Home', children: [] });
    expect(mirror.answer('/link', STATES)).toBeUndefined();
    expect(mirror.answer('/link', NAME)).toBe('Home');
    expect(mirror.answer('/link', CHILDREN)).toEqual([]);
  });
});

describe('a move that its toolkit does not report', () => {
  it('is noticed by what was hidden and shown for it: every list of children is asked for again (GTK 3)', () => {
    told('/one', { name: 'One', children: ['/a'] });
    told('/two', { name: 'Two', children: ['/b'] });
    const askedAt = mirror.now;
    signal('StateChanged', '/a', 'showing');
    for (const path of ['/one', '/two']) expect(mirror.answer(path, CHILDREN)).toBeUndefined();
    expect(mirror.answer('/two', NAME)).toBe('Two');
    mirror.keep(mirror.object('/two'), CHILDREN, [ref('/b')], askedAt);
    expect(mirror.answer('/two', CHILDREN)).toBeUndefined();
    mirror.keep(mirror.object('/two'), CHILDREN, [ref('/a')], mirror.now);
    expect(mirror.answer('/two', CHILDREN)).toEqual([ref('/a')]);
  });

  it('is reported in the pages of browsers', () => {
    kind = 'gecko';
    told('/one', { children: ['/a'] });
    told('/two', { children: ['/b'] });
    signal('StateChanged', '/b', 'showing');
    expect(mirror.answer('/one', CHILDREN)).toEqual([ref('/a')]);
  });
});

describe('the version', () => {
  const version = (change: () => void): number => {
    const before = mirror.version;
    change();
    return mirror.version - before;
  };

  it('stays while answers are added or confirmed, so that what was made of the others still holds', () => {
    told('/a', { name: 'Save', children: [] });
    expect(version(() => told('/a', { name: 'Save', children: [] }))).toBe(0);
    expect(version(() => told('/b', { name: 'New' }))).toBe(0);
  });

  it('grows with each event, and with an answer that is another one without an event', () => {
    told('/a', { name: 'Save', children: ['/b'] });
    told('/b', { name: 'Inside' });
    expect(version(() => signal('PropertyChange', '/c', 'accessible-name'))).toBeGreaterThan(0);
    expect(version(() => told('/a', { name: 'Save as' }))).toBeGreaterThan(0);
    expect(version(() => told('/a', { children: [] }))).toBeGreaterThan(0);
  });

  it('grows if what was kept is not reported any more', () => {
    told('/a', { children: ['/b'] });
    const hide = (): void => {
      mirror.keep(mirror.object('/a'), STATES, bits(STATE.VISIBLE), mirror.now);
      mirror.keep(mirror.object('/a'), CHILDREN, [ref('/b')], mirror.now);
    };
    expect(version(hide)).toBeGreaterThan(0);
    expect(mirror.answer('/a', CHILDREN)).toBeUndefined();
  });

  it('does not grow with places, which are never kept', () => {
    const place = slotOf('screenExtents');
    const moved = (x: number): void =>
      mirror.keep(mirror.object('/a'), place, { x, y: 0, width: 1, height: 1 }, mirror.now);
    moved(1);
    expect(version(() => moved(2))).toBe(0);
    expect(mirror.answer('/a', place)).toBeUndefined();
  });
});
