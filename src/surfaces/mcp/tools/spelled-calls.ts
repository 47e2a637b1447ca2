import type { Answer } from '../../../app/app.ts';
import { showControls } from '../../../app/render.ts';
import { changedError } from '../../../model/effects/changed-error.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { spellMentions, spellMentionsIn } from '../../../model/text/mention.ts';
import type { Speller } from '../../../model/text/mention.ts';
import type { DeskCalls } from './desk-calls.ts';

/** The same calls, whose answers and failures mention commands and parameters as this client knows them. */
export function spelledCalls(calls: DeskCalls, speller: Speller): DeskCalls {
  const spelledFailure = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      throw error instanceof DeskterityError ? changedError(error, speller) : error;
    }
  };
  const spelled = async (asked: Promise<Answer>): Promise<Answer> => {
    const answer = await spelledFailure(asked);
    const { output, outline, quoted, news } = answer;
    return {
      ...answer,
      ...spellMentionsIn({ output, quoted, news }, speller),
      outline: showControls(spellMentions(outline, speller)),
    };
  };
  return {
    ...calls,
    answer: (...asked) => spelled(calls.answer(...asked)),
    look: (...asked) => spelled(calls.look(...asked)),
    watch: (...asked) => spelledFailure(calls.watch(...asked)),
  };
}
