/** The wire names of a value's keys, generated from the commands' schemas. A value without a shape is not converted. */
export type Shape =
  /** An object with these wire keys, `?` after optional ones; required keys distinguish the members of a union. */
  | ObjectShape
  /** A list. */
  | { readonly items: Shape }
  /** An object whose keys are data and are not converted. */
  | { readonly values: Shape }
  | { readonly oneOf: readonly Shape[] }
  /** A shape in the table of named ones, for recursive types. */
  | { readonly name: string };

export interface ObjectShape {
  /** Separated by spaces. */
  readonly keys: string;
  /** Shapes of the values that have keys themselves. */
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

/** The shapes of one command. */
export interface CommandShape {
  /** Wire keys that may be passed as plain arguments, in order. */
  readonly positionals: readonly string[];
  readonly input: Shape;
  readonly output: Shape | null;
}

export interface ShapeTable {
  readonly named: Readonly<Record<string, Shape | null>>;
  readonly commands: Readonly<Record<string, CommandShape>>;
}
