import { DeskterityError } from '../../model/effects/errors.ts';
import type { Platform } from '../../ports/platform.ts';
import type { CallSettings } from '../app.ts';
import type { AskConsent } from './consent-questions.ts';

type KeepPicture = Platform['keepPicture'];

/** Asks at a terminal, which shows text: the question says where the picture is. */
export function atTerminal(
  ask: NonNullable<CallSettings['askPerson']>,
  keepPicture: KeepPicture,
): AskConsent {
  return async (question, _signal, picture) => {
    const kept = picture && (await keepPicture?.(async () => picture));
    try {
      return await ask(kept === undefined ? question : `${question} A picture of it is in ${kept.path}.`);
    } finally {
      await kept?.remove();
    }
  };
}

/** Rejects with the error; one that a client on this machine is asked about, with a file that has the picture: its question can only be text. */
export async function withPictureFile(error: unknown, keepPicture: KeepPicture): Promise<never> {
  if (!(error instanceof DeskterityError) || error.picture === undefined) throw error;
  const { picture, consent } = error;
  const kept = await keepPicture?.(() => picture.take(), consent);
  throw kept === undefined
    ? error
    : error.with({ picture: { take: () => picture.take(), file: kept.path }, cause: error.cause });
}
