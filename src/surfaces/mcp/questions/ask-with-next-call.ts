import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import type { ServerContext } from '../sdk.ts';
import { checkAnswers, LONGEST_ANSWER } from './check-answer.ts';
import { QuestionsAsked, requestFor } from './questions-asked.ts';
import type { ClientQuestions, Questions } from './question.ts';
import { digestOf, type Progress, type RequestStates, type StatedCall } from './request-states.ts';

/** How often one call may ask; a client that answers by itself could go on forever. */
const MOST_ROUNDS = 8;

const NOTHING: Progress = { round: 0, asked: {}, answers: {} };

/** The modern era: a call ends with its questions, and the same call with the answers runs again from the start. */
export function askWithNextCall(
  { mcpReq }: ServerContext,
  states: RequestStates,
  call: StatedCall,
): ClientQuestions['ask'] {
  const sealed: unknown = mcpReq.requestState();
  const given = mcpReq.inputResponses;
  // Without a state nothing was asked: answers that come anyway are ignored, and the call asks.
  const { round, asked, answers: earlier } = sealed === undefined ? NOTHING : states.redeem(sealed, call);
  const answers = new Map(Object.entries(earlier));
  // Only for questions that were asked; anything else is ignored.
  for (const name of Object.keys(asked))
    if (isRecord(given) && Object.hasOwn(given, name)) answers.set(name, given[name]);
  /** All questions of this call so far: it asks them again whenever it runs. */
  const known: Record<string, string> = {};
  return async <Q extends Questions>(questions: Q) => {
    const digests = digestsOf(questions);
    Object.assign(known, digests);
    // An answer to another question, such as one with other candidates, is not an answer to this one.
    const isAnswered = (name: string): boolean => asked[name] === digests[name] && answers.has(name);
    const open = Object.entries(questions).filter(([name]) => !isAnswered(name));
    if (open.length === 0) return checkAnswers(questions, answers);
    if (round >= MOST_ROUNDS) throw askedTooOften();
    const kept = Object.fromEntries([...answers].filter(([name]) => known[name] === asked[name]));
    if (JSON.stringify(kept).length > LONGEST_ANSWER) throw tooLong();
    throw new QuestionsAsked(
      Object.fromEntries(open),
      states.issue(call, { round: round + 1, asked: known, answers: kept }),
    );
  };
}

function digestsOf(questions: Questions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [name, digestOf(requestFor(question))]),
  );
}

function askedTooOften(): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `The client was asked ${MOST_ROUNDS} times in one call.`, {
    suggestion: 'Call again with more exact parameters, so that fewer questions are needed.',
  });
}

function tooLong(): DeskterityError {
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `The answers are longer than ${LONGEST_ANSWER} characters.`,
    {
      suggestion: 'Give shorter answers.',
    },
  );
}
