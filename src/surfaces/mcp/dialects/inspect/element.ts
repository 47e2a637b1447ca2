import type { OutputNode } from '../../../../model/tree/node.ts';
import type { Role } from '../../../../model/tree/role.ts';
import type { Attribute } from './parameters.ts';

/** An element and where it stands. */
export interface Placed {
  readonly node: OutputNode;
  /**
   * `window[0]/toolbar[1]/button[2]`: the windows of the application in the order of their ids, then at each level the children of one role,
   * counted from 0.
   */
  readonly path: string;
  readonly children: readonly Placed[];
}

export type Element = { readonly path: string } & Partial<Readonly<Record<Attribute, unknown>>>;

export function place(node: OutputNode, path: string): Placed {
  const counts = new Map<Role, number>();
  const children = (node.children ?? []).map((child) => {
    const index = counts.get(child.role) ?? 0;
    counts.set(child.role, index + 1);
    return place(child, `${path}/${child.role}[${index}]`);
  });
  return { node, path, children };
}

/** In document order. */
export function* eachPlaced(placed: Placed): Generator<Placed> {
  yield placed;
  for (const child of placed.children) yield* eachPlaced(child);
}

/** Only elements of these roles; what was below another moves up to where that was. */
export function keepRoles(all: readonly Placed[], roles: ReadonlySet<Role>): readonly Placed[] {
  return all.flatMap((placed) => {
    const children = keepRoles(placed.children, roles);
    return roles.has(placed.node.role) ? [{ ...placed, children }] : children;
  });
}

/** The first `limit` elements level by level, so that of a large tree its upper levels are whole. */
export function firstByLevel(root: Placed, limit: number): ReadonlySet<Placed> {
  const kept = new Set([root]);
  for (const placed of kept) {
    for (const child of placed.children) {
      if (kept.size >= limit) return kept;
      kept.add(child);
    }
  }
  return kept;
}

export interface ElementForm {
  /** All where absent; path, role and children stand there in any case. */
  readonly attributes?: ReadonlySet<Attribute> | undefined;
  /** Children that are shown. */
  readonly kept: ReadonlySet<Placed>;
}

/** Every element has the same keys, in the same order: what it does not have is null or empty. */
export function toElement(placed: Placed, form: ElementForm): Element {
  const { node, path } = placed;
  const { bounds, states = [] } = node;
  const shown = placed.children.filter((child) => form.kept.has(child));
  const all = {
    title: node.name ?? '',
    value: valueOf(node) ?? null,
    identifier: node.identifier ?? null,
    description: node.description ?? null,
    enabled: !states.includes('disabled'),
    focused: states.includes('focused'),
    position: bounds === undefined ? null : { x: bounds.x, y: bounds.y },
    size: bounds === undefined ? null : { width: bounds.width, height: bounds.height },
    actions: node.actions ?? [],
  } satisfies Partial<Record<Attribute, unknown>>;
  const { attributes } = form;
  const chosen =
    attributes === undefined
      ? all
      : Object.fromEntries(
          Object.entries(all).filter(([key]) => [...attributes].some((wanted) => wanted === key)),
        );
  return {
    path,
    role: node.role,
    ...chosen,
    ...(shown.length < placed.children.length || isCut(node) ? { has_more_children: true } : {}),
    children: shown.map((child) => toElement(child, form)),
  };
}

/** Whether something below an element was left out of what was read. */
export function isCut(node: OutputNode): boolean {
  return node.elided_reason !== undefined || (node.elided ?? 0) > 0;
}

/** What an element holds. A check mark is a state for our own tools; here it is a value, in the words of ARIA. */
export function valueOf({ role, value, states = [] }: OutputNode): string | undefined {
  const on = MARKS[role];
  if (on === undefined) return value;
  if (states.includes('indeterminate')) return 'mixed';
  return String(on.some((state) => states.includes(state)));
}

const MARKS: Readonly<Partial<Record<Role, readonly ('checked' | 'pressed' | 'selected')[]>>> = {
  checkbox: ['checked'],
  menuitemcheckbox: ['checked'],
  menuitemradio: ['checked'],
  radio: ['checked'],
  switch: ['checked', 'pressed'],
  tab: ['selected'],
  togglebutton: ['checked', 'pressed'],
};
