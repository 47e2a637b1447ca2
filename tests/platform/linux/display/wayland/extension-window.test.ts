import { expect, it } from 'vitest';
import { framedRequest } from '../../../../../src/platform/linux/display/wayland/framed-window.ts';
import {
  drawnPart,
  ExtensionList,
  ExtensionPoint,
  innerId,
  toDisplayPopup,
  toDisplayWindow,
  type PlacedWindow,
} from '../../../../../src/platform/linux/display/wayland/mutter/extension/extension-window.ts';

/** The calculator of GNOME as our extension told it under GNOME 43. */
const CALCULATOR = {
  id: '1623937256',
  title: 'Calculator',
  pid: 15782,
  className: 'org.gnome.Calculator',
  instanceName: 'org.gnome.Calculator',
  isX11: false,
  stacking: 1,
  frame: { x: 379, y: 88, width: 360, height: 489 },
  client: { x: 318, y: 33, width: 482, height: 611 },
  active: false,
  minimized: false,
  maximized: false,
  fullscreen: false,
  modal: false,
  parent: null,
  isUser: true,
  isPopup: false,
  isTooltip: false,
  isShown: true,
  canMove: true,
  canResize: true,
  canMaximize: true,
  canMinimize: true,
  canClose: true,
};
const placed = (changes: Partial<PlacedWindow> = {}): PlacedWindow => ({
  ...CALCULATOR,
  content: CALCULATOR.frame,
  ...changes,
});

it('leaves out a shadow of the client, and a title bar of Mutter', () => {
  expect(drawnPart(CALCULATOR)).toEqual(CALCULATOR.frame);
  const client = { x: 379, y: 125, width: 360, height: 452 };
  expect(drawnPart({ frame: CALCULATOR.frame, client })).toEqual(client);
});

it('has ids that are numbers of the shell, and names parents by them', () => {
  expect(toDisplayWindow(placed({ parent: '7' }))).toMatchObject({
    id: 'gnome:1623937256',
    transientFor: 'gnome:7',
  });
  expect(toDisplayPopup(placed({ pid: -1 }))).toMatchObject({ isMenu: true, pid: undefined });
  expect(innerId('gnome:7')).toBe('7');
  for (const odd of ['gnome:', 'gnome:7x', 'mutter:1.2/a', `gnome:${'9'.repeat(21)}`])
    expect(innerId(odd)).toBeUndefined();
});

it('tells what fills the screen from what is maximized, and what is minimized from what is shown', () => {
  expect(toDisplayWindow(placed({ fullscreen: true, maximized: true })).maximized).toBe(false);
  expect(toDisplayWindow(placed({ minimized: true, isShown: false }))).toMatchObject({
    minimized: true,
    isHidden: true,
  });
});

it('moves the frame so that the content gets its place, below a title bar that Qt draws', () => {
  const window = placed({ content: { x: 382, y: 118, width: 354, height: 456 } });
  expect(framedRequest('GNOME Shell', window, { kind: 'move', x: 100, y: 100 })).toEqual({
    kind: 'place',
    frame: { x: 97, y: 70, width: 360, height: 489 },
  });
  expect(() =>
    framedRequest('GNOME Shell', { ...window, maximized: true }, { kind: 'resize', width: 9, height: 9 }),
  ).toThrow('GNOME Shell cannot resize this window: it is maximized');
});

it('takes nothing that has another form', () => {
  const list = (window: object) => ExtensionList.safeParse({ windows: [window] }).success;
  expect(list(CALCULATOR)).toBe(true);
  for (const odd of [
    { id: 7 },
    { id: '7"' },
    { frame: { x: 0.5, y: 0, width: 1, height: 1 } },
    { title: undefined },
  ])
    expect(list({ ...CALCULATOR, ...odd })).toBe(false);
  for (const odd of [{}, { kind: 'window' }, { kind: 'other' }])
    expect(ExtensionPoint.safeParse(odd).success).toBe(false);
});
