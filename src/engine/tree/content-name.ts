import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';

/** Roles that GTK builds from a nameless box with labels in it. */
export const NAMED_BY_CONTENT = roleSet(
  'button',
  'cell',
  'gridcell',
  'link',
  'listitem',
  'option',
  'row',
  'tab',
  'treeitem',
);
const CONTENT_LIMITS = { maxDepth: 4, maxNodes: 60 } as const;

/** The texts inside an element, which are all that is written on it if it has no name. */
export async function contentOf(
  desktop: DesktopPort,
  root: NodeHandle,
  options: CallOptions & { readonly wholeTree?: boolean },
): Promise<string> {
  const request = {
    wholeTree: false,
    ...options,
    root,
    includeActions: false,
    mirrored: false,
    ...CONTENT_LIMITS,
  };
  // The text is optional: failing to read it is no error.
  const read = await desktop.readTree(request).catch(() => undefined);
  const texts = (node: TreeNode): string[] => [
    ...(node.role === 'text' ? [node.name] : []),
    ...node.children.flatMap((child) => texts(child)),
  ];
  return read === undefined
    ? ''
    : texts(read.root)
        .filter((text) => text !== '')
        .join(' ');
}
