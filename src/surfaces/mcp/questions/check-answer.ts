import { DeskterityError } from '../../../model/effects/errors.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { NamedRoots } from '../roots/named-roots.ts';
import { specTypeSchemas } from '../sdk.ts';
import { readForm } from './form-content.ts';
import type { Answers, AnswersTo, FormSchema, QuestionKind, Questions } from './question.ts';

/** Longest answer, as JSON. */
export const LONGEST_ANSWER = 256 * 1024;
const MOST_ROOTS = 100;
const LONGEST_URI = 4096;
const LONGEST_DETAIL = 200;
const NO_FIELDS: FormSchema = { type: 'object', properties: {} };

/** The answers to all questions. `given` is what the client sent under each name. @throws DeskterityError INVALID_ARGUMENT */
export function checkAnswers<Q extends Questions>(
  questions: Q,
  given: ReadonlyMap<string, unknown>,
): AnswersTo<Q> {
  const checked = Object.entries(questions).map(
    ([name, question]) => [name, checkAnswer(name, question, given.get(name))] as const,
  );
  // The names and kinds are those of the questions.
  return Object.fromEntries(checked) as AnswersTo<Q>;
}

/** What an answer must fit. */
export interface Expected {
  readonly kind: QuestionKind;
  /** The fields of a form. */
  readonly schema?: FormSchema | undefined;
}

/** The answer to one question. @throws DeskterityError INVALID_ARGUMENT */
export function checkAnswer(name: string, question: Expected, given: unknown): Answers[QuestionKind] {
  if (JSON.stringify(given ?? null).length > LONGEST_ANSWER)
    throw wrongAnswer(name, `it is longer than ${LONGEST_ANSWER} characters`);
  switch (question.kind) {
    case 'form':
    case 'url': {
      const { action, content } = fit(name, 'ElicitResult', given);
      if (action !== 'accept' || question.kind === 'url') return { action };
      const read = readForm(question.schema ?? NO_FIELDS, content);
      if ('problem' in read) throw wrongAnswer(name, read.problem);
      return { action, content: read.content };
    }
    case 'sampling':
      return fit(name, 'CreateMessageResultWithTools', given);
    case 'roots':
      break;
  }
  const { data } = NamedRoots.safeParse(given);
  if (data === undefined) throw wrongAnswer(name, 'it is not a list of roots');
  const { roots } = data;
  if (roots.length > MOST_ROOTS) throw wrongAnswer(name, `it has more than ${MOST_ROOTS} roots`);
  if (roots.some(({ uri }) => uri.length > LONGEST_URI))
    throw wrongAnswer(name, 'the address of a root is too long');
  return roots;
}

type Shape = 'ElicitResult' | 'CreateMessageResultWithTools';

/** The answer in the shape that the protocol gives it; the library checks answers only in the legacy era. */
function fit<S extends Shape>(name: string, shape: S, given: unknown) {
  const checked = specTypeSchemas[shape]['~standard'].validate(given);
  if (checked.issues === undefined) return checked.value;
  throw wrongAnswer(name, checked.issues[0]?.message ?? 'it is not an answer to this question');
}

function wrongAnswer(name: string, problem: string): DeskterityError {
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `The client's answer to the question "${name}" is not valid: ${clip(reveal(problem), LONGEST_DETAIL)}.`,
    {
      suggestion:
        'Answer with values that fit the fields of the question, or decline it. Call again to be asked again.',
    },
  );
}
