import { z } from 'zod';
import type { RegisteredCommand } from './registry.ts';

/** The type of a parameter's value. Lists are of strings or of objects. */
export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'object' | 'objects';

/** One input key of a command, as help, manifest and error messages describe it. */
export interface ParameterFacts {
  readonly key: string;
  /** Long flag without dashes; absent for bare arguments. */
  readonly flag?: string;
  readonly short?: string;
  /** How bare arguments make the items of a list of objects, which then has a flag as well. */
  readonly bare?: 'pairs' | 'lines' | 'file';
  readonly type: ParameterType;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly required: boolean;
  /** Key of a flag after which a bare argument is this parameter. */
  readonly follows?: string;
  readonly help: string;
}

const Property = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.looseObject({ type: z.string().optional(), enum: z.array(z.string()).optional() }).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.looseObject({})]).optional(),
  description: z.string().optional(),
});

const InputSchema = z.object({
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).default([]),
});

/** Describes every input key of a command, in the order of its definition. */
export function parameterFacts(command: RegisteredCommand): readonly ParameterFacts[] {
  const schema = InputSchema.parse(z.toJSONSchema(command.input, { io: 'input' }));
  const { positionals = [], rest, cli = {} } = command.definition;
  return Object.entries(schema.properties).map(([key, property]) => {
    const bare = cli[key]?.bare;
    const isFlag = bare !== undefined || (!positionals.includes(key) && key !== rest);
    const short = cli[key]?.short;
    const values = property.enum ?? property.items?.enum;
    return {
      key,
      ...(isFlag ? { flag: cli[key]?.flag ?? flagName(key) } : {}),
      ...(short === undefined ? {} : { short }),
      ...(bare === undefined ? {} : { bare }),
      type: typeOf(key, property),
      ...(values === undefined ? {} : { values }),
      ...(isBound(property.minimum) ? { minimum: property.minimum } : {}),
      ...(isBound(property.maximum) ? { maximum: property.maximum } : {}),
      ...(property.default === undefined || typeof property.default === 'object'
        ? {}
        : { default: property.default }),
      required: schema.required.includes(key),
      ...(cli[key]?.follows === undefined ? {} : { follows: cli[key].follows }),
      help: property.description ?? '',
    };
  });
}

/** How a parameter is written on the command line: `--max-depth` or `<ref>`. */
export function parameterLabel(facts: Pick<ParameterFacts, 'key' | 'flag'>): string {
  return facts.flag === undefined ? `<${facts.key}>` : `--${facts.flag}`;
}

/** What a parameter accepts, as a phrase: `a whole number from 1 to 9`, `one of png, jpg`. */
export function expectedPhrase(facts: ParameterFacts): string {
  if (facts.values !== undefined) return `one of ${facts.values.join(', ')}`;
  return `${TYPE_PHRASES[facts.type]}${range(facts)}`;
}

const TYPE_PHRASES: Readonly<Record<ParameterType, string>> = {
  boolean: 'true or false',
  strings: 'a list of strings',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  object: 'a JSON object',
  objects: 'a list of JSON objects',
};

function range({ minimum, maximum }: ParameterFacts): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

/** JSON Schema gives every integer the safe range, which is not a bound worth showing. */
function isBound(limit: number | undefined): limit is number {
  return limit !== undefined && Number.MIN_SAFE_INTEGER < limit && limit < Number.MAX_SAFE_INTEGER;
}

export function flagName(key: string): string {
  return key.replace(/_ms$/, '').replaceAll('_', '-');
}

function typeOf(key: string, property: z.output<typeof Property>): ParameterType {
  switch (property.type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return property.type;
    case 'object':
      return 'object';
    case 'array':
      if (property.items?.type === 'string') return 'strings';
      if (property.items?.type === 'object') return 'objects';
  }
  throw new Error(`The input "${key}" has a type that cannot be written on a command line.`);
}
