import { z } from 'zod';
import { keyText, Widget, WidgetKey } from './widgets.ts';

export const KINDS = ['click', 'toggle', 'select', 'set-value', 'menu'] as const;
export type Kind = (typeof KINDS)[number];

/** One thing to try on both sides, from a fresh start. */
export const Act = z.object({
  kind: z.enum(KINDS),
  /** What a mouse clicks on both sides first, one after the other, to get to where the act takes place. */
  steps: z.array(WidgetKey),
  target: Widget,
  /** What the twin's mouse clicks after the target: the option of a combo box, the item of a menu. */
  more: z.array(WidgetKey),
  /** What is entered or chosen. */
  value: z.string().optional(),
});
export type Act = z.output<typeof Act>;

const TOGGLED = new Set(['check box', 'check menu item', 'switch', 'toggle button']);
const SELECTED = new Set(['list item', 'page tab', 'table cell', 'table row', 'tree item']);
const TYPED = new Set(['entry', 'password text', 'text']);
const NEW_TEXT = 'twin 42';
/** Options of one combo box and items of one menu that are tried. */
const MOST_OPTIONS = 3;
const MOST_ITEMS = 8;
const ITEMS = new Set(['menu item', 'check menu item', 'radio menu item']);
/** Qt reports the menus of a menu bar as items. */
const OPENS_MENU = new Set(['menu', 'menu item']);
const OPTIONS = new Set([...ITEMS, 'list item', 'table cell']);

/** The name of an act; the same in every run. */
export function actName({ kind, steps, target, more, value }: Act): string {
  const path = [...steps, target.key, ...more].map(keyText).join(' → ');
  return `${kind}${value === undefined ? '' : ` ${JSON.stringify(value)}`}: ${path}`;
}

/** An act as people read it in reports. */
export function actTitle({ kind, steps, target, value }: Act): string {
  const short = ({ role, name }: WidgetKey): string => `${role} ${JSON.stringify(name)}`;
  const after = steps.length === 0 ? '' : ` after clicking ${steps.map(short).join(', then ')}`;
  return `${kind} ${short(target.key)}${value === undefined ? '' : ` ${JSON.stringify(value)}`}${after}`;
}

/** The acts that a widget invites by itself. */
export function actsOn(target: Widget, steps: readonly WidgetKey[]): Act[] {
  const act = (kind: Kind, value?: string): Act => ({
    kind,
    steps: [...steps],
    target,
    more: [],
    ...(value === undefined ? {} : { value }),
  });
  const { role } = target.key;
  const acts = [act('click')];
  if (TOGGLED.has(role)) acts.push(act('toggle'));
  if (SELECTED.has(role)) acts.push(act('select'));
  if (TYPED.has(role) && target.isEditable) acts.push(act('set-value', NEW_TEXT));
  const number = role === 'spin button' ? anotherNumber(target) : undefined;
  if (number !== undefined) acts.push(act('set-value', String(number)));
  return acts;
}

/** The acts that become known by what a click on a menu or combo box showed. */
export function actsThrough({ steps, target }: Act, shown: readonly Widget[]): Act[] {
  const named = shown.filter(({ key, unreachable }) => key.name !== '' && unreachable === undefined);
  if (target.key.role === 'combo box')
    return named
      .filter(({ key }) => OPTIONS.has(key.role))
      .slice(-MOST_OPTIONS)
      .map(({ key }) => ({ kind: 'select', steps, target, more: [key], value: key.name }));
  if (!OPENS_MENU.has(target.key.role)) return [];
  // From the menu bar down: a submenu's items are reached through all the menus above it.
  const first = steps.findLastIndex(({ role }) => !OPENS_MENU.has(role)) + 1;
  const [top, ...rest] = [...steps.slice(first), target.key];
  return named
    .filter(({ key }) => ITEMS.has(key.role))
    .slice(0, MOST_ITEMS)
    .map(({ key }) => ({
      kind: 'menu',
      steps: steps.slice(0, first),
      target: { key: top, isEditable: false, isMultiLine: false },
      more: [...rest, key],
      // Xfce pads the names of its items with blanks.
      value: [top, ...rest, key].map(({ name }) => name.trim()).join(' > '),
    }));
}

/** A whole number that the spin button accepts and does not have now. */
function anotherNumber({ value, range }: Widget): number | undefined {
  if (value === undefined || range === undefined) return undefined;
  const [least, most] = range;
  return [Math.round(value) + 1, Math.round(value) - 1].find((number) => number >= least && number <= most);
}
