import type { TreeNode } from '../../src/model/tree/node.ts';
import type { TreeRequest, TreeResult } from '../../src/ports/desktop/elements.ts';
import type { SimulatedNode } from './simulated-world.ts';

/** Reads a scripted tree under the rules of every adapter: hidden parts pruned, limits marked, cycles cut. */
export function readSimulatedTree(root: SimulatedNode, request: TreeRequest): TreeResult {
  const reasons: string[] = [];
  const seen = new Set<string>();
  let callCount = 0;

  const visit = (node: SimulatedNode, depth: number): TreeNode => {
    seen.add(node.id);
    callCount++;
    const children: TreeNode[] = [];
    const tree = toTreeNode(request.root.app, node, children, request.includeActions);
    const wanted = (node.children ?? []).filter((child) => request.wholeTree || !isHidden(child));
    if (request.maxDepth !== undefined && depth >= request.maxDepth) {
      if (wanted.length > 0) Object.assign(tree, { childCount: wanted.length, elided: 'depth' });
      return tree;
    }
    for (const child of wanted) {
      if (seen.has(child.id)) {
        tree.elided ??= 'cycle';
        continue;
      }
      if (seen.size >= request.maxNodes) {
        Object.assign(tree, { childCount: wanted.length, elided: 'budget' });
        if (reasons.length === 0) reasons.push(`only the first ${request.maxNodes} elements were read`);
        break;
      }
      children.push(visit(child, depth + 1));
    }
    return tree;
  };

  const tree = visit(root, 0);
  return {
    root: tree,
    complete: reasons.length === 0,
    incompleteReasons: reasons,
    nodeCount: seen.size,
    callCount,
  };
}

export function toTreeNode(
  app: string,
  node: SimulatedNode,
  children: TreeNode[],
  includeActions = false,
): TreeNode {
  return {
    handle: { app, path: node.id },
    role: node.role,
    nativeRole: node.role,
    name: node.name ?? '',
    ...(node.value === undefined || node.states?.includes('protected') ? {} : { value: node.value }),
    ...(node.description === undefined ? {} : { description: node.description }),
    states: [...(node.states ?? [])].sort(),
    ...(node.staysPressed === true ? { staysPressed: true } : {}),
    ...(node.isNamedByPlace === true ? { isNamedByPlace: true } : {}),
    ...(node.formula === undefined ? {} : { formula: node.formula }),
    ...(node.bounds ? { bounds: node.bounds } : {}),
    ...(includeActions ? { actions: node.actions ?? [] } : {}),
    children,
  };
}

function isHidden(node: SimulatedNode): boolean {
  return node.states?.includes('hidden') === true || node.states?.includes('offscreen') === true;
}

/** The platform interfaces that an element with these abilities would implement. */
export function interfacesOf(node: SimulatedNode): string[] {
  return [
    ...(node.actions && node.actions.length > 0 ? ['Action'] : []),
    ...(node.accepts === 'text' || node.accepts === 'lies' ? ['Text', 'EditableText'] : []),
    ...(node.accepts === 'number' ? ['Value'] : []),
  ];
}
