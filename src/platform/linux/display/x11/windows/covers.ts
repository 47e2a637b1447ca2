import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { X11Wire } from '../wire.ts';
import { INPUT_OUTPUT, VIEWABLE } from '../x11-library.ts';

/** The child of the root that contains a window: the window manager's frame, or the window itself. */
export async function topLevelOf(wire: X11Wire, window: number): Promise<number | undefined> {
  let current = window;
  for (;;) {
    const tree = await wire.tryCall('QueryTree', current);
    if (tree === undefined) return undefined;
    if (tree.parent === wire.root || tree.parent === 0) return current;
    current = tree.parent;
  }
}

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
