import { z } from 'zod';

/** The part of JSON Schema that the published files use. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  pattern: z.string().optional(),
  required: z.array(z.string()).default([]),
  get $defs() {
    return z.record(z.string(), Schema).optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), Schema]).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
  get allOf() {
    return z.array(Schema).optional();
  },
});
type Schema = z.output<typeof Schema>;

/** One line for each key of each published schema: name, `?` where it may be missing, type. Named types have lines of their own. */
export function schemaLines(files: readonly (readonly [string, string])[]): string[] {
  const types = new Map<string, string>();
  const owners = files.map(([name, text]) => {
    const schema = Schema.parse(JSON.parse(text));
    for (const [type, definition] of Object.entries(schema.$defs ?? {})) {
      const known = types.get(type);
      const now = linesOf(definition)
        .map((line) => `type ${type} ${line}`)
        .join('\n');
      if (known !== undefined && known !== now) throw new Error(`Two types are called ${type}.`);
      types.set(type, now);
    }
    return { name: name.replace(/\.json$/, ''), lines: linesOf(schema) };
  });
  const answers = owners.filter(({ name }) => name.endsWith('.output'));
  const envelope =
    answers[0]?.lines.filter((line) => answers.every(({ lines }) => lines.includes(line))) ?? [];
  return [
    ...envelope.map((line) => `every output ${line}`),
    ...owners.flatMap(({ name, lines }) => {
      const own = name.endsWith('.output') ? lines.filter((line) => !envelope.includes(line)) : lines;
      return own.map((line) => `${name} ${line}`);
    }),
    ...[...types.values()].toSorted((a, b) => (a < b ? -1 : 1)),
  ];
}

function linesOf({ properties, required, ...schema }: Schema): string[] {
  if (properties === undefined) return [typeOf({ ...schema, required })];
  const keys = Object.entries(properties).map(([key, property]) => keyText(key, property, required));
  const alternatives = [schema.oneOf ?? [], schema.anyOf ?? []].flat();
  return [...keys, ...alternatives.map((part) => `or ${typeOf(part)}`)];
}

function keyText(key: string, property: Schema, required: readonly string[]): string {
  return `${key}${required.includes(key) ? '' : '?'}: ${typeOf(property)}`;
}

function typeOf(schema: Schema): string {
  const { minimum, maximum, pattern } = schema;
  return [
    plainTypeOf(schema),
    ...(minimum === undefined && maximum === undefined ? [] : [`${minimum ?? ''}..${maximum ?? ''}`]),
    ...(pattern === undefined ? [] : [`/${pattern}/`]),
    ...(schema.default === undefined ? [] : [`= ${JSON.stringify(schema.default)}`]),
  ].join(' ');
}

function plainTypeOf(schema: Schema): string {
  const { $ref, type, properties, additionalProperties, required } = schema;
  if ($ref !== undefined) return $ref.replace(/^#\/\$defs\//, '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map((part) => typeOf(part)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part)).join(' & ');
  if (properties !== undefined) {
    const keys = Object.entries(properties).map(([key, property]) => keyText(key, property, required));
    return `{ ${keys.join(', ')} }`;
  }
  if (typeof additionalProperties === 'object') return `{ [name]: ${typeOf(additionalProperties)} }`;
  if (type === 'array') return `(${schema.items === undefined ? 'anything' : typeOf(schema.items)})[]`;
  return [type ?? 'anything'].flat().join(' | ');
}
