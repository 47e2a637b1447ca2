import { findWidget, keyText, usableWidgets, type Widget, type WidgetKey } from '../twins/act/widgets.ts';
import type { Seen } from '../twins/look/tree.ts';

/** Where an application is read: what a plain mouse clicks, one after the other, from its start. */
export type Steps = readonly WidgetKey[];

const TABS = new Set(['page tab']);
const MENUS = new Set(['menu', 'menu item']);
/** What opens a pop-up or a dialog. */
const BUTTONS = new Set(['combo box', 'push button', 'push button menu', 'toggle button']);
const ITEMS = new Set(['menu item', 'check menu item', 'radio menu item']);
const DIALOG = /…|\.\.\.|about|preferences|properties|settings|options/i;

/** A tab, a menu and a button of what the application shows at its start, drawn by seed. */
export function placesFrom(start: Seen, random: () => number): Steps[] {
  const widgets = usableWidgets(start).filter(({ unreachable }) => unreachable === undefined);
  return [TABS, MENUS, BUTTONS].flatMap((roles) => {
    const found = draw(
      widgets.filter(({ key, isEditable }) => roles.has(key.role) && !isEditable),
      random,
    );
    return found === undefined ? [] : [[found.key]];
  });
}

/** The tabs of the pages that do not show. */
export function otherPages(shown: Seen): WidgetKey[] {
  return usableWidgets(shown)
    .filter(({ key, unreachable }) => TABS.has(key.role) && unreachable === undefined)
    .map(({ key }) => key)
    .filter((key) => findWidget(shown, key)?.node.states.includes('selected') !== true);
}

/** An item of an open menu, one that opens a dialog if there is one. */
export function dialogFrom(opened: Seen, start: Seen, steps: Steps, random: () => number): Steps | undefined {
  const known = new Set(usableWidgets(start).map(({ key }) => keyText(key)));
  const items = usableWidgets(opened).filter(
    ({ key, unreachable }) => ITEMS.has(key.role) && unreachable === undefined && !known.has(keyText(key)),
  );
  const named = items.filter(({ key }) => DIALOG.test(key.name));
  const found = draw(named.length > 0 ? named : items, random);
  return found === undefined ? undefined : [...steps, found.key];
}

function draw(widgets: readonly Widget[], random: () => number): Widget | undefined {
  return widgets[Math.floor(random() * widgets.length)];
}
