/** How the keys of a value are named on the wire. Generated from the commands' schemas; what has no shape is left as it is. */
export type Shape =
  /** An object with these wire keys. */
  | {
      readonly keys: Readonly<Record<string, Shape | null>>;
      /** Wire keys that are always there; they tell the members of a union apart. */
      readonly required: readonly string[];
    }
  /** A list. */
  | { readonly items: Shape }
  /** An object whose keys are data and stay as they are. */
  | { readonly values: Shape }
  | { readonly oneOf: readonly Shape[] }
  /** A shape of the table of named ones; lets a tree hold itself. */
  | { readonly name: string };

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
