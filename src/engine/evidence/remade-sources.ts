import { isSameBounds } from '../../model/tree/bounds.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { knownElements, type ObservedChange, type Reading } from './window-diff.ts';

/** An element as it is drawn. */
export type Drawn = Pick<TreeNode, 'handle' | 'role' | 'name' | 'bounds'>;

/** Selecting one row of a tree sends an event for it and one for each that was selected. */
const MOST_SOURCES = 6;
const STATES = /^(?:selected|checked|expanded)=/;

/**
 * The elements that sent events from objects nobody has seen: some toolkits make a new object of a row or cell for each event. It is the element of
 * the same role, name and place.
 * @returns the known handle of each such source, by its key
 */
export async function remadeSources(
  desktop: Pick<DesktopPort, 'describe'>,
  events: readonly DesktopEvent[],
  seen: {
    readonly before: Reading | undefined;
    readonly after: Reading | undefined;
    /** What was acted on; its own object may be older than those of the readings. */
    readonly target: Drawn | undefined;
  },
  options: CallOptions,
): Promise<ReadonlyMap<string, NodeHandle>> {
  const elements = knownElements(seen.before, seen.after);
  const drawn = elements.flatMap(({ handle, node }) =>
    node.slot === undefined ? [] : [{ ...node, handle }],
  );
  if (drawn.length === 0) return new Map();
  const remade: readonly Drawn[] = seen.target === undefined ? drawn : [seen.target, ...drawn];
  const known = new Set(elements.flatMap(({ handle, node }) => [handleKey(handle), handleKey(node.handle)]));
  const unknown = new Map(
    events
      .filter(
        ({ kind, detail, node }) =>
          kind === 'state-changed' && STATES.test(detail) && !known.has(handleKey(node)),
      )
      .map(({ node }) => [handleKey(node), node]),
  );
  const found = await Promise.all(
    [...unknown.values()].slice(0, MOST_SOURCES).map(async (handle) => {
      const source = await desktop.describe(handle, options).catch(() => undefined);
      const element =
        source &&
        (remade.find((one) => isDrawnAlike(one, source)) ?? remade.find((one) => spans(one, source)));
      return element === undefined ? [] : [[handleKey(handle), element.handle] as const];
    }),
  );
  return new Map(found.flat());
}

/**
 * What is in the place of an item that is gone: Qt makes all items of a view anew when its model is reset, as some applications do in answer to
 * every click. It is the element of the same role, name and bounds at the same position of the same container.
 */
export async function remadeTarget(
  desktop: Pick<DesktopPort, 'describe'>,
  gone: NodeDetails,
  { before, after }: { readonly before: Reading | undefined; readonly after: Reading | undefined },
  options: CallOptions,
): Promise<NodeDetails | undefined> {
  const key = handleKey(gone.handle);
  const place = knownElements(before, after).find(({ handle }) => handleKey(handle) === key)?.node;
  if (place === undefined || handleKey(place.handle) === key || !isDrawnAlike(gone, place)) return undefined;
  const now = await desktop.describe(place.handle, options).catch(() => undefined);
  return now && isDrawnAlike(gone, now) ? now : undefined;
}

/** Whether two elements have the same role, name and place. */
export function isDrawnAlike(one: Drawn, other: Drawn): boolean {
  return (
    one.role === other.role &&
    one.name === other.name &&
    one.bounds !== undefined &&
    isSameBounds(one.bounds, other.bounds)
  );
}

/** Whether it is the cell over the whole row that another one without a name is reported in, too: nobody sees that one, but it may be the one selected. */
function spans(one: Drawn, other: Drawn): boolean {
  if (one.role !== 'cell' || other.role !== 'cell' || other.name !== '') return false;
  const [cell, row] = [one.bounds, other.bounds];
  if (cell === undefined || row === undefined) return false;
  const middle = row.x + row.width / 2;
  return cell.y === row.y && cell.height === row.height && middle >= cell.x && middle < cell.x + cell.width;
}

/** The changes of the target as its own, though each reading found another object in its place. */
export function withTargetKey(
  changes: readonly ObservedChange[],
  target: Drawn | undefined,
  targetKey: string,
): ObservedChange[] {
  const isOfTarget = ({ node }: ObservedChange): boolean =>
    target !== undefined && node.slot !== undefined && isDrawnAlike(node, target);
  return changes.map((change) => (isOfTarget(change) ? { ...change, key: targetKey } : change));
}

/** The events as if those objects had been the known elements. */
export function withKnownSources(
  events: readonly DesktopEvent[],
  sources: ReadonlyMap<string, NodeHandle> | undefined,
): readonly DesktopEvent[] {
  if (sources === undefined || sources.size === 0) return events;
  return events.map((event) => {
    const handle = sources.get(handleKey(event.node));
    return handle === undefined ? event : { ...event, node: handle };
  });
}
