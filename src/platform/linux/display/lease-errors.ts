import { DeskterityError } from '../../../model/effects/errors.ts';
import { mentionCommand } from '../../../model/text/mention.ts';
import { PERSON, type StopState } from '../../../ports/input.ts';

/** The holder of keyboard and pointer. */
export interface HolderName {
  /** `undefined` for another program. */
  readonly holder?: string | undefined;
  /** Only for another process. */
  readonly pid?: number | undefined;
}

/** Another holder did not end its lease in time. */
export function taken({ holder, pid }: HolderName): DeskterityError {
  const process = pid === undefined ? '' : ` (process ${pid})`;
  // Engines append a number to the name of their session, which means nothing to users.
  const session = holder?.replace(/ \(\d+\)$/, '');
  const who = session === undefined ? 'another program' : `session "${session}"${process}`;
  return new DeskterityError('CONFLICT', `Keyboard and pointer are in use by ${who}.`, {
    suggestion: 'Repeat the command later. Keys held without being used are released after half a minute.',
    retryable: true,
    delivered: false,
  });
}

export function releasedElsewhere(): DeskterityError {
  return new DeskterityError('CONFLICT', 'Keyboard and pointer were released by another call.', {
    suggestion: 'Repeat the command.',
    retryable: true,
  });
}

/** The lease ended before the call. */
export function leaseEnded(): DeskterityError {
  return new DeskterityError('CONFLICT', 'The lease of keyboard and pointer has ended.', {
    suggestion: 'Repeat the command.',
    retryable: true,
    delivered: false,
  });
}

/** Whether a stop, or a take-over by a person, concerns a holder. */
export function isRefused(holder: string, { takeover }: StopState): boolean {
  return takeover !== true || holder !== PERSON;
}

/** Whether nobody may act, not even a person who took over. */
export function isStop({ stopped, takeover }: StopState): boolean {
  return stopped && takeover !== true;
}

export function stopped({ by, takeover }: StopState): DeskterityError {
  if (takeover === true)
    return new DeskterityError('CANCELLED', 'A person has taken over this desktop.', {
      suggestion: `Wait until it is handed back; ${mentionCommand('status')} tells.`,
      delivered: false,
    });
  return new DeskterityError('CANCELLED', `Acting was stopped${by === undefined ? '' : ` by ${by}`}.`, {
    suggestion: `To allow it again, run ${mentionCommand('resume')}.`,
    delivered: false,
  });
}
