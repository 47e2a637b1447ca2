import type { Role } from '../role.ts';
import { isStaticText, rewrite, shownText } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

/** Where text flows, so that neighbouring pieces are one sentence even when their boxes are unknown. */
const FLOWING: ReadonlySet<Role> = new Set<Role>([
  'blockquote',
  'cell',
  'heading',
  'link',
  'listitem',
  'paragraph',
  'text',
]);
/** Nothing but text in them: the text is the element. */
const TEXT_BLOCKS: ReadonlySet<Role> = new Set<Role>([
  'paragraph',
  'heading',
  'text',
  'caption',
  'blockquote',
  'term',
  'code',
  'note',
]);

/** Web engines cut a sentence at every style change: pieces on one line become one text, and a paragraph of nothing but text becomes that text. */
export const foldText: Pass = (root) => {
  foldWithin(root);
  rewrite(root, (node) => {
    foldWithin(node);
    const only = node.children[0];
    if (
      TEXT_BLOCKS.has(node.role) &&
      node.name === '' &&
      node.children.length === 1 &&
      only !== undefined &&
      isStaticText(only)
    ) {
      node.name = shownText(only);
      node.nameFrom = only.nameFrom === 'label' ? 'content' : only.nameFrom;
      node.children = [];
    }
    return [node];
  });
};

function foldWithin(parent: Draft): void {
  const kept: Draft[] = [];
  for (const child of parent.children) {
    const last = kept.at(-1);
    if (last !== undefined && canFold(last, child, parent))
      last.name = `${shownText(last)} ${shownText(child)}`.trim();
    else kept.push(child);
  }
  parent.children = kept;
}

function canFold(first: Draft, second: Draft, parent: Draft): boolean {
  if (!isStaticText(first) || !isStaticText(second) || first.role !== second.role) return false;
  if (first.states.join() !== second.states.join() || first.value !== '' || second.value !== '') return false;
  if (FLOWING.has(parent.role)) return true;
  const a = first.bounds;
  const b = second.bounds;
  if (a === undefined || b === undefined || first.role !== 'text') return false;
  const overlap = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const gap = b.x - (a.x + a.width);
  return 2 * overlap > Math.min(a.height, b.height) && gap >= -2 && gap < b.height;
}
