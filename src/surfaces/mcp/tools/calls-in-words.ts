import type { Answer } from '../../../app/app.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { DeskCalls } from './desk-calls.ts';

/** The same calls, whose failures speak of this client's tools where they would name commands. */
export function callsInWords(calls: DeskCalls, word: (text: string) => string): DeskCalls {
  const worded = async (answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      const { platformDetail, delivered, result } = error;
      throw new DeskterityError(error.code, word(error.message), {
        suggestion: word(error.suggestion),
        candidates: error.candidates,
        retryable: error.retryable,
        ...(platformDetail === undefined ? {} : { platformDetail }),
        ...(delivered === undefined ? {} : { delivered }),
        ...(result === undefined ? {} : { result }),
        cause: error,
      });
    }
  };
  return {
    ...calls,
    answer: (...asked) => worded(calls.answer(...asked)),
    look: (...asked) => worded(calls.look(...asked)),
  };
}
