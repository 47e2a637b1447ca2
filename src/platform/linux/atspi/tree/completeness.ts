import { mentionParameter } from '../../../../model/text/mention.ts';
import type { TreeNode } from '../../../../model/tree/node.ts';
import type { TreeResult } from '../../../../ports/desktop.ts';
import type { ToolkitTraits } from './toolkit.ts';

/** The part of an application that matters here. */
interface WithToolkit {
  readonly traits: Pick<ToolkitTraits, 'kind'>;
}

/** Chromium without a renderer tree shows a frame and little else. */
const CHROMIUM_SKELETON_NODES = 8;

/** Why a tree that was read without errors is still incomplete, and what to do; `undefined` if nothing looks wrong. */
export function missingContent(application: WithToolkit, result: TreeResult): string | undefined {
  if (isEmptyWindow(result.root))
    return `no element of this window reports being on screen: it may be starting or covered; ${mentionParameter('whole_tree')} reads hidden elements`;
  if (
    application.traits.kind !== 'chromium' ||
    result.nodeCount > CHROMIUM_SKELETON_NODES ||
    findDocument(result.root)
  )
    return undefined;
  return 'Chromium and Electron build their tree only when started with --force-renderer-accessibility: close it and have Deskterity launch it';
}

/** Just after starting, Firefox returns a document without a name, content or extents; a moment later it is complete. */
export function isStillLoading(application: WithToolkit, result: TreeResult): boolean {
  if (application.traits.kind !== 'gecko') return false;
  if (isEmptyWindow(result.root)) return true;
  const document = findDocument(result.root);
  if (!document || document.elided) return false;
  if (document.name === '' && document.children.length === 0) return true;
  if (document.children.length > 0 && document.children.every((child) => child.bounds === undefined))
    return true;
  return awaitsActions(document);
}

/** Firefox fetches actions from the page's process on first request, and until then reports none. */
function awaitsActions(document: TreeNode): boolean {
  let focusable = 0;
  let withActions = 0;
  const count = (node: TreeNode): void => {
    if (node.actions && node.states.includes('focusable')) {
      focusable++;
      if (node.actions.length > 0) withActions++;
    }
    node.children.forEach(count);
  };
  document.children.forEach(count);
  return focusable > 0 && withActions === 0;
}

/** An endless tree is cut at a depth that no real interface reaches, which the caller did not ask for. */
export function isCutByDepth(root: TreeNode): boolean {
  return root.elided === 'depth' || root.children.some((child) => isCutByDepth(child));
}

function isEmptyWindow({ role, children, elided }: TreeNode): boolean {
  return role === 'window' && children.length === 0 && elided === undefined;
}

function findDocument(node: TreeNode): TreeNode | undefined {
  if (node.nativeRole === 'document web') return node;
  for (const child of node.children) {
    const found = findDocument(child);
    if (found) return found;
  }
  return undefined;
}
