/** An object on D-Bus: the owner's bus name and the path. */
export interface ObjectReference {
  readonly bus: string;
  readonly path: string;
}

export interface Extents {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Relation {
  readonly type: string;
  readonly targets: readonly ObjectReference[];
}

/** Whether there is a place at all: what has none reports a size of 0 or -1. */
export function isPlace(extents: Extents | undefined): extents is Extents {
  return extents !== undefined && extents.width > 0 && extents.height > 0;
}

export function overlaps(one: Extents, other: Extents): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
