import type { NodeHandle } from '../../../model/tree/node.ts';
import type { CallOptions, NodeDetails, TreeRequest, TreeResult } from '../../../ports/desktop.ts';
import { liveNode, placeOf } from '../atspi/tree/cell-address.ts';
import { isCutByDepth, isStillLoading, missingContent } from '../atspi/tree/completeness.ts';
import { readDetails } from '../atspi/tree/details.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import type { Connections } from './connections.ts';

/** For a tree that is still loading. */
const RETRY_MS = 150;
const MAX_RETRIES = 4;

/** A tree with its popups, in screen pixels, and the reasons why it may be incomplete. */
export async function readWindowTree(
  { applications, windows, popups }: Connections,
  request: TreeRequest,
): Promise<TreeResult> {
  const application = await applications.require(request.root.app, request);
  const applicationOf = (bus: string) => applications.require(bus, request);
  const shown = popups.shown(request);
  const read = async (): Promise<TreeResult> => {
    const live = await liveNode(application, request.root, request);
    const frame = await windows.frameOf(application, live, request);
    return readTree(application, { ...request, frame, applicationOf });
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
    missingContent(application, result),
    request.maxDepth === undefined && isCutByDepth(result.root) ? 'deeper levels were not read' : undefined,
  ].filter((reason) => reason !== undefined);
  if (missing.length === 0) return result;
  return { ...result, complete: false, incompleteReasons: [...result.incompleteReasons, ...missing] };
}

/** All details of one element. */
export async function describeElement(
  { applications, windows }: Connections,
  node: NodeHandle,
  options: CallOptions,
): Promise<NodeDetails> {
  const application = await applications.require(node.app, options);
  const live = await liveNode(application, node, options);
  const frame = await windows.frameOf(application, live, options);
  const details = await readDetails(application, live, frame, options);
  return placeOf(node) === undefined ? details : { ...details, handle: node, isNamedByPlace: true };
}
