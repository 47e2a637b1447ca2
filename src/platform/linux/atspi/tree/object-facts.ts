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
