import { DeskterityError } from '../../../model/effects/errors.ts';
import { clip, quote } from '../../../model/text/untrusted-text.ts';

const LONGEST_SHOWN = 80;

export function invalid(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion });
}

/** A value for a message; of a list only the length, as it may be huge. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(clip(value, LONGEST_SHOWN));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
