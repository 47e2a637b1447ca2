import { z } from 'zod';
import { isRecord } from '../model/is-record.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A field that no answer of a command has. */
export interface NoSuchField {
  /** The part of the path that does exist. */
  readonly place: readonly string[];
  /** The fields that exist there. */
  readonly fields: readonly string[];
}

/** Why no answer of this form can have a field at this path; `undefined` if some may. */
export function missingField(output: z.ZodType, path: readonly string[]): NoSuchField | undefined {
  const root: Schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  const definitions = isRecord(root['$defs']) ? root['$defs'] : {};
  let places: readonly Schema[] = branches(root, definitions);
  for (const [depth, name] of path.entries()) {
    if (places.some((schema) => isOpen(schema))) return undefined;
    const next = places.flatMap((schema) => inside(schema, name));
    if (next.length === 0)
      return {
        place: path.slice(0, depth),
        fields: [...new Set(places.flatMap((schema) => Object.keys(propertiesOf(schema))))],
      };
    places = next.flatMap((schema) => branches(schema, definitions));
  }
  return undefined;
}

const DEEPEST = 20;

function branches(schema: Schema, definitions: Schema, depth = 0): readonly Schema[] {
  if (depth > DEEPEST) return [{}];
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const named = definitions[reference.replace('#/$defs/', '')];
    return isRecord(named) ? branches(named, definitions, depth + 1) : [{}];
  }
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(schema[key]));
  if (choices.length === 0) return [schema];
  return choices.flatMap((choice) => branches(choice, definitions, depth + 1));
}

/** Whether it says nothing about its fields. */
function isOpen(schema: Schema): boolean {
  return schema['type'] === undefined && schema['properties'] === undefined && schema['const'] === undefined;
}

function inside(schema: Schema, name: string): readonly Schema[] {
  if (schema['type'] === 'array') {
    if (!/^\d+$/.test(name)) return [];
    const items = listOf(schema['items']);
    const prefix = listOf(schema['prefixItems']);
    return items.length + prefix.length === 0 ? [{}] : [...items, ...prefix];
  }
  const properties = propertiesOf(schema);
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (isRecord(own)) return [own];
  const others = schema['additionalProperties'];
  return isRecord(others) ? [others] : [];
}

function propertiesOf(schema: Schema): Schema {
  return isRecord(schema['properties']) ? schema['properties'] : {};
}

function listOf(value: unknown): readonly Schema[] {
  if (Array.isArray(value)) return value.filter((item) => isRecord(item));
  return isRecord(value) ? [value] : [];
}
