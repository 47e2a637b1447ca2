import { SETTINGS } from '../../../model/configuration/config.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { nearest } from '../../../model/text/nearest.ts';
import { clip, quote, reveal } from '../../../model/text/untrusted-text.ts';

/** Longest piece of somebody's file that a message repeats. */
const LONGEST_SHOWN = 60;

/** Help works while the settings do not. */
const LISTED = '"desk config show --help" lists all settings.';

/** `CONFIG_INVALID` for what stands in a file. */
export function invalidInFile(
  path: string,
  line: number | undefined,
  problem: string,
  advice: string,
): DeskterityError {
  const place = line === undefined ? reveal(path) : `${reveal(path)}, line ${line}`;
  return new DeskterityError('CONFIG_INVALID', `${place}: ${problem}.`, {
    suggestion: `${advice} ${LISTED}`,
  });
}

/** `CONFIG_INVALID` for a file that is there and cannot be used; `reason` is a phrase after "because it". */
export function unusableFile(path: string, reason: string, cause?: unknown): DeskterityError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return new DeskterityError(
    'CONFIG_INVALID',
    `The configuration file ${reveal(path)} cannot be read: it ${reason}.`,
    {
      suggestion: `Make it a text file you may read, remove it, or set XDG_CONFIG_HOME to another folder; then run "desk config show".`,
      ...(code === undefined ? {} : { platformDetail: code }),
      cause,
    },
  );
}

/** `CONFIG_INVALID` for the value of a variable, or its name. */
export function invalidVariable(problem: string, advice: string): DeskterityError {
  return new DeskterityError('CONFIG_INVALID', `${problem}.`, { suggestion: `${advice} ${LISTED}` });
}

/** A mistake of the command line, not of the configuration. */
export function invalidFlag(problem: string, advice: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `${problem}.`, { suggestion: `${advice} ${LISTED}` });
}

/** What to write in place of an unknown key: one spelt alike, or the one that has this name in another table. */
export function didYouMean(given: string): string {
  const keys = SETTINGS.map(({ key }) => key);
  const last = given.slice(given.lastIndexOf('.') + 1);
  const close = nearest(given, keys) ?? SETTINGS.find(({ name }) => name === last)?.key;
  return close === undefined ? 'Remove it.' : `Did you mean ${close}?`;
}

/** A value of a file as a message may show it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(clip(value, LONGEST_SHOWN));
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a table' : String(value);
}
