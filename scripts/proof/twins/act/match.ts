import { z } from 'zod';
import type { Box, SeenNode } from '../look/tree.ts';

/** An element of a snapshot, as far as it is needed to recognize it. */
export const OurNode = z.looseObject({
  ref: z.string().optional(),
  role: z.string(),
  name: z.string().optional(),
  bounds: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
  get children(): z.ZodOptional<z.ZodArray<typeof OurNode>> {
    return z.array(OurNode).optional();
  },
});
export type OurNode = z.output<typeof OurNode>;

/** Roles of the snapshot that stand for a role of libatspi, where the same place may hold elements of several roles. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  button: ['button', 'togglebutton'],
  'check box': ['checkbox', 'switch', 'togglebutton'],
  'check menu item': ['menuitemcheckbox'],
  'combo box': ['combobox', 'button'],
  entry: ['textbox', 'searchbox', 'combobox'],
  'list item': ['listitem', 'option'],
  menu: ['menuitem', 'menu'],
  'menu item': ['menuitem', 'option'],
  'page tab': ['tab'],
  'password text': ['textbox'],
  'push button': ['button', 'togglebutton', 'combobox', 'menuitem'],
  'radio button': ['radio'],
  'radio menu item': ['menuitemradio'],
  'spin button': ['spinbutton'],
  'table cell': ['cell', 'gridcell', 'row', 'treeitem', 'listitem', 'option'],
  'table row': ['row', 'listitem'],
  text: ['textbox', 'searchbox', 'spinbutton', 'combobox', 'terminal'],
  'toggle button': ['togglebutton', 'button', 'switch', 'combobox'],
  'tree item': ['treeitem'],
};
/** Share of two boxes' common area that still makes them the same place. */
const SAME_PLACE = 0.5;

/** The reference of the element at the place of a node, preferring equal roles and names; none if nothing is at its place. */
export function matchNode(tree: OurNode, node: SeenNode): string | undefined {
  const box = node.box;
  if (box === null) return undefined;
  const candidates = [...flatten(tree)].flatMap((one) => {
    // Commands on elements take no window.
    if (one.ref?.startsWith('@e') !== true || one.bounds === undefined) return [];
    const { x, y, width, height } = one.bounds;
    const overlap = commonShare(box, [x, y, width, height]);
    if (overlap < SAME_PLACE) return [];
    const hasRole = ROLES[node.role]?.includes(one.role) ?? false;
    const hasName = clean(one.name ?? '') === clean(node.name);
    return [{ ref: one.ref, score: (hasRole ? 4 : 0) + (hasName ? 2 : 0) + overlap }];
  });
  return candidates.toSorted((a, b) => b.score - a.score)[0]?.ref;
}

function* flatten(node: OurNode): Generator<OurNode> {
  yield node;
  for (const child of node.children ?? []) yield* flatten(child);
}

function clean(name: string): string {
  return name.replaceAll(/[_&\s…]/g, '').toLowerCase();
}

function commonShare(a: Box, b: Box): number {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const common = width * height;
  return common / (a[2] * a[3] + b[2] * b[3] - common);
}
