import { camelCase } from '../../src/surfaces/library/library-speller.ts';
import { optionsOf, type Schema, type TypeNames } from './library-schema.ts';

/** Replaces flags and wire keys in a text with properties. */
export type Reword = (text: string) => string;

/** TypeScript for a schema. `key` is its property: a string at `ref` is a reference. */
export function typeText(schema: Schema, names: TypeNames, reword: Reword, key?: string): string {
  const inner = (part: Schema, at?: string) => typeText(part, names, reword, at);
  const named = names.nameOf(schema);
  if (named !== undefined) return named;
  if (schema.handle !== undefined) return schema.handle;
  if (schema.type === 'string' && key === 'ref' && schema.enum === undefined) return 'Ref';
  if ('const' in schema && schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => literal(value)).join(' | ');
  const options = optionsOf(schema);
  if (options !== undefined) return options.map((part) => inner(part)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${inner(part)})`).join(' & ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly (${schema.items === undefined ? 'unknown' : inner(schema.items)})[]`;
    case 'object':
      return objectText(schema, names, reword);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`The library has no type for ${String(schema.type)}.`);
  }
}

function objectText(schema: Schema, names: TypeNames, reword: Reword): string {
  if (schema.properties === undefined) {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return `Readonly<Record<string, ${typeText(values, names, reword)}>>`;
  }
  const isOpen = typeof schema.additionalProperties === 'object';
  const others = isOpen ? ['readonly [parameter: string]: unknown;'] : [];
  return `{\n${[...members(schema, names, reword, false), ...others].join('\n')}\n}`;
}

/** The members of an object type. Members of inputs may be `undefined`. */
function members(schema: Schema, names: TypeNames, reword: Reword, isInput: boolean): string[] {
  return Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const optional = schema.required?.includes(key) !== true;
    const type = typeText(property, names, reword, key);
    const comment = docComment(reword(facts(property)));
    return `${comment}readonly ${camelCase(key)}${optional ? '?' : ''}: ${type}${optional && isInput ? ' | undefined' : ''};`;
  });
}

/** Writes interfaces; an interface with all members of a shared one extends it. */
export class Interfaces {
  readonly #shared: { readonly name: string; readonly members: readonly string[] }[] = [];
  readonly #names: TypeNames;
  readonly #reword: Reword;
  readonly #isInput: boolean;

  constructor(names: TypeNames, reword: Reword, { isInput }: { readonly isInput: boolean }) {
    this.#names = names;
    this.#reword = reword;
    this.#isInput = isInput;
  }

  write(name: string, schema: Schema, about: string): string {
    const extended: string[] = [];
    let own = members(schema, this.#names, this.#reword, this.#isInput);
    for (const base of this.#shared.toSorted((a, b) => b.members.length - a.members.length)) {
      if (!base.members.every((member) => own.includes(member))) continue;
      own = own.filter((member) => !base.members.includes(member));
      extended.push(base.name);
    }
    const head = `export interface ${name}${extended.length === 0 ? '' : ` extends ${extended.join(', ')}`}`;
    return `${docComment(this.#reword(schema.description ?? about))}${head} {\n${own.join('\n')}\n}\n`;
  }

  /** Writes an interface that later ones may extend. */
  share(name: string, schema: Schema, about: string): string {
    const text = this.write(name, schema, about);
    const all = members(schema, this.#names, this.#reword, this.#isInput);
    this.#shared.push({ name, members: all });
    return text;
  }
}

/** Description, range and default of a property as a sentence or two. */
function facts({ description, minimum, maximum, default: fallback }: Schema): string {
  const parts = [description ?? ''];
  if (minimum !== undefined && maximum !== undefined) parts.push(`From ${minimum} to ${maximum}.`);
  else if (minimum !== undefined && minimum > 0) parts.push(`At least ${minimum}.`);
  if (fallback !== undefined && fallback !== '' && fallback !== false)
    parts.push(`Default ${JSON.stringify(fallback)}.`);
  return parts.filter((part) => part !== '').join(' ');
}

/** Empty for an empty text. */
export function docComment(text: string): string {
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function literal(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}
