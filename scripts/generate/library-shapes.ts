import { camelCase } from '../../src/surfaces/library/library-speller.ts';
import { keysOfShape, type ObjectShape, type Shape } from '../../src/surfaces/library/shape.ts';
import { optionsOf, type Schema, type TypeNames } from './library-schema.ts';

/** How the keys of an answer are converted; `null` if none changes. */
export function outputShape(schema: Schema, names: TypeNames): Shape | null {
  const shape = shapeOf(schema, names);
  return shape === null ? null : pruned(shape);
}

function pruned(shape: Shape): Shape | null {
  if ('name' in shape || 'of' in shape) return shape;
  if ('items' in shape) {
    const items = pruned(shape.items);
    return items === null ? null : { items };
  }
  if ('values' in shape) {
    const values = pruned(shape.values);
    return values === null ? null : { values };
  }
  if ('oneOf' in shape) {
    const oneOf = shape.oneOf.map((option) => pruned(option)).filter((option) => option !== null);
    return oneOf.length === 0 ? null : { oneOf };
  }
  const inside = Object.entries(shape.inside ?? {}).flatMap(([key, value]) => {
    const inner = pruned(value);
    return inner === null ? [] : [[key, inner] as const];
  });
  const isSame = inside.length === 0 && keysOfShape(shape).every(({ wire }) => camelCase(wire) === wire);
  return isSame ? null : { keys: shape.keys, ...insideOf(inside) };
}

/** How the keys of a value are named on the wire, including every accepted key; `null` if the value has no keys. */
export function shapeOf(schema: Schema, names: TypeNames): Shape | null {
  const reference = schema.$ref === undefined ? undefined : names.nameOf(schema);
  if (reference !== undefined) return { name: reference };
  if (schema.allOf !== undefined) return shapeOf(merged(schema.allOf, names), names);
  const union = optionsOf(schema);
  if (union !== undefined) {
    const options = union.map((part) => shapeOf(part, names)).filter((part) => part !== null);
    if (options.length === 0) return null;
    return options.length === 1 ? (options[0] ?? null) : { oneOf: options };
  }
  if (schema.type === 'array') {
    const items = shapeOf(schema.items ?? {}, names);
    return items === null ? null : { items };
  }
  if (schema.properties !== undefined) return stepOf(schema) ?? objectShape(schema, names);
  if (typeof schema.additionalProperties === 'object') {
    const values = shapeOf(schema.additionalProperties, names);
    return values === null ? null : { values };
  }
  return null;
}

/** A step, whose keys depend on its command, or the receipt of one. */
function stepOf({ properties = {}, additionalProperties }: Schema): Shape | undefined {
  if (!('command' in properties)) return undefined;
  if (typeof additionalProperties === 'object') return { of: 'input' };
  return 'answer' in properties ? { of: 'answer' } : undefined;
}

function objectShape(schema: Schema, names: TypeNames): Shape {
  const keys = Object.entries(schema.properties ?? {});
  const camel = keys.map(([key]) => camelCase(key));
  const twice = camel.find((key, index) => camel.indexOf(key) !== index);
  if (twice !== undefined) throw new Error(`Two keys of one object are both ${twice} in camelCase.`);
  const inside = keys.flatMap(([key, property]) => {
    const inner = shapeOf(property, names);
    return inner === null ? [] : [[key, inner] as const];
  });
  const isRequired = (key: string) => schema.required?.includes(key) === true;
  return {
    keys: keys.map(([key]) => (isRequired(key) ? key : `${key}?`)).join(' '),
    ...insideOf(inside),
  };
}

function insideOf(inside: readonly (readonly [string, Shape])[]): Pick<ObjectShape, 'inside'> {
  return inside.length === 0 ? {} : { inside: Object.fromEntries(inside) };
}

/** An object that is all of these at once. */
function merged(parts: readonly Schema[], names: TypeNames): Schema {
  const resolved = parts.map((part) => names.resolve(part));
  return {
    type: 'object',
    properties: Object.assign({}, ...resolved.map(({ properties }) => properties ?? {})),
    required: resolved.flatMap(({ required }) => required ?? []),
  };
}
