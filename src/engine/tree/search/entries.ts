import { quoteClipped } from '../../../model/text/untrusted-text.ts';
import type { OutputNode } from '../../../model/tree/node.ts';

/** One element of the searched tree, with parent and children. */
export interface SearchEntry {
  readonly node: OutputNode;
  readonly parent: SearchEntry | undefined;
  readonly children: SearchEntry[];
}

/** All elements in document order. */
export function flatten(root: OutputNode): SearchEntry[] {
  const entries: SearchEntry[] = [];
  const visit = (node: OutputNode, parent: SearchEntry | undefined): SearchEntry => {
    const entry: SearchEntry = { node, parent, children: [] };
    entries.push(entry);
    for (const child of node.children ?? []) entry.children.push(visit(child, entry));
    return entry;
  };
  visit(root, undefined);
  return entries;
}

/** The named containers of an element, outermost first. */
export function withinOf(entry: SearchEntry): string[] {
  const within: string[] = [];
  for (let ancestor = entry.parent; ancestor; ancestor = ancestor.parent) {
    if (ancestor.node.name) within.unshift(`${ancestor.node.role} ${quoteClipped(ancestor.node.name, 60)}`);
  }
  return within;
}
