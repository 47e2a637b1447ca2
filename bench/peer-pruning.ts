import { isInteractive, type Role } from '../src/model/tree/role.ts';
import { numberRefs, type PeerNode } from './peer-node.ts';
import { agentDeviceRole, xa11yRole } from './peer-roles.ts';

/**
 * Which elements each tool shows, according to its documentation and public source in November 2026, in our own code. What a tool leaves to its
 * platform (names, states, visibility) is the same for all. Where something is undocumented, we chose the interpretation that costs the tool fewer tokens.
 */
export type Pruning = (root: PeerNode) => PeerNode;

function filterChildren(node: PeerNode, replace: (child: PeerNode) => readonly PeerNode[]): PeerNode {
  return { ...node, children: node.children.flatMap((child) => replace(filterChildren(child, replace))) };
}

const isSilent = (node: PeerNode): boolean =>
  node.name === '' && node.value === '' && node.description === '' && node.states.length === 0;
const isBox = (role: Role): boolean => role === 'generic' || role === 'group';

/** `--compact`: nameless wrappers of one child become the child. `-i`: leaves that cannot be acted on are removed, bottom up; containers stay. */
export function agentDesktopPruning(interactiveOnly: boolean): Pruning {
  return (root) => {
    const kept = filterChildren(root, (child) => {
      const isWrapper = isBox(child.role) && isSilent(child) && child.children.length === 1;
      if (isWrapper) return child.children;
      return interactiveOnly && child.children.length === 0 && !isInteractive(child.role) ? [] : [child];
    });
    return numberRefs(kept, (node) => isInteractive(node.role));
  };
}

const BROWSER_REFS: ReadonlySet<Role> = new Set<Role>([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'togglebutton',
  'treeitem',
]);
const BROWSER_NAMED_REFS: ReadonlySet<Role> = new Set<Role>([
  'article',
  'cell',
  'columnheader',
  'gridcell',
  'heading',
  'landmark',
  'listitem',
  'rowheader',
]);

function browserRef(node: PeerNode): boolean {
  return BROWSER_REFS.has(node.role) || (BROWSER_NAMED_REFS.has(node.role) && node.name !== '');
}

/** `-i`: only elements with a ref, which named headings, cells and list items also have. `-c`: elements with a ref or a value, and what they are in. */
export function agentBrowserPruning(interactiveOnly: boolean): Pruning {
  return (root) => {
    const merged = filterChildren(root, (child) => [mergeTexts(child)]);
    const kept = filterChildren(mergeTexts(merged), (child) => {
      const isWrapper = child.role === 'generic' && child.children.length <= 1;
      const stays =
        browserRef(child) ||
        (!interactiveOnly && !isWrapper && (child.children.length > 0 || child.value !== ''));
      return stays ? [child] : child.children;
    });
    return numberRefs(kept, browserRef);
  };
}

/** Adjacent static texts are merged; an only text that repeats its parent's name is removed. */
function mergeTexts(node: PeerNode): PeerNode {
  const children: PeerNode[] = [];
  for (const child of node.children) {
    const last = children.at(-1);
    if (last?.role === 'text' && child.role === 'text')
      children.splice(-1, 1, { ...last, name: `${last.name} ${child.name}` });
    else children.push(child);
  }
  const only = children[0];
  return {
    ...node,
    children: children.length === 1 && only?.role === 'text' && only.name === node.name ? [] : children,
  };
}

/**
 * Nameless pictures and texts that repeat their parent's name are removed; a nameless generic around one element becomes the element. Every element
 * has a reference, text has none.
 */
export const playwrightPruning: Pruning = (root) => {
  const kept = filterChildren({ ...root, role: root.role }, (child) => {
    const node = mergeTexts(isBox(child.role) && child.name === '' ? { ...child, role: 'generic' } : child);
    const only = node.children[0];
    if (node.role === 'image' && node.name === '' && node.children.length === 0) return [];
    if (node.role === 'text' && node.name === '' && node.children.length === 0) return [];
    if (node.role === 'generic' && node.name === '') {
      if (node.children.length === 0) return [];
      if (node.children.length === 1 && only?.role !== 'text') return node.children;
    }
    return [node];
  });
  const withoutRepeats = filterChildren(mergeTexts(kept), (child) => [mergeTexts(child)]);
  return numberRefs(withoutRepeats, (node) => node.role !== 'text');
};

/** The whole visible tree; a number for what advertises an action or can be acted on. */
export const cuaDriverPruning: Pruning = (root) =>
  numberRefs(root, (node) => node.actions.length > 0 || isInteractive(node.role));

const XA11Y_KEPT = new Set('alert dialog menu menu_bar navigation toolbar window'.split(' '));
const XA11Y_ACTIONABLE = new Set(
  'button check_box combo_box link list_item menu_item radio_button scroll_bar slider spin_button switch tab text_area text_field tree_item'.split(
    ' ',
  ),
);
const XA11Y_WITH_TEXT = new Set(
  'heading image progress_bar static_text status table_cell tooltip'.split(' '),
);

/** Controls, landmarks and texts, with everything they are in; every line has a ref. */
export const strandsXa11yPruning: Pruning = (root) => {
  const kept = filterChildren(root, (child) => {
    const role = xa11yRole(child.role);
    const says = XA11Y_WITH_TEXT.has(role) && (child.name !== '' || child.value !== '');
    return child.children.length > 0 || XA11Y_KEPT.has(role) || XA11Y_ACTIONABLE.has(role) || says
      ? [child]
      : [];
  });
  return numberRefs(kept, () => true);
};

/** `-i -c`: controls, and labelled elements they are in; every line has a ref. */
export const agentDevicePruning: Pruning = (root) => {
  const kept = filterChildren(root, (child) => {
    if (isInteractive(child.role)) return [child];
    const isLabelled = child.name !== '' && agentDeviceRole(child.role) !== 'text';
    return child.children.length > 0 && isLabelled ? [child] : child.children;
  });
  return numberRefs(kept, (node) => agentDeviceRole(node.role) !== 'group' || node.name !== '');
};
