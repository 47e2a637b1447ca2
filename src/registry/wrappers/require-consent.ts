import { createHash } from 'node:crypto';
import { DeskterityError, type ConsentPicture } from '../../model/effects/errors.ts';
import { byPerson } from '../../model/text/mention.ts';
import { asPartOfCall } from '../../policy/current-policy.ts';
import type { CommandContext } from '../definition.ts';

/** What a person is asked. */
export interface ConsentQuestion {
  /** Completes "This would". */
  readonly what: string;
  readonly verb?: 'would' | 'might';
  /** Of the element. */
  readonly picture?: ConsentPicture | undefined;
  /** A phrase. */
  readonly why: string;
  /** What the consent is for: nothing else is covered by it. */
  readonly about: unknown;
  /** Sentences for the one who is asked alone. */
  readonly aside?: string | undefined;
  /** What a person may do instead. */
  readonly instead: string;
}

/** A call that needs consent to two things is asked twice; what was agreed to first stays agreed. */
const BETWEEN = ' ';

/** @throws DeskterityError CONFIRMATION_REQUIRED unless a person agreed to this */
export function requireConsent(
  { given = '' }: Pick<NonNullable<CommandContext['confirmation']>, 'given'>,
  { what, verb = 'would', why, about, instead, picture, aside }: ConsentQuestion,
): void {
  const wanted = createHash('sha256').update(JSON.stringify(about)).digest('hex');
  const agreed = given.split(BETWEEN).filter((one) => one !== '');
  if (agreed.includes(wanted)) return;
  throw new DeskterityError(
    'CONFIRMATION_REQUIRED',
    `This ${verb} ${what}, and a person must agree: ${why}.`,
    {
      suggestion: `${byPerson(`Ask the user to do it, or to ${instead}`)}. A client that can be asked is asked if the act is called on its own, not as one of several steps.`,
      delivered: false,
      // The newest first: surfaces show its beginning.
      consent: [wanted, ...agreed].join(BETWEEN),
      // It is taken when this call is over.
      aside,
      picture: picture && { ...picture, take: asPartOfCall(() => picture.take()) },
    },
  );
}

/** An agent could otherwise answer the question that a person is asked, in the window of the person's terminal. */
export function refuseWhileAsked(confirmation: CommandContext['confirmation']): void {
  if (confirmation?.isAsking?.() !== true) return;
  throw new DeskterityError(
    'CONFLICT',
    'A person is being asked for consent, and nothing may act meanwhile.',
    {
      suggestion: 'Wait until the person has answered, a minute at most, and call again.',
      delivered: false,
      retryable: true,
    },
  );
}
