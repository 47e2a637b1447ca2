import { z } from 'zod';
import type { PrimitiveSchemaDefinition } from '../sdk.ts';
import type { FormContent, FormSchema } from './question.ts';

/** Longest text in a field without a limit of its own. */
const LONGEST_TEXT = 4000;

/** The values of a form, or what is wrong with them. Fields that were not asked for are left out. */
export function readForm(
  { properties, required }: FormSchema,
  given: unknown,
): { readonly content: FormContent } | { readonly problem: string } {
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = valueOf(field);
    return [name, required?.includes(name) === true ? value : value.optional()] as const;
  });
  const read = z.object(Object.fromEntries(fields)).safeParse(given ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `${issue?.path.join('.') || 'the form'}: ${issue?.message ?? 'not valid'}` };
  }
  const filled = Object.entries(read.data).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { content: Object.fromEntries(filled) };
}

function valueOf(field: PrimitiveSchemaDefinition): z.ZodType<FormContent[string]> {
  switch (field.type) {
    case 'boolean':
      return z.boolean();
    case 'integer':
    case 'number':
      return numberOf(field);
    case 'array':
      return arrayOf(field);
    case 'string':
      break;
  }
  if ('enum' in field) return z.enum(field.enum);
  if ('oneOf' in field) return z.enum(field.oneOf.map((option) => option.const));
  return textOf(field);
}

function numberOf({
  type,
  minimum,
  maximum,
}: Extract<PrimitiveSchemaDefinition, { type: 'integer' | 'number' }>): z.ZodType<number> {
  const value = type === 'integer' ? z.int() : z.number();
  return value.min(minimum ?? Number.NEGATIVE_INFINITY).max(maximum ?? Number.POSITIVE_INFINITY);
}

function arrayOf({
  items,
  minItems,
  maxItems,
}: Extract<PrimitiveSchemaDefinition, { type: 'array' }>): z.ZodType<readonly string[]> {
  const options = 'anyOf' in items ? items.anyOf.map((option) => option.const) : items.enum;
  const most = maxItems ?? options.length;
  return z
    .array(z.enum(options))
    .min(minItems ?? 0)
    .max(most);
}

/** The remaining fields of type `string`. */
type Text = Exclude<
  Extract<PrimitiveSchemaDefinition, { type: 'string' }>,
  { enum: unknown } | { oneOf: unknown }
>;

function textOf({ format, minLength, maxLength }: Text): z.ZodType<string> {
  const text = z
    .string()
    .min(minLength ?? 0)
    .max(maxLength ?? LONGEST_TEXT);
  return format === undefined ? text : text.pipe(FORMATS[format]);
}

const FORMATS = {
  email: z.email(),
  uri: z.url(),
  date: z.iso.date(),
  'date-time': z.iso.datetime({ offset: true }),
} as const;
