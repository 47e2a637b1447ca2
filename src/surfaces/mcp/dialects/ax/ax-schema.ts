import { z } from 'zod';
import type { DeskterityError } from '../../../../model/effects/errors.ts';
import { nearestNames } from '../../../../model/text/nearest.ts';
import { clip, reveal } from '../../../../model/text/untrusted-text.ts';
import { invalid, shown } from '../invalid-parameter.ts';

const JsonObject = z.record(z.string(), z.json());
type JsonObject = z.output<typeof JsonObject>;

/** Bounds are checked, but not part of the dialect's schemas. */
const UNSAID = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
  'pattern',
] as const;

/** The schema of parameters or of an answer in the dialect's form: only types, names, texts, defaults and lists of values. */
export function axSchema(type: z.ZodObject, io: 'input' | 'output'): { type: 'object' } & JsonObject {
  const { $schema: _version, ...schema } = z.toJSONSchema(type, {
    io,
    override: ({ jsonSchema }) => {
      for (const key of UNSAID) delete jsonSchema[key];
      const hasNoKeys =
        jsonSchema.type === 'object' && Object.keys(jsonSchema.properties ?? { a: 0 }).length === 0;
      if (hasNoKeys) delete jsonSchema.properties;
      else delete jsonSchema.additionalProperties;
    },
  });
  return { ...JsonObject.parse(schema), type: 'object' };
}

/** Parses the input of a tool; `parameters` is strict. @throws DeskterityError INVALID_ARGUMENT that names the parameter */
export function readParameters<S extends z.ZodObject>(
  parameters: S,
  input: Readonly<Record<string, unknown>>,
): z.output<S> {
  const parsed = parameters.safeParse(input);
  if (parsed.success) return parsed.data;
  throw explained(Object.keys(parameters.shape), input, parsed.error.issues);
}

function explained(
  accepted: readonly string[],
  input: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): DeskterityError {
  // An unknown name explains a missing one.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [key = ''] = issue.keys;
    const [close] = nearestNames(key, accepted, 1);
    return invalid(
      `Unknown parameter ${shown(key)}.`,
      close === undefined
        ? accepted.length === 0
          ? 'This tool has no parameters.'
          : `Parameters are ${accepted.join(', ')}.`
        : `Did you mean "${close}"?`,
    );
  }
  const [key = ''] = issue?.path ?? [];
  const place = clip(reveal((issue?.path ?? []).join('.')), 80);
  if (issue?.path.length === 1 && input[String(key)] === undefined)
    return invalid(`The parameter "${place}" is missing.`, `Pass ${place}.`);
  const why = clip(reveal(issue?.message ?? 'it is not valid'), 200);
  return invalid(`The parameter "${place}" is not valid: ${why}.`, 'Correct it and call again.');
}
