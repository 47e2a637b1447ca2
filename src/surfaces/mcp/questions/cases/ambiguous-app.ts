import type { Candidate, DeskterityError } from '../../../../model/effects/errors.ts';
import { choiceTitle, type Case } from './case.ts';

/** Several applications have the name that was given: the client chooses one. */
export const AMBIGUOUS_APP: Case<DeskterityError> = {
  name: 'application',
  question: ({ message, candidates }, input) => {
    const choices = candidates.flatMap((candidate) => choiceOf(candidate));
    // A locator names its application itself.
    if (typeof input['app'] !== 'string' || choices.length < 2) return undefined;
    return {
      kind: 'form',
      message: `${message} Which one?`,
      schema: {
        type: 'object',
        properties: { app: { type: 'string', title: 'Select application', oneOf: choices } },
        required: ['app'],
      },
    };
  },
  change: ({ app }, input) => ({ ...input, app }),
};

/** A running application is chosen by its process, an installed one by its id. */
function choiceOf({ name, pid, detail }: Candidate): { const: string; title: string }[] {
  if (name === undefined) return [];
  if (pid !== undefined) return [{ const: String(pid), title: choiceTitle(`${name} (PID ${pid})`) }];
  return [{ const: name, title: choiceTitle(detail === undefined ? name : `${name} – ${detail}`) }];
}
