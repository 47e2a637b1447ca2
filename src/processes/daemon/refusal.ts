import { DeskterityError } from '../../model/effects/errors.ts';
import type { Refusal } from '../../wire/daemon-protocol.ts';
import { WireError } from '../../wire/schema.ts';

/** The refusal for a call that threw or an answer that is too large. */
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
      error instanceof WireError ? 'The answer is too large to send.' : 'The call failed in the daemon.',
    suggestion: 'Request less, for example with --max-tokens; the log may contain details: desk daemon logs.',
  };
}
