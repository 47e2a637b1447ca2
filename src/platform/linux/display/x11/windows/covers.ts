import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { X11Wire } from '../wire.ts';
import { INPUT_OUTPUT, VIEWABLE } from '../x11-library.ts';
import { climb, readParents } from './parents.ts';

/** The child of the root that contains a window: the window manager's frame, or the window itself. */
export async function topLevelOf(wire: X11Wire, window: number): Promise<number | undefined> {
  const [topLevel] = await topLevelsOf(wire, [window]);
  return topLevel;
}

/** The same of several windows. One round trip while each is in the frame that it was in at the last call. */
export async function topLevelsOf(
  wire: X11Wire,
  windows: readonly number[],
): Promise<readonly (number | undefined)[]> {
  const last = lastLineages.get(wire) ?? new Map<number, readonly number[]>();
  const expected = windows.flatMap((window) => last.get(window) ?? [window]);
  const parents = await readParents(wire, [...new Set(expected)]);
  const lineages = await Promise.all(windows.map((window) => climb(wire, window, parents)));
  const kept = last.size < MOST_REMEMBERED ? last : [];
  const now = lineages.map(({ windows: ids }) => [ids[0] ?? wire.root, ids] as const);
  lastLineages.set(wire, new Map([...kept, ...now]));
  return lineages.map((lineage) => (lineage.isBroken ? undefined : lineage.windows.at(-1)));
}

/** By window, innermost first. */
const lastLineages = new WeakMap<X11Wire, ReadonlyMap<number, readonly number[]>>();
const MOST_REMEMBERED = 256;

/** The places of everything visible that lies over a top-level window, menus included. */
export async function coversOf(wire: X11Wire, frame: number): Promise<readonly Bounds[]> {
  const tree = await wire.tryCall('QueryTree', wire.root);
  const siblings = tree?.children ?? [];
  const covers = await Promise.all(
    siblings.slice(siblings.indexOf(frame) + 1).map(async (id) => {
      const [attributes, geometry] = await Promise.all([
        wire.tryCall('GetWindowAttributes', id),
        wire.tryCall('GetGeometry', id),
      ]);
      if (attributes === undefined || geometry === undefined) return undefined;
      if (attributes.mapState !== VIEWABLE || attributes.klass !== INPUT_OUTPUT) return undefined;
      const border = 2 * geometry.borderWidth;
      return {
        x: geometry.xPos,
        y: geometry.yPos,
        width: geometry.width + border,
        height: geometry.height + border,
      };
    }),
  );
  return covers.filter((cover) => cover !== undefined);
}
