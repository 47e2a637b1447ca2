import type { Fixture } from '../../../fixtures/driver.ts';
import { expectedWidgets, type ExpectedWidget, type FixtureKind } from '../../../fixtures/widgets.ts';

/** One change that an application makes to its own widgets, without any accessibility client. */
export interface Mutation {
  readonly op: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Kinds that a fixture cannot rebuild; see fixtures/README.md. */
const FIXED = new Set([
  'menubar',
  'menu',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tabs',
  'tab',
  'dialog',
  'nested_dialog',
]);
const CHECKABLE = new Set(['check', 'radio', 'toggle', 'menuitemcheckbox', 'menuitemradio']);
const TEXTUAL = new Set(['entry', 'password', 'textarea', 'label']);
const NUMERIC = new Set(['slider', 'spin', 'progress']);
const ROWS: readonly string[] = ['rows', 'fruits', 'prices', 'files'];

/** A random change; it may be one that the toolkit refuses. */
export function randomMutation(kind: FixtureKind, random: () => number): Mutation {
  const widgets = expectedWidgets(kind);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(random() * from.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  };
  const of = (isWanted: (widget: ExpectedWidget) => boolean): string => pick(widgets.filter(isWanted)).id;
  const set = (widget: string, property: string, value: unknown): Mutation => ({
    op: 'set',
    fields: { widget, property, value },
  });
  const movable = (): string => of((widget) => !FIXED.has(widget.kind) && widget.id !== 'rows');
  const word = (): string => `word ${Math.floor(random() * 1000)}`;
  const choices: readonly (() => Mutation)[] = [
    () =>
      set(
        of((widget) => CHECKABLE.has(widget.kind)),
        'checked',
        random() < 0.5,
      ),
    () =>
      set(
        of((widget) => TEXTUAL.has(widget.kind)),
        'text',
        word(),
      ),
    () =>
      set(
        of((widget) => NUMERIC.has(widget.kind)),
        'value',
        Math.floor(random() * 100),
      ),
    () => set(movable(), 'enabled', random() < 0.5),
    () => set(movable(), 'visible', random() < 0.6),
    () => set('tabs', 'selected', Math.floor(random() * 4)),
    () => set(pick(['fruits', 'prices', 'rows']), 'selected', Math.floor(random() * 3)),
    () => set('colour', 'selected', Math.floor(random() * 3)),
    () => ({ op: 'set', fields: { widget: 'files', property: 'expanded', value: random() < 0.5, index: 0 } }),
    () =>
      set(
        of((widget) => !FIXED.has(widget.kind)),
        'focused',
        true,
      ),
    () => ({ op: 'rename', fields: { widget: movable(), label: word() } }),
    () => ({ op: 'rename', fields: { widget: pick(ROWS), index: Math.floor(random() * 3), label: word() } }),
    () => ({ op: 'recreate', fields: { widget: movable() } }),
    () => ({ op: 'recreate', fields: { widget: pick(ROWS), index: Math.floor(random() * 3) } }),
    () => ({ op: 'swap', fields: { widget: movable(), with: movable() } }),
    () => ({ op: 'swap', fields: { widget: pick(ROWS), first: 0, second: 1 } }),
    () => ({
      op: 'add_rows',
      fields: { widget: 'rows', n: 1 + Math.floor(random() * 3), index: Math.floor(random() * 5) },
    }),
    () => ({ op: 'remove_rows', fields: { widget: 'rows', n: 1, index: Math.floor(random() * 5) } }),
    () => ({ op: 'scroll_to', fields: { widget: 'rows', index: Math.floor(random() * 20) } }),
    () => ({ op: 'open_dialog', fields: {} }),
    () => ({ op: 'close_dialog', fields: {} }),
    () => ({ op: 'set_title', fields: { title: word() } }),
  ];
  return pick(choices)();
}

/** Applies a mutation; resolves with false if the application refused it. */
export async function mutate(fixture: Fixture, { op, fields }: Mutation): Promise<boolean> {
  return fixture.control(op, fields).then(
    () => true,
    () => false,
  );
}
