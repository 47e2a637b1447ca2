/** The wire names of a value's keys, generated from the commands' schemas. A value without a shape is not converted. */
export type Shape =
  /** An object with these wire keys, `?` after optional ones; required keys distinguish the members of a union. */
  | ObjectShape
  /** A list. */
  | { readonly items: Shape }
  /** An object whose keys are data and are not converted. */
  | { readonly values: Shape }
  | { readonly oneOf: readonly Shape[] }
  /** A step: its other keys are the input of the command that it names. */
  | { readonly of: 'input' }
  /** The receipt of a step: its `answer` is that of the command that it names. */
  | { readonly of: 'answer' }
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

/** The named shapes, and those of the inputs and answers of steps. */
export function namedShapes({ named, commands }: ShapeTable): ShapeTable['named'] {
  const all: Record<string, Shape | null> = { ...named };
  for (const [command, { input, output }] of Object.entries(commands)) {
    all[stepShape(command, 'input')] = input;
    all[stepShape(command, 'answer')] = output;
  }
  return all;
}

/** The name of the shape of a step's input or answer. No type has a blank in its name. */
export function stepShape(command: string, of: 'input' | 'answer'): string {
  return `${of} ${command.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export interface ShapeTable {
  readonly named: Readonly<Record<string, Shape | null>>;
  readonly commands: Readonly<Record<string, CommandShape>>;
}
