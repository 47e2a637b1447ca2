import { DeskterityError } from '../../model/effects/errors.ts';
import type { Refusal } from '../../wire/daemon-protocol.ts';
import { WireError } from '../../wire/schema.ts';

/** What is said of a call that throws, or of an answer that is too large to send. */
export function refusalOf(id: number | undefined, error: unknown): Refusal {
  if (error instanceof DeskterityError) {
    const { code, message, suggestion } = error;
    return { type: 'refused', id, code, message, suggestion };
  }
  return {
    type: 'refused',
    id,
    code: 'INTERNAL',
    message:
      error instanceof WireError ? 'The answer is too large to be sent.' : 'The call failed in the daemon.',
    suggestion: 'Ask for less, for example with --max-tokens; the log may say more: desk daemon logs.',
  };
}
