import { z } from 'zod';
import type { Seen } from '../look/tree.ts';
import { keyOf, keyText, whyUnreachable, Widget, WidgetKey } from './widgets.ts';

export const KINDS = [
  'click',
  'double-click',
  'right-click',
  'toggle',
  'select',
  'expand',
  'set-value',
  'type',
  'press',
  'menu',
] as const;
export type Kind = (typeof KINDS)[number];

/** One thing to try on both sides. */
export const Act = z.object({
  kind: z.enum(KINDS),
  target: Widget,
  /** What the twin's mouse clicks after the target: the option of a combo box, the item of a menu. */
  more: z.array(WidgetKey),
  /** What is entered, chosen or pressed. */
  value: z.string().optional(),
});
export type Act = z.output<typeof Act>;

const TOGGLED = new Set(['check box', 'check menu item', 'switch', 'toggle button']);
const SELECTED = new Set(['list item', 'page tab', 'table cell', 'table row', 'tree item']);
const OPENED = new Set(['icon', 'list item', 'table cell', 'table row', 'tree item']);
const WITH_MENU = new Set([...OPENED, 'entry', 'page tab', 'text']);
const TYPED = new Set(['entry', 'password text', 'text']);
const NEW_TEXT = 'twin 42';
const PLAIN = { isEditable: false, isMultiLine: false } as const;
const KEYS = 'Tab Shift+Tab Down Up Right Left Home End Return Escape space F10 Ctrl+a Page_Down'.split(' ');
/** Options of one combo box and items of one menu that are tried. */
const MOST_OPTIONS = 3;
const MOST_ITEMS = 8;
const ITEMS = new Set(['menu item', 'check menu item', 'radio menu item']);
/** Qt reports the menus of a menu bar as items. */
const OPENS_MENU = new Set(['menu', 'menu item']);
const OPTIONS = new Set([...ITEMS, 'list item', 'table cell']);

/** The name of an act; the same in every run. */
export function actName({ kind, target, more, value }: Act): string {
  const path = [target.key, ...more].map(keyText).join(' → ');
  return `${kind}${value === undefined ? '' : ` ${JSON.stringify(value)}`}: ${path}`;
}

/** An act as people read it in reports. */
export function actTitle({ kind, target, value }: Act): string {
  const { role, name } = target.key;
  return `${kind} ${role} ${JSON.stringify(name)}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`;
}

const ENTERING = new Set<Kind>(['set-value', 'type']);
const HISTORY = /^(?:undo|redo)\b/i;

/**
 * Whether an act undoes what acts before it entered. How many steps a text is for that depends on how it was entered, at once or key by key: neither
 * side shows it, and it is no effect of this act.
 */
export function undoesText({ target, more }: Act, before: readonly Act[]): boolean {
  const name = (more.at(-1) ?? target.key).name;
  return HISTORY.test(name.trim()) && before.some(({ kind }) => ENTERING.has(kind));
}

const EXPLAINS = /^what.?s this\s*\?$/i;

/**
 * Whether an act begins a mode of Qt in which the next click explains what it hits instead of working it. Only the shape of the pointer shows the mode:
 * what follows would be compared in a state that nothing of what is compared can tell.
 */
export function beginsExplaining({ target, more }: Act): boolean {
  return EXPLAINS.test((more.at(-1) ?? target.key).name.trim());
}

/** The acts that a widget invites by itself. */
export function actsOn(target: Widget): Act[] {
  const act = (kind: Kind, value?: string): Act => ({
    kind,
    target,
    more: [],
    ...(value === undefined ? {} : { value }),
  });
  const { role } = target.key;
  const acts = [act('click')];
  if (OPENED.has(role)) acts.push(act('double-click'));
  if (WITH_MENU.has(role)) acts.push(act('right-click'));
  if (TOGGLED.has(role)) acts.push(act('toggle'));
  if (SELECTED.has(role)) acts.push(act('select'));
  if (target.isExpandable) acts.push(act('expand'));
  if (TYPED.has(role) && target.isEditable) acts.push(act('set-value', NEW_TEXT));
  // A click into text puts the caret where it hits, which a command need not do: only fields that are empty.
  if (TYPED.has(role) && target.isEditable && target.isEmpty) acts.push(act('type', NEW_TEXT));
  const number = role === 'spin button' ? anotherNumber(target) : undefined;
  if (number !== undefined) acts.push(act('set-value', String(number)));
  return acts;
}

/** Keys for the windows that some widgets are in. */
export function pressesIn(seen: Seen, widgets: readonly Widget[]): Act[] {
  const used = new Set(widgets.map(({ key }) => `${key.application} ${key.path[0]}`));
  return seen.applications
    .flatMap((application) => application.windows.map((node) => ({ node, above: [], application })))
    .filter((one) => whyUnreachable(one, seen) === undefined)
    .map(keyOf)
    .filter(({ application, path }) => used.has(`${application} ${path[0]}`))
    .flatMap((key) =>
      KEYS.map((value) => ({ kind: 'press' as const, target: { ...PLAIN, key }, more: [], value })),
    );
}

/** Escape, which closes what is open in an application. */
export function escapeFrom(seen: Seen): Act | undefined {
  for (const application of seen.applications)
    for (const node of application.windows)
      if (FRAMES.has(node.role))
        return {
          kind: 'press',
          target: { ...PLAIN, key: keyOf({ node, above: [], application }) },
          more: [],
          value: 'Escape',
        };
  return undefined;
}

const FRAMES = new Set(['frame', 'dialog']);

/** The acts that become known by what a click on a menu or combo box showed. */
export function actsThrough({ target }: Act, shown: readonly Widget[]): Act[] {
  const named = shown.filter(({ key, unreachable }) => key.name !== '' && unreachable === undefined);
  if (target.key.role === 'combo box')
    return named
      .filter(({ key }) => OPTIONS.has(key.role))
      .slice(-MOST_OPTIONS)
      .map(({ key }) => ({ kind: 'select', target, more: [key], value: key.name }));
  if (!OPENS_MENU.has(target.key.role) || target.layer === 'popup') return [];
  return named
    .filter(({ key }) => ITEMS.has(key.role))
    .slice(0, MOST_ITEMS)
    .map(({ key }) => ({
      kind: 'menu',
      target: { ...PLAIN, key: target.key },
      more: [key],
      // Xfce pads the names of its items with blanks.
      value: [target.key, key].map(({ name }) => name.trim()).join(' > '),
    }));
}

/** A whole number that can be typed into the spin button, and that it does not have now. */
function anotherNumber({ value, range }: Widget): number | undefined {
  if (value === undefined || range === undefined) return undefined;
  const [least, most] = range;
  return [Math.round(value) + 1, Math.round(value) - 1].find(
    (number) => number >= Math.max(0, least) && number <= most,
  );
}
