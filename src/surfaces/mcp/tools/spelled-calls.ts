import type { Answer } from '../../../app/app.ts';
import { changedError } from '../../../model/effects/changed-error.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { spellMentionsIn } from '../../../model/text/mention.ts';
import type { Speller } from '../../../model/text/mention.ts';
import type { DeskCalls } from './desk-calls.ts';

/** The same calls, whose answers and failures mention commands and parameters as this client knows them. */
export function spelledCalls(calls: DeskCalls, speller: Speller): DeskCalls {
  const spelled = async (asked: Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await asked;
      const { output, outline, quoted, news } = answer;
      return { ...answer, ...spellMentionsIn({ output, outline, quoted, news }, speller) };
    } catch (error) {
      throw error instanceof DeskterityError ? changedError(error, speller) : error;
    }
  };
  return {
    ...calls,
    answer: (...asked) => spelled(calls.answer(...asked)),
    look: (...asked) => spelled(calls.look(...asked)),
  };
}
