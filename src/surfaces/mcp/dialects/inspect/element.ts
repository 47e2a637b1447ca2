import type { OutputNode } from '../../../../model/tree/node.ts';
import type { Role } from '../../../../model/tree/role.ts';
import { stringifyVisibly } from '../../../../model/text/untrusted-text.ts';
import { bytesOf, LONGEST_ANSWER_BYTES } from '../../../../model/tree/budget/whole-nodes.ts';
import type { Attribute } from './parameters.ts';

/** An element and its path. */
export interface PathNode {
  readonly node: OutputNode;
  /**
   * `window[0]/toolbar[1]/button[2]`: the application's windows in the order of their ids, then at each level the children of one role,
   * counted from 0.
   */
  readonly path: string;
  readonly children: readonly PathNode[];
}

export type Element = { readonly path: string } & Partial<Readonly<Record<Attribute, unknown>>>;

export function withPaths(node: OutputNode, path: string): PathNode {
  const counts = new Map<Role, number>();
  const children = (node.children ?? []).map((child) => {
    const index = counts.get(child.role) ?? 0;
    counts.set(child.role, index + 1);
    return withPaths(child, `${path}/${child.role}[${index}]`);
  });
  return { node, path, children };
}

/** In document order. */
export function* eachNode(entry: PathNode): Generator<PathNode> {
  yield entry;
  for (const child of entry.children) yield* eachNode(child);
}

/** Keeps only elements of these roles; children of a removed element take its place. */
export function keepRoles(all: readonly PathNode[], roles: ReadonlySet<Role>): readonly PathNode[] {
  return all.flatMap((entry) => {
    const children = keepRoles(entry.children, roles);
    return roles.has(entry.node.role) ? [{ ...entry, children }] : children;
  });
}

/** The first elements in breadth-first order, so that the upper levels of a large tree are complete. The answer has at most so many, and so many bytes. */
export function firstByLevel(
  root: PathNode,
  most: { readonly elements: number; readonly bytes: number },
  attributes: ElementForm['attributes'],
): { readonly kept: ReadonlySet<PathNode>; readonly isFull: boolean } {
  const kept = new Set([root]);
  let bytes = bytesOfElement(root, attributes);
  for (const entry of kept) {
    for (const child of entry.children) {
      bytes += bytesOfElement(child, attributes);
      if (kept.size >= most.elements || bytes > most.bytes) return { kept, isFull: true };
      kept.add(child);
    }
  }
  return { kept, isFull: false };
}

/** The most that an element adds to the text of an answer. */
export function bytesOfElement(entry: PathNode, attributes?: ElementForm['attributes']): number {
  // Without its children, which makes it say that there are more.
  return bytesOf(stringifyVisibly(toElement(entry, { attributes, kept: new Set() }))) + SEPARATOR_BYTES;
}

const SEPARATOR_BYTES = 1;

export interface ElementForm {
  /** Default: all. Path, role and children are always included. */
  readonly attributes?: ReadonlySet<Attribute> | undefined;
  /** The elements to show. */
  readonly kept: ReadonlySet<PathNode>;
}

/** What elements may take of an answer; the rest is for what is said beside them. */
export const ELEMENTS_BYTES = LONGEST_ANSWER_BYTES - 4000;

/** Every element has the same keys in the same order; missing values are null or empty. */
export function toElement(entry: PathNode, form: ElementForm): Element {
  const { node, path } = entry;
  const { bounds, states = [] } = node;
  const shown = entry.children.filter((child) => form.kept.has(child));
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
    ...(shown.length < entry.children.length || isCut(node) ? { has_more_children: true } : {}),
    children: shown.map((child) => toElement(child, form)),
  };
}

/** Whether something below an element was not read. */
export function isCut(node: OutputNode): boolean {
  return node.elided_reason !== undefined || (node.elided ?? 0) > 0;
}

/** The value of an element. In this dialect the checked state is a value, in ARIA's terms. */
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
