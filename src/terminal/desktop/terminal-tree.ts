import { mentionCommand } from '../../model/text/mention.ts';
import type { TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import { intersect } from '../../model/tree/bounds.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { NodeDetails, TreeRequest, TreeResult } from '../../ports/desktop/elements.ts';
import type { Point } from '../../ports/input.ts';

/** The element of a handle with its ancestors, outermost first. */
export function lineageOf(root: TreeNode, handle: NodeHandle): readonly TreeNode[] | undefined {
  if (root.handle.app !== handle.app) return undefined;
  if (root.handle.path === handle.path) return [root];
  for (const child of root.children) {
    const found = lineageOf(child, handle);
    if (found !== undefined) return [root, ...found];
  }
  return undefined;
}

/** The elements at a point, innermost first. */
export function elementsAt(root: TreeNode, { x, y }: Point): readonly NodeHandle[] {
  if (root.bounds === undefined || intersect(root.bounds, { x, y, width: 1, height: 1 }) === undefined)
    return [];
  for (const child of root.children) {
    const found = elementsAt(child, { x, y });
    if (found.length > 0) return [...found, root.handle];
  }
  return [root.handle];
}

/** The requested part of a tree, with elided children marked. */
export function limited(root: TreeNode, { maxDepth, maxNodes, includeActions }: TreeRequest): TreeResult {
  let nodeCount = 0;
  let isCut = false;
  const copy = (node: TreeNode, depth: number): TreeNode => {
    nodeCount += 1;
    const children: TreeNode[] = [];
    const result: TreeNode = { ...node, ...(includeActions ? { actions: actionsOf(node) } : {}), children };
    if (node.children.length > 0 && maxDepth !== undefined && depth >= maxDepth)
      return { ...result, childCount: node.children.length, elided: 'depth' };
    for (const child of node.children) {
      if (nodeCount >= maxNodes) {
        isCut = true;
        return { ...result, childCount: node.children.length, elided: 'budget' };
      }
      children.push(copy(child, depth + 1));
    }
    return result;
  };
  const tree = copy(root, 0);
  return {
    root: tree,
    complete: !isCut,
    incompleteReasons: isCut ? [`only the first ${maxNodes} elements were read`] : [],
    nodeCount,
    callCount: 1,
  };
}

/** All details of an element of a terminal. */
export function detailsOf(lineage: readonly TreeNode[], screen: TerminalScreen): NodeDetails {
  const node = lineage.at(-1);
  if (node === undefined) throw gone();
  const { children, ...fields } = node;
  const parent = lineage.at(-2);
  const isTerminal = node.role === 'terminal';
  const { states } = fields;
  return {
    ...fields,
    // All typed text goes to the terminal.
    states: isTerminal && !states.includes('focused') ? [...states, 'focused'] : states,
    actions: actionsOf(node),
    ...(children.length > 0 || isTerminal ? { text: textOf(node, screen) } : {}),
    attributes: isTerminal ? attributesOf(screen) : {},
    relations: [],
    interfaces: node.role === 'terminal' ? ['EditableText'] : [],
    ...(parent === undefined ? {} : { parent: parent.handle, indexInParent: parent.children.indexOf(node) }),
  };
}

/** The text as displayed, without trailing blank rows. */
function textOf(node: TreeNode, { rows }: TerminalScreen): string {
  if (node.role !== 'terminal') return node.children.map(({ name }) => name).join('\n');
  return rows
    .map(({ text }) => text)
    .join('\n')
    .replace(/\n+$/, '');
}

/** Only rows and their parts have a position to click. */
export function isClickable({ role }: Pick<TreeNode, 'role'>): boolean {
  return role === 'row' || role === 'listitem' || role === 'option' || role === 'status';
}

export function gone(): DeskterityError {
  return new DeskterityError('STALE_REF', 'The element is no longer in the terminal.', {
    suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
    delivered: false,
  });
}

function actionsOf(node: TreeNode): readonly string[] {
  return isClickable(node) ? ['click'] : [];
}

function attributesOf({ size, cursor, modes, isAlternate }: TerminalScreen): Record<string, string> {
  return {
    columns: String(size.columns),
    rows: String(size.rows),
    cursor_row: String(cursor.row + 1),
    cursor_column: String(cursor.column + 1),
    cursor_visible: String(cursor.isVisible),
    alternate_screen: String(isAlternate),
    mouse_tracking: modes.mouseTracking,
    bracketed_paste: String(modes.isBracketedPaste),
  };
}
