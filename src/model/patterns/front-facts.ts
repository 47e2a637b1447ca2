import { z } from 'zod';
import { ROLES } from '../tree/role.ts';
import type { OutputNode } from '../tree/node.ts';

/** The element that has the focus, without its value: the state says where the focus is, not what is typed there. */
export const FocusedElement = z.object({
  role: z.enum(ROLES),
  name: z.string().optional(),
  ref: z.string().optional(),
});

/** What the front window of an application says of it: where the focus is, and its menus. */
export function frontFacts(tree: OutputNode): {
  readonly focused_element?: z.output<typeof FocusedElement>;
  readonly menu_bar?: string[];
} {
  const focused = deepestFocused(tree);
  const menus = firstMenuBar(tree)?.children?.flatMap(({ name }) => name ?? []);
  return {
    ...(focused === undefined ? {} : { focused_element: facts(focused) }),
    ...(menus === undefined ? {} : { menu_bar: menus }),
  };
}

function facts({ role, name, ref }: OutputNode): z.output<typeof FocusedElement> {
  return { role, ...(name === undefined ? {} : { name }), ...(ref === undefined ? {} : { ref }) };
}

function deepestFocused(node: OutputNode): OutputNode | undefined {
  for (const child of node.children ?? []) {
    const found = deepestFocused(child);
    if (found !== undefined) return found;
  }
  return node.states?.includes('focused') === true ? node : undefined;
}

function firstMenuBar(node: OutputNode): OutputNode | undefined {
  if (node.role === 'menubar') return node;
  for (const child of node.children ?? []) {
    const found = firstMenuBar(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
