import { DeskterityError } from '../../../model/effects/errors.ts';
import { quoteClipped } from '../../../model/text/untrusted-text.ts';

const LONGEST_ADDRESS = 8192;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of a page that a person may be asked to open, in its canonical spelling: encrypted, or on this machine, and without a password
 * in it. It may come from another server. @throws DeskterityError INVALID_ARGUMENT
 */
export function pageAddress(text: string): string {
  const url = text.length <= LONGEST_ADDRESS && URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) &&
    url.username === '' &&
    url.password === '';
  if (isSafe) return url.href;
  throw new DeskterityError('INVALID_ARGUMENT', `Nobody is asked to open ${quoteClipped(text)}.`, {
    suggestion:
      'Only https pages, and http pages of this machine, are opened, and none with a user name or password in the address.',
  });
}
