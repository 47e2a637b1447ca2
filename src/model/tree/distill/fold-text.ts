import { roleSet } from '../role.ts';
import { eachUp, isStaticText, shownText, type Draft, type Pass } from './draft.ts';

/** Roles with flowing text: neighbouring pieces are one sentence even without bounds. */
const FLOWING = roleSet('blockquote', 'cell', 'heading', 'link', 'listitem', 'paragraph', 'text');
/** Roles that may consist of nothing but text. */
const TEXT_BLOCKS = roleSet(
  'blockquote',
  'caption',
  'code',
  'definition',
  'heading',
  'note',
  'paragraph',
  'term',
  'text',
);

/** Web engines cut a sentence at every style change: the pieces become one text, and a paragraph of nothing but text becomes that text. */
export const absorbText: Pass = (root) => {
  eachUp(root, (node) => {
    if (FLOWING.has(node.role)) fold(node, () => true);
    const only = node.children[0];
    if (
      !TEXT_BLOCKS.has(node.role) ||
      node.children.length !== 1 ||
      only === undefined ||
      !isStaticText(only)
    )
      return;
    if (node.name !== '' && node.name !== shownText(only)) return;
    if (node.name === '') node.nameFrom = 'content';
    node.name = shownText(only);
    node.children = [];
  });
};

/** Joins texts beside each other on one line; only after labels have named their fields. */
export const foldLines: Pass = (root) => {
  eachUp(root, (node) => fold(node, areOnOneLine));
};

function fold(parent: Draft, belongTogether: (first: Draft, second: Draft) => boolean): void {
  const kept: Draft[] = [];
  for (const child of parent.children) {
    const last = kept.at(-1);
    if (last !== undefined && areSimilar(last, child) && belongTogether(last, child)) {
      last.name = `${last.name} ${child.name}`.trim();
    } else kept.push(child);
  }
  parent.children = kept;
}

function areSimilar(first: Draft, second: Draft): boolean {
  if (!isStaticText(first) || !isStaticText(second) || first.role !== second.role) return false;
  return first.value === '' && second.value === '' && first.states.join() === second.states.join();
}

function areOnOneLine({ bounds: a, role }: Draft, { bounds: b }: Draft): boolean {
  if (a === undefined || b === undefined || role !== 'text') return false;
  const overlap = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const gap = b.x - (a.x + a.width);
  return 2 * overlap > Math.min(a.height, b.height) && gap >= -2 && gap < b.height;
}
