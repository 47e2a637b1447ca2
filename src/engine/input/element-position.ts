import { handleKey } from '../../model/tree/node.ts';
import type { CallOptions, DesktopPort, NodeDetails } from '../../ports/desktop.ts';
import { isInView } from '../tree/in-view.ts';

/** More elements than this are not read to find out where one of them is. */
const MOST_READ = 5000;

/** Where the middle of an element is, in pixels from the top of the screen; `undefined` where that cannot be told. */
export async function middleOf(
  desktop: DesktopPort,
  element: NodeDetails,
  options: CallOptions,
): Promise<number | undefined> {
  const { bounds } = element;
  return bounds === undefined ? amongOthers(desktop, element, options) : bounds.y + bounds.height / 2;
}

/** What is out of view has no place in some toolkits, but an order: what is in view beside it tells how far apart they are. */
async function amongOthers(
  desktop: DesktopPort,
  { handle, parent, indexInParent, remade }: NodeDetails,
  options: CallOptions,
): Promise<number | undefined> {
  // An element that was made for one reading does not hear that it came into view.
  if (parent === undefined || indexInParent === undefined || remade === true) return undefined;
  const read = await desktop.readTree({
    ...options,
    root: parent,
    wholeTree: true,
    maxNodes: MOST_READ,
    includeActions: false,
  });
  const shown = read.root.children.filter(
    (node) => isInView(node) && handleKey(node.handle) !== handleKey(handle),
  );
  const [first, last] = await Promise.all(
    [shown[0], shown.at(-1)].map(async (node) => node && desktop.describe(node.handle, options)),
  );
  if (!first?.bounds || !last?.bounds) return undefined;
  if (first.indexInParent === undefined || last.indexInParent === undefined) return undefined;
  const steps = last.indexInParent - first.indexInParent;
  const pitch = steps > 0 ? (last.bounds.y - first.bounds.y) / steps : first.bounds.height;
  return first.bounds.y + first.bounds.height / 2 + (indexInParent - first.indexInParent) * pitch;
}
