import { mentionParameter } from '../../../../model/text/mention.ts';
import type { TreeNode } from '../../../../model/tree/node.ts';
import type { TreeResult } from '../../../../ports/desktop.ts';
import type { ToolkitTraits } from './toolkit.ts';

/** All that matters of an application here. */
interface Speaker {
  readonly traits: Pick<ToolkitTraits, 'kind'>;
}

/** A Chromium that was not told to build its tree shows a frame and little else. */
const CHROMIUM_SKELETON_NODES = 8;

/** Why a tree that was read without fault is still not the real one, and what to do; `undefined` when nothing looks wrong. */
export function missingContent(application: Speaker, result: TreeResult): string | undefined {
  if (isEmptyWindow(result.root))
    return `no element of this window says that it is on screen: it may be starting or covered; ${mentionParameter('whole_tree')} reads what is hidden`;
  if (
    application.traits.kind !== 'chromium' ||
    result.nodeCount > CHROMIUM_SKELETON_NODES ||
    findDocument(result.root)
  )
    return undefined;
  return 'Chromium and Electron build their tree only when started with --force-renderer-accessibility: close it and have Deskterity launch it';
}

/** Just after its start Firefox answers with a document that has no name, no content or no boxes; a moment later it is all there. */
export function isHollow(application: Speaker, result: TreeResult): boolean {
  if (application.traits.kind !== 'gecko') return false;
  if (isEmptyWindow(result.root)) return true;
  const document = findDocument(result.root);
  if (!document || document.elided) return false;
  if (document.name === '' && document.children.length === 0) return true;
  if (document.children.length > 0 && document.children.every((child) => child.bounds === undefined))
    return true;
  return awaitsActions(document);
}

/** Firefox fetches actions from the page's process when they are first asked for, and meanwhile says that there are none. */
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

/** A tree without end is cut where no real interface goes, and that is not what the caller asked for. */
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
