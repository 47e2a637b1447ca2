import { isReservedName, RESERVED_NAME } from '../text/reserved-name.ts';
import { quoteClipped } from '../text/untrusted-text.ts';
import { DeskterityError } from '../effects/errors.ts';

const SESSION_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_-])?$/;
/** Names of Windows devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/**
 * The one spelling of a session's name: lower case, because some file systems ignore case. It is also the name of its folder.
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function sessionName(given: string): string {
  const name = given.toLowerCase();
  if (isReservedName(name))
    throw new DeskterityError('INVALID_ARGUMENT', `${quoteClipped(given)} ${RESERVED_NAME}.`, {
      suggestion: 'Name the session after its task.',
    });
  if (SESSION_NAME.test(given) && !DEVICE.test(name)) return name;
  throw new DeskterityError('INVALID_ARGUMENT', `${quoteClipped(given)} cannot be a session name.`, {
    suggestion:
      'Use letters, digits, dots, dashes and underscores, at most 64, starting with a letter or digit and not ending with a dot.',
  });
}

/** Whether a folder's name is that of a session. */
export function isSessionName(text: string): boolean {
  return (
    SESSION_NAME.test(text) && text === text.toLowerCase() && !DEVICE.test(text) && !isReservedName(text)
  );
}
