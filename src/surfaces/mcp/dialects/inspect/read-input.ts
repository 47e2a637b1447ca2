import { z } from 'zod';
import type { DeskterityError } from '../../../../model/effects/errors.ts';
import { nearestNames } from '../../../../model/text/nearest.ts';
import { invalid, shown } from '../invalid-parameter.ts';
import { NAMED } from './parameters.ts';

type Schema = Readonly<Record<string, unknown>>;
type Input = Readonly<Record<string, unknown>>;

const Facts = z.object({
  type: z.string().optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
});

/** The JSON Schema of a tool's parameters for clients. */
export function inputSchema(parameters: z.ZodObject) {
  const { properties, required } = z.toJSONSchema(parameters, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Every integer has this bound, which is not worth showing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const isAnyRequired = required !== undefined && required.length > 0;
  return {
    type: 'object' as const,
    properties: z.record(z.string(), z.record(z.string(), z.json())).parse(properties),
    ...(isAnyRequired ? { required } : {}),
    additionalProperties: false,
  };
}

/** Parses a tool's input; `parameters` is strict. @throws DeskterityError INVALID_ARGUMENT, naming the parameter */
export function readInput<S extends z.ZodObject>(parameters: S, input: Input): z.output<S> {
  const parsed = parameters.safeParse(input);
  if (parsed.success) return parsed.data;
  throw explain(parameters, input, parsed.error.issues);
}

function explain(
  parameters: z.ZodObject,
  input: Input,
  issues: readonly z.core.$ZodIssue[],
): DeskterityError {
  // An unknown name explains a missing one.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const accepted = Object.keys(parameters.shape);
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return invalid(
      `Unknown parameter ${shown(key)}.`,
      `${didYouMean(key, accepted)}Parameters are ${accepted.join(', ')}.`,
    );
  }
  const key = String(issue?.path[0] ?? '');
  const expected = expectation(inputSchema(parameters).properties[key] ?? {});
  if (input[key] === undefined)
    return invalid(`The parameter "${key}" is missing.`, `Pass ${key} as ${expected}.`);
  const named = NAMED[key];
  if (issue?.code === 'custom' && named !== undefined) {
    const place = issue.path[1];
    const list = input[key];
    const wrong = typeof place === 'number' && Array.isArray(list) ? list[place] : list;
    return invalid(
      `The parameter "${key}" has ${shown(wrong)}, which is not a valid ${named.what}.`,
      `${didYouMean(String(wrong), named.names)}${named.hint}`,
    );
  }
  return invalid(`The parameter "${key}" is ${shown(input[key])}.`, `Pass ${key} as ${expected}.`);
}

function didYouMean(given: string, accepted: readonly string[]): string {
  const [close] = nearestNames(given, accepted, 1);
  return close === undefined ? '' : `Did you mean "${close}"? `;
}

function expectation(schema: Schema): string {
  const { type, anyOf, minimum, maximum, maxLength, maxItems } = Facts.parse(schema);
  if (anyOf !== undefined) return anyOf.map((one) => expectation(one)).join(', or ');
  if (type === 'boolean') return 'true or false';
  if (type === 'integer')
    return maximum === undefined ? 'a positive whole number' : `a whole number from ${minimum} to ${maximum}`;
  if (type === 'array') return `a list of names, at most ${maxItems}`;
  return `text of 1 to ${maxLength} characters`;
}
