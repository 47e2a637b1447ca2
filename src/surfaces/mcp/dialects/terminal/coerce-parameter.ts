import { DeskterityError } from '../../../../model/effects/errors.ts';
import { parseSwitch } from '../../../../model/configuration/switch-words.ts';
import { hiddenInTag, isWholeText } from '../../../../model/terminals/terminal-requests.ts';
import { clip, quote } from '../../../../model/text/untrusted-text.ts';
import type { ParameterKind } from './terminal-parameters.ts';

type Kind<T extends ParameterKind['type']> = Extract<ParameterKind, { readonly type: T }>;

const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const LONGEST_SHOWN = 80;
const SWITCH_WORDS = 'true or false (also 1, t, yes, on and 0, f, no, off)';

/** @throws DeskterityError INVALID_ARGUMENT, naming the parameter and what was given */
export function textOf(name: string, value: unknown, { longest, mayBeEmpty }: Kind<'text'>): string {
  if (typeof value !== 'string') throw wrong(name, value, 'a text');
  if (value === '' && !mayBeEmpty) throw wrong(name, value, 'a text that is not empty');
  if (value.length > longest)
    throw invalid(
      `The parameter '${name}' has ${value.length} characters, but may have ${longest} at most.`,
      name === 'command' ? 'Put it into a file and run that.' : 'Give a shorter one.',
    );
  if (!isWholeText(value)) throw wrong(name, value, 'a text without NUL and without halves of characters');
  return value;
}

/** @throws DeskterityError INVALID_ARGUMENT */
export function switchOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const said = typeof value === 'string' ? parseSwitch(value) : undefined;
  if (said === undefined) throw wrong(name, value, SWITCH_WORDS);
  return said;
}

/** Fractions are floored. @throws DeskterityError INVALID_ARGUMENT */
export function integerOf(name: string, value: unknown, { least, most }: Kind<'integer'>): number {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  const whole = typeof number === 'number' ? Math.floor(number) : Number.NaN;
  // Also false where it is no number.
  if (whole >= least && whole <= most) return whole === 0 ? 0 : whole;
  throw wrong(name, value, `a whole number from ${least} to ${most}`);
}

/** For texts that stand in titles and lists. @throws DeskterityError INVALID_ARGUMENT */
export function requireVisible(name: string, text: string): void {
  const hidden = hiddenInTag(text);
  if (hidden !== undefined)
    throw invalid(`The parameter '${name}' is ${shown(text)}, which has ${hidden} in it.`, 'Leave that out.');
}

function wrong(name: string, value: unknown, expected: string): DeskterityError {
  return invalid(
    `The parameter '${name}' is ${shown(value)}, but must be ${expected}.`,
    'Correct it, or leave it out where it has a default.',
  );
}

export function invalid(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion });
}

/** A value as a message may show it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(clip(value, LONGEST_SHOWN));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
