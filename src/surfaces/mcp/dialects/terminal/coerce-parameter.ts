import type { DeskterityError } from '../../../../model/effects/errors.ts';
import { parseSwitch } from '../../../../model/configuration/switch-words.ts';
import { hiddenInTag, isWholeText } from '../../../../model/terminals/terminal-requests.ts';
import { invalid, shown } from '../invalid-parameter.ts';
import type { ParameterKind } from './terminal-parameters.ts';

type Kind<T extends ParameterKind['type']> = Extract<ParameterKind, { readonly type: T }>;

const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const SWITCH_WORDS = 'true or false (also 1, t, yes, on and 0, f, no, off)';

/** @throws DeskterityError INVALID_ARGUMENT, naming the parameter and what was given */
export function textOf(name: string, value: unknown, { longest, mayBeEmpty }: Kind<'text'>): string {
  if (typeof value !== 'string') throw wrong(name, value, 'text');
  if (value === '' && !mayBeEmpty) throw wrong(name, value, 'text that is not empty');
  if (value.length > longest)
    throw invalid(
      `The parameter '${name}' has ${value.length} characters; at most ${longest} are accepted.`,
      name === 'command' ? 'Put it into a file and run that.' : 'Shorten it.',
    );
  if (!isWholeText(value)) throw wrong(name, value, 'text without NUL and unpaired surrogates');
  return value;
}

/** @throws DeskterityError INVALID_ARGUMENT */
export function switchOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const parsed = typeof value === 'string' ? parseSwitch(value) : undefined;
  if (parsed === undefined) throw wrong(name, value, SWITCH_WORDS);
  return parsed;
}

/** Fractions are floored. @throws DeskterityError INVALID_ARGUMENT */
export function integerOf(name: string, value: unknown, { least, most }: Kind<'integer'>): number {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  const whole = typeof number === 'number' ? Math.floor(number) : Number.NaN;
  // Also false for NaN.
  if (whole >= least && whole <= most) return whole === 0 ? 0 : whole;
  throw wrong(name, value, `a whole number from ${least} to ${most}`);
}

/** For text that appears in titles and lists. @throws DeskterityError INVALID_ARGUMENT */
export function requireVisible(name: string, text: string): void {
  const hidden = hiddenInTag(text);
  if (hidden !== undefined)
    throw invalid(`The parameter '${name}' is ${shown(text)}, which contains ${hidden}.`, 'Remove that.');
}

function wrong(name: string, value: unknown, expected: string): DeskterityError {
  return invalid(
    `The parameter '${name}' is ${shown(value)}, but must be ${expected}.`,
    'Correct it, or leave it out if it is optional.',
  );
}
