import type { OutputNode } from '../../../../model/tree/node.ts';
import { reveal } from '../../../../model/text/untrusted-text.ts';
import { isCut, valueOf } from '../inspect/element.ts';

/** An element in the dialect's form. */
export type AxElement = Readonly<Record<string, unknown>>;

/** Without what it does not have. */
export function toAxElement(node: OutputNode): AxElement {
  const { role, name, bounds, states = [], ref } = node;
  const value = axValue(node);
  return {
    role,
    ...(name === undefined ? {} : { title: name }),
    ...(value === undefined ? {} : { value }),
    ...(bounds === undefined ? {} : { position: [bounds.x, bounds.y], size: [bounds.width, bounds.height] }),
    enabled: !states.includes('disabled'),
    focused: states.includes('focused'),
    ...(ref === undefined ? {} : { element_ref: ref }),
  };
}

/** The value of an element; the text of a label is its value too. */
export function axValue(node: OutputNode): string | undefined {
  return valueOf(node) ?? (node.role === 'text' ? node.name : undefined);
}

/** An element with everything below it. */
export function toAxTree(node: OutputNode): AxElement {
  const { children = [], identifier, description } = node;
  return {
    ...toAxElement(node),
    ...(identifier === undefined ? {} : { identifier }),
    ...(description === undefined ? {} : { description }),
    ...(isCut(node) ? { has_more_children: true } : {}),
    ...(children.length === 0 ? {} : { children: children.map((child) => toAxTree(child)) }),
  };
}

/** A line for each element: its role and title, indented by level. */
export function compactTree(node: OutputNode, level = 0): string {
  const { role, name, children = [] } = node;
  const line = `${'  '.repeat(level)}${role}${name === undefined ? '' : `:${reveal(name)}`}${isCut(node) ? ' …' : ''}`;
  return [line, ...children.map((child) => compactTree(child, level + 1))].join('\n');
}
