import { parseLocator, printLocator } from '../../../../model/refs/locator.ts';
import { parseRef } from '../../../../model/refs/ref.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { FormSchema } from '../question.ts';
import { choiceTitle, type Case, type Input } from './case.ts';

/** The choice that no candidate is meant. */
const NONE = 'none';
const LONGEST_DESCRIPTION = 300;

/** Nothing matches a locator: the client chooses one of the nearest elements, or describes the element in another way. */
export const MISSING_ELEMENT: Case<DeskterityError> = {
  name: 'element',
  question: ({ message, candidates, retryable }, input) => {
    // Only the search for the element itself may be repeated, and has references as candidates.
    if (locatorIn(input) === undefined || !retryable) return undefined;
    const choices = candidates.flatMap(({ ref, role = 'element', name, detail }) => {
      const score = detail?.split(':', 1)[0];
      const title = `${role} ${quote(name ?? '')}${score === undefined ? '' : `, ${score}`}`;
      return ref === undefined ? [] : [{ const: ref, title: choiceTitle(title) }];
    });
    const asksFor =
      choices.length === 0
        ? 'Can you describe it differently?'
        : 'Which of the nearest is meant, or can you describe it differently?';
    return { kind: 'form', message: `${message} ${asksFor}`, schema: formOf(choices) };
  },
  change: ({ element, description }, input) => {
    if (typeof element === 'string' && element !== NONE) return { ...input, ref: element };
    const locator = locatorIn(input);
    const text = typeof description === 'string' ? description.trim() : '';
    return locator === undefined || text === '' ? undefined : { ...input, ref: described(locator, text) };
  },
};

function locatorIn({ ref }: Input): string | undefined {
  return typeof ref === 'string' && parseRef(ref.trim()) === undefined ? ref : undefined;
}

function formOf(choices: readonly { readonly const: string; readonly title: string }[]): FormSchema {
  const description = {
    type: 'string' as const,
    title: 'Alternative description',
    description: 'The text on the element, or a locator such as role:button[name="Save"].',
    maxLength: LONGEST_DESCRIPTION,
  };
  if (choices.length === 0)
    return {
      type: 'object',
      properties: { description: { ...description, minLength: 1 } },
      required: ['description'],
    };
  const oneOf = [...choices, { const: NONE, title: 'None of these' }];
  return {
    type: 'object',
    properties: { element: { type: 'string', title: 'Nearest elements', oneOf }, description },
    required: ['element'],
  };
}

/** A locator as it is; any other text is searched in the same window. */
function described(locator: string, text: string): string {
  const given = parsed(text);
  if (given !== undefined) return text;
  const { app, window } = parsed(locator) ?? {};
  return printLocator({ app, window, steps: [{ kind: 'text', value: text, filters: [] }] });
}

function parsed(text: string): ReturnType<typeof parseLocator> | undefined {
  try {
    return parseLocator(text);
  } catch (error) {
    if (error instanceof DeskterityError) return undefined;
    throw error;
  }
}
