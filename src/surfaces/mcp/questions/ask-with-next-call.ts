import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import type { ServerContext } from '../sdk.ts';
import { checkAnswer, checkAnswers, LONGEST_ANSWER } from './check-answer.ts';
import { QuestionsAsked, requestFor } from './questions-asked.ts';
import type { Answers, ClientQuestions, Question, QuestionKind, Questions } from './question.ts';
import {
  digestOf,
  type AskedQuestion,
  type Progress,
  type RequestStates,
  type StatedCall,
} from './request-states.ts';

/** How often one call may ask; a client that answers by itself could go on forever. */
const MOST_ROUNDS = 8;

const NOTHING: Progress = { round: 0, asked: {}, answers: {} };

/** The modern era: a call ends with its questions, and the same call with the answers runs again from the start. */
export function askWithNextCall(
  { mcpReq }: ServerContext,
  states: RequestStates,
  call: StatedCall,
): Pick<ClientQuestions, 'ask' | 'earlier'> {
  const sealed: unknown = mcpReq.requestState();
  const given = mcpReq.inputResponses;
  // Without a state nothing was asked: answers that come anyway are ignored, and the call asks.
  const { round, asked, answers: before } = sealed === undefined ? NOTHING : states.redeem(sealed, call);
  const answers = new Map(Object.entries(before));
  // Only for questions that were asked; anything else is ignored.
  for (const name of Object.keys(asked))
    if (isRecord(given) && Object.hasOwn(given, name)) answers.set(name, given[name]);
  /** All questions of this call so far: it asks them again whenever it runs. */
  const known: Record<string, AskedQuestion> = {};
  return {
    ask: async <Q extends Questions>(questions: Q) => {
      const all = Object.entries(questions).map(
        ([name, question]) => [name, question, factsOf(question)] as const,
      );
      // An answer to another question, such as one with other candidates, is not an answer to this one.
      const open = all.filter(([name, , { digest }]) => asked[name]?.digest !== digest || !answers.has(name));
      for (const [name, , facts] of all) known[name] = facts;
      if (open.length === 0) return checkAnswers(questions, answers);
      if (round >= MOST_ROUNDS) throw askedTooOften();
      const kept = [...answers].filter(([name]) => known[name]?.digest === asked[name]?.digest);
      if (JSON.stringify(kept).length > LONGEST_ANSWER) throw tooLong();
      throw new QuestionsAsked(
        Object.fromEntries(open.map(([name, question]) => [name, question])),
        states.issue(call, { round: round + 1, asked: known, answers: Object.fromEntries(kept) }),
      );
    },
    earlier: <K extends QuestionKind>(name: string, kind: K) => {
      const question = Object.hasOwn(asked, name) ? asked[name] : undefined;
      if (question?.kind !== kind || !answers.has(name)) return undefined;
      known[name] = question;
      // Of the kind that was checked.
      return checkAnswer(name, question, answers.get(name)) as Answers[K];
    },
  };
}

function factsOf(question: Question): AskedQuestion {
  const { kind } = question;
  return {
    kind,
    digest: digestOf(requestFor(kind === 'form' ? { ...question, aside: undefined } : question)),
    ...(kind === 'form' ? { schema: question.schema } : {}),
  };
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
