/** How the keys of a value are named on the wire. Generated from the commands' schemas; what has no shape is left as it is. */
export type Shape =
  /** An object with these wire keys, `?` behind those that may be missing: the others tell the members of a union apart. */
  | ObjectShape
  /** A list. */
  | { readonly items: Shape }
  /** An object whose keys are data and stay as they are. */
  | { readonly values: Shape }
  | { readonly oneOf: readonly Shape[] }
  /** A shape of the table of named ones; lets a tree hold itself. */
  | { readonly name: string };

export interface ObjectShape {
  /** With spaces between them. */
  readonly keys: string;
  /** Of keys whose values have keys themselves. */
  readonly inside?: Readonly<Record<string, Shape>>;
}

export interface ShapeKey {
  readonly wire: string;
  readonly isRequired: boolean;
  readonly shape: Shape | null;
}

export function keysOfShape({ keys, inside }: ObjectShape): readonly ShapeKey[] {
  return keys.split(' ').flatMap((text) => {
    const wire = text.replace(/\?$/, '');
    return wire === '' ? [] : [{ wire, isRequired: wire === text, shape: inside?.[wire] ?? null }];
  });
}

/** What the library knows of one command. */
export interface CommandShape {
  /** Wire keys that may be given as plain arguments, in order. */
  readonly positionals: readonly string[];
  readonly input: Shape;
  readonly output: Shape | null;
}

export interface ShapeTable {
  readonly named: Readonly<Record<string, Shape | null>>;
  readonly commands: Readonly<Record<string, CommandShape>>;
}
