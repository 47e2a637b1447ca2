import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { Reading } from '../evidence/window-diff.ts';

/** As many tell how far everything moved as a thousand. */
const MOST_ASKED = 8;

/** Where elements are that were scrolled out of view and so are in no reading: browsers still tell, other toolkits do not. */
export async function scrolledAway(
  desktop: DesktopPort,
  { before, after }: { readonly before: Reading | undefined; readonly after: Reading | undefined },
  options: CallOptions,
): Promise<ReadonlyMap<string, Bounds>> {
  if (before === undefined || after === undefined) return new Map();
  const shown = new Set(leavesOf(after.root).map(({ handle }) => handleKey(handle)));
  const gone = leavesOf(before.root).filter(
    ({ handle, bounds }) => bounds !== undefined && !shown.has(handleKey(handle)),
  );
  const every = Math.max(1, Math.floor(gone.length / MOST_ASKED));
  const asked = gone.filter((_node, index) => index % every === 0).slice(0, MOST_ASKED);
  const found = await Promise.all(
    asked.map(async ({ handle }) => {
      const { bounds } = await desktop.describe(handle, options).catch(() => ({ bounds: undefined }));
      return bounds === undefined ? [] : [[handleKey(handle), bounds] as const];
    }),
  );
  return new Map(found.flat());
}

function leavesOf(node: TreeNode): TreeNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}
