import type { Bounds } from '../../../../../../model/tree/bounds.ts';

/** An object in the tree of GNOME Shell. */
export interface ShellNode {
  readonly path: string;
  readonly bounds: Bounds;
  /** It is drawn. */
  readonly isShowing: boolean;
  /** It takes the pointer. */
  readonly isSensitive: boolean;
}

/**
 * Whether an object is a window: what its client draws lies in a container in it, all three of the same size and place. The background, which is among the
 * windows, has no container.
 */
export function isWindowActor(
  { bounds }: Pick<ShellNode, 'bounds'>,
  containers: readonly { readonly bounds: Bounds; readonly surfaces: readonly Bounds[] }[],
): boolean {
  return containers.some(
    (container) =>
      isSame(container.bounds, bounds) && container.surfaces.some((surface) => isSame(surface, bounds)),
  );
}

function isSame(a: Bounds, b: Bounds): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
