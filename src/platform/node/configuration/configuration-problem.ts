import { byPerson, mentionCommand } from '../../../model/text/mention.ts';
import { SETTINGS } from '../../../model/configuration/config.ts';
import { errorCode } from '../../../model/error-code.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { nearest } from '../../../model/text/nearest.ts';
import { clip, quote, reveal } from '../../../model/text/untrusted-text.ts';

/** Longest excerpt of a file in a message. */
const LONGEST_SHOWN = 60;

/** Help works even with invalid settings. */
const LISTED = '"desk config show --help" lists all settings.';

/** Settings are for people to correct. */
function advised(advice: string): string {
  return byPerson(`${advice} ${LISTED}`.replace(/\.$/, ''));
}

/** `CONFIG_INVALID` for the content of a file. */
export function invalidInFile(
  path: string,
  line: number | undefined,
  problem: string,
  advice: string,
): DeskterityError {
  const place = line === undefined ? reveal(path) : `${reveal(path)}, line ${line}`;
  return new DeskterityError('CONFIG_INVALID', `${place}: ${problem}.`, {
    suggestion: `${advised(advice)}.`,
  });
}

/** `CONFIG_INVALID` for a file that exists but cannot be used; `reason` completes "because it". */
export function unusableFile(path: string, reason: string, cause?: unknown): DeskterityError {
  const code = errorCode(cause);
  return new DeskterityError(
    'CONFIG_INVALID',
    `The configuration file ${reveal(path)} cannot be read: it ${reason}.`,
    {
      suggestion: `${byPerson('Replace it with a readable text file, remove it, or set XDG_CONFIG_HOME to another folder')}; then run ${mentionCommand('config show')}.`,
      ...(code === undefined ? {} : { platformDetail: code }),
      cause,
    },
  );
}

/** `CONFIG_INVALID` for the value or name of a variable. */
export function invalidVariable(problem: string, advice: string): DeskterityError {
  return new DeskterityError('CONFIG_INVALID', `${problem}.`, { suggestion: `${advised(advice)}.` });
}

/** `INVALID_ARGUMENT`: the mistake is on the command line, not in the configuration. */
export function invalidFlag(problem: string, advice: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${problem}.`, { suggestion: `${advised(advice)}.` });
}

/** Advice for an unknown key: one with similar spelling, or with this name in another table. */
export function didYouMean(given: string): string {
  const keys = SETTINGS.map(({ key }) => key);
  const last = given.slice(given.lastIndexOf('.') + 1);
  const close = nearest(given, keys) ?? SETTINGS.find(({ name }) => name === last)?.key;
  return close === undefined ? 'Remove it.' : `Did you mean ${close}?`;
}

/** A value from a file, as shown in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(clip(value, LONGEST_SHOWN));
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a table' : String(value);
}
