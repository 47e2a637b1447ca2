import { mentionCommand, mentionParameter } from '../../../model/text/mention.ts';
import type { NodeHandle, TreeNode } from '../../../model/tree/node.ts';
import type {
  DescribeOptions,
  NodeDetails,
  TreeRequest,
  TreeResult,
} from '../../../ports/desktop/elements.ts';
import type { Application } from '../atspi/bus/application.ts';
import { withLastPlaces } from '../atspi/mirror/last-places.ts';
import type { Knowledge } from '../atspi/mirror/requests.ts';
import { liveNode, placeOf } from '../atspi/tree/cells/cell-address.ts';
import { readDetails } from '../atspi/tree/details.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import type { ToolkitTraits } from '../atspi/tree/toolkit.ts';
import { commandLine } from '../process/facts.ts';
import type { Connections } from './connections.ts';
import { editorReader } from './unlisted-editors.ts';

/** For a tree that is still loading. */
const RETRY_MS = 150;
const MAX_RETRIES = 4;

/** A tree with its popups, in screen pixels, and the reasons why it may be incomplete. */
export async function readWindowTree(
  { applications, windows, popups, editors, mirrors }: Connections,
  request: TreeRequest,
): Promise<TreeResult> {
  const application = await applications.require(request.root.app, request);
  const applicationOf = (bus: string) => applications.require(bus, request);
  const isUsed = request.mirrored === true;
  const knowledgeOf = async (owner: Application): Promise<Knowledge | undefined> => {
    const mirror = isUsed ? await mirrors.current(owner, request) : mirrors.observed(owner);
    if (mirror === undefined) return undefined;
    const known = request.knownPlaces === true ? withLastPlaces(mirror) : mirror;
    return { mirror, used: isUsed ? known : undefined };
  };
  const sources = { applicationOf, knowledgeOf };
  const shown = popups.shown(request);
  const read = async (): Promise<TreeResult> => {
    const live = await liveNode(application, request.root, request);
    const frame = await windows.frameOf(application, live, request);
    const plan = { ...request, frame, ...sources };
    const tree = await readTree(application, plan);
    // A part that is cut off by depth would not show where the editor belongs.
    if (!application.traits.editorsMayBeUnlisted || request.maxDepth !== undefined) return tree;
    return editors.addTo(tree, application.bus, editorReader(application, plan));
  };
  let result = await read();
  for (
    let retry = 0;
    retry < MAX_RETRIES && isStillLoading(application, result) && request.deadlineMs > RETRY_MS * 2;
    retry++
  ) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    result = await read();
  }
  result = await popups.addTo(result, application, { request, shown: await shown, applicationOf });
  const missing = [
    missingContent(application, result, () => wasStartedForReading(application.pid)),
    request.maxDepth === undefined && isCutByDepth(result.root) ? 'deeper levels were not read' : undefined,
  ].filter((reason) => reason !== undefined);
  if (missing.length === 0) return result;
  return { ...result, complete: false, incompleteReasons: [...result.incompleteReasons, ...missing] };
}

/** All details of one element. */
export async function describeElement(
  { applications, windows }: Connections,
  node: NodeHandle,
  options: DescribeOptions,
): Promise<NodeDetails> {
  const application = await applications.require(node.app, options);
  const live = await liveNode(application, node, options);
  const details = await readDetails(
    application,
    live,
    () => windows.frameOf(application, live, options),
    options,
  );
  return placeOf(node) === undefined ? details : { ...details, handle: node, isNamedByPlace: true };
}

/** The part of an application that matters here. */
interface WithToolkit {
  readonly traits: Pick<ToolkitTraits, 'kind'>;
}

/** Chromium without a renderer tree shows a frame and little else. */
const CHROMIUM_SKELETON_NODES = 8;

/** Why a tree that was read without errors is still incomplete, and what to do; `undefined` if nothing looks wrong. */
export function missingContent(
  application: WithToolkit,
  result: TreeResult,
  /** Whether Chromium was asked for its tree when it was started; then what is missing may come. */
  wasAsked: () => boolean = () => true,
): string | undefined {
  // A part of a window, such as one dialog, may be small and has no document.
  const isSkeleton =
    application.traits.kind === 'chromium' &&
    result.root.role === 'window' &&
    result.nodeCount <= CHROMIUM_SKELETON_NODES &&
    !findDocument(result.root);
  if (isSkeleton && !wasAsked()) return NO_CHROMIUM_TREE;
  if (isEmptyWindow(result.root))
    return `no element of this window reports being on screen: it may be starting or covered; ${mentionParameter('whole_tree')} reads hidden elements`;
  return isSkeleton ? NO_CHROMIUM_TREE : undefined;
}

const FLAG = '--force-renderer-accessibility';
const NO_CHROMIUM_TREE = `this Chromium or Electron was started without ${FLAG}, so it has built no tree of its pages: close it and start it with ${mentionCommand('launch')}, which adds the flag`;

function wasStartedForReading(pid: number): boolean {
  return commandLine(pid).join(' ').includes(FLAG);
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
