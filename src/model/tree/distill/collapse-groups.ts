import { isInteractive, roleSet } from '../role.ts';
import { isElided, isFocused, rewrite, type Draft, type Pass } from './draft.ts';

/** Only layout if they have no name. */
const LAYOUT = roleSet('generic', 'group');
/** Structure that the compact form omits if it has no name. */
const LOOSE = roleSet(
  'generic',
  'group',
  'rowgroup',
  'landmark',
  'form',
  'titlebar',
  'paragraph',
  'article',
  'figure',
);
/** Meaningless without a name, value or children. */
const EMPTY = roleSet(
  'application',
  'article',
  'blockquote',
  'caption',
  'code',
  'figure',
  'form',
  'generic',
  'group',
  'heading',
  'landmark',
  'list',
  'paragraph',
  'radiogroup',
  'rowgroup',
  'tablist',
  'tabpanel',
  'text',
  'titlebar',
  'toolbar',
);
/** Items that only wrap one control, as in web navigation lists. */
const WRAPPERS = roleSet('listitem', 'cell', 'gridcell');

/** Toolkits nest boxes for layout: nameless groups with one child are replaced by the child, empty ones removed; the compact form drops all nameless groups. */
export const collapseGroups: Pass = (root, options) => {
  rewrite(root, (node, parent) => {
    if (isFocusedInside(node, parent)) return [];
    if (isElided(node) || isFocused(node) || node.value !== '') return [node];
    if (node.name !== '') {
      if (options.compact && isNamedAlike(node, parent)) return node.children;
      return isEmptyBox(node, options.compact) ? [] : [node];
    }
    if (node.children.length === 0) return EMPTY.has(node.role) ? [] : [node];
    if (LAYOUT.has(node.role) && node.children.length === 1) return node.children;
    if (!options.compact) return [node];
    if (LOOSE.has(node.role)) return node.children;
    return isIdleWrapper(node, parent) ? node.children : [node];
  });
};

/** The nameless inner box of a control, which has the focus because the control has it. */
function isFocusedInside(node: Draft, parent: Draft): boolean {
  const isBox = LAYOUT.has(node.role) && node.name === '' && node.value === '';
  return isBox && node.children.length === 0 && isInteractive(parent.role) && isFocused(parent);
}

/** A heading or item around a link of the same name. */
function isNamedAlike(node: Draft, parent: Draft): boolean {
  const only = node.children[0];
  if (node.children.length !== 1 || only?.name !== node.name || !isInteractive(only.role)) return false;
  return node.role === 'heading' || node.role === 'paragraph' || isIdleWrapper(node, parent);
}

/** A named but empty box: its name is not visible, so the compact form omits it. */
function isEmptyBox(node: Draft, compact: boolean): boolean {
  return (
    compact &&
    node.children.length === 0 &&
    (node.role === 'generic' || node.role === 'rowgroup' || node.role === 'titlebar')
  );
}

function isIdleWrapper(node: Draft, parent: Draft): boolean {
  if (!WRAPPERS.has(node.role) || parent.role === 'row' || node.children.length !== 1) return false;
  const only = node.children[0];
  return (
    only !== undefined &&
    isInteractive(only.role) &&
    !node.states.some(
      (state) =>
        state === 'selected' || state === 'selectable' || state === 'expanded' || state === 'collapsed',
    )
  );
}
