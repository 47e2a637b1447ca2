import type { FormSchema, QuestionKind } from './question.ts';

/** Revisions of the protocol before a client could be asked with a form. */
const WITHOUT_FORMS: readonly string[] = ['2024-11-05', '2025-03-26'];
/** Its only questions were forms, whose choices were two lists; pages and tools of a model came later. */
const FIRST_WITH_FORMS = '2025-06-18';

type Asked = QuestionKind | 'sampling-with-tools';

/** Whether a protocol revision has questions of this kind: a client that declares more than its revision has is not asked. */
export function hasQuestion(revision: string | undefined, kind: Asked): boolean {
  if (kind === 'roots' || kind === 'sampling' || revision === undefined) return true;
  if (WITHOUT_FORMS.includes(revision)) return false;
  return revision !== FIRST_WITH_FORMS || kind === 'form';
}

/** The parameters of a request for a form, as a client of the revision knows them. */
export function formFor(
  revision: string | undefined,
  { message, schema }: { readonly message: string; readonly schema: FormSchema },
): Record<string, unknown> {
  if (revision !== FIRST_WITH_FORMS) return { mode: 'form', message, requestedSchema: schema };
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, earlierField(field)] as const),
  );
  return { message, requestedSchema: { ...schema, properties } };
}

/** Choices with titles are the lists `enum` and `enumNames`, and only a switch has a default. */
function earlierField(field: FormSchema['properties'][string]): Record<string, unknown> {
  const { default: _usual, ...rest } = { default: undefined, ...field };
  if (field.type === 'boolean') return { ...field };
  if (!('oneOf' in field)) return rest;
  const { type, title, description, oneOf } = field;
  return {
    type,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    enum: oneOf.map((choice) => choice.const),
    enumNames: oneOf.map((choice) => choice.title),
  };
}
