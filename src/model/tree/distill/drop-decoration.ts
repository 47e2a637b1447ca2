import { isInteractive, roleSet } from '../role.ts';
import { isElided, isFocused, rewrite } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

const DECORATION = roleSet('separator', 'scrollbar');
/** Controls whose arrows, thumbs and inner fields are not separate targets. */
const COMPOSITES = roleSet('meter', 'progressbar', 'slider', 'spinbutton');
/** Roles that are meaningless as an empty, nameless leaf. */
const NOTHING_WHEN_EMPTY = roleSet('image', 'listitem', 'figure', 'video', 'tooltip', 'status');

/** Compact form: drops separators, scroll bars, nameless pictures and the parts of spin buttons. */
export const dropDecoration: Pass = (root, options) => {
  if (!options.compact) return;
  rewrite(root, (node) => {
    if (COMPOSITES.has(node.role)) absorbParts(node);
    if (isFocused(node) || isElided(node)) return [node];
    if (DECORATION.has(node.role)) return [];
    const empty = node.children.length === 0 && node.name === '' && node.value === '';
    return empty && NOTHING_WHEN_EMPTY.has(node.role) && node.states.length === 0 ? [] : [node];
  });
};

/** Keeps the parts if any of them is named differently from the control itself. */
function absorbParts(node: Draft): void {
  const isPart = (part: Draft): boolean =>
    !isElided(part) && (part.name === '' || part.name === node.name || !isInteractive(part.role));
  if (!node.children.every((child) => isPart(child) && child.children.every(isPart))) return;
  if (node.children.some((child) => isFocused(child) || child.children.some(isFocused)) && !isFocused(node))
    node.states.push('focused');
  const inner = node.children.find((child) => child.role === 'textbox' && child.value !== '');
  if (node.value === '' && inner !== undefined) node.value = inner.value;
  node.children = [];
}
