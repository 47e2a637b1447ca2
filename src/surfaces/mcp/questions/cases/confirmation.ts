import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { Case } from './case.ts';

/** A person who does not answer within this time has not agreed. */
const ANSWER_MS = 60_000;
/** Of the name of the act, so that an answer belongs to this act on this element: another one is another question. */
const SHOWN_LETTERS = 12;

/** Forms show no pictures, so that the file is named. */
function toldBeside({ aside, picture }: Pick<DeskterityError, 'aside' | 'picture'>): string | undefined {
  const told = [aside, picture?.file && `A picture of it is in ${picture.file}.`];
  return told.filter((part) => part !== undefined).join(' ') || undefined;
}

/** An act may lose something, and a person must agree. What was agreed to is not remembered. */
export const CONFIRMATION: Case<DeskterityError> = {
  name: 'confirmation',
  isForOneAct: true,
  question: ({ message, consent, picture, aside }) =>
    consent === undefined
      ? undefined
      : {
          kind: 'form',
          message: `${message} It may be irreversible. Your answer is for this act only (${consent.slice(0, SHOWN_LETTERS)}).`,
          // Taken anew for each call, into another file.
          aside: toldBeside({ aside, picture }),
          schema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Confirm destructive action', default: false } },
            required: ['confirm'],
          },
          timeoutMs: ANSWER_MS,
        },
  change: ({ confirm }, input) => (confirm === true ? input : undefined),
};
