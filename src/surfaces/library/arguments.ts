import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { toWire } from './convert.ts';
import { camelCase } from './naming.ts';
import type { CommandShape, ShapeTable } from './shape.ts';

/** What a method was called with, as the command takes it. */
export interface GivenInput {
  readonly input: Record<string, unknown>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the arguments of a method: values in the order of the command's positionals, then an object with the rest.
 * @param method names the call in errors
 * @throws DeskterityError INVALID_ARGUMENT
 */
export function readArguments(
  method: string,
  given: readonly unknown[],
  shape: CommandShape,
  named: ShapeTable['named'],
): GivenInput {
  const last = given.at(-1);
  const options = isRecord(last) ? last : {};
  const plain = (isRecord(last) ? given.slice(0, -1) : given).map((value) => value ?? undefined);
  const { signal, ...input } = options;
  const surplus = plain.slice(shape.positionals.length).some((value) => value !== undefined);
  if (surplus) throw invalid(tooMany(method, shape.positionals));
  for (const [index, key] of shape.positionals.entries()) {
    const value = plain[index];
    if (value === undefined) continue;
    const name = camelCase(key);
    if (isRecord(value)) throw invalid(`Only the last argument of ${method} may be an object.`);
    if (input[name] !== undefined) throw invalid(`${method} was given ${name} twice.`);
    input[name] = value;
  }
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalid(`The signal given to ${method} is not an AbortSignal.`);
  const wire = toWire(input, shape.input, named, method);
  return { input: isRecord(wire) ? wire : {}, signal };
}

function tooMany(method: string, positionals: readonly string[]): string {
  if (positionals.length === 0) return `${method} takes an object with options and nothing else.`;
  return `${method} takes ${positionals.map((key) => camelCase(key)).join(', ')} and an object with options, and nothing else.`;
}

function invalid(message: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: 'See docs/reference/library.md for what each method takes.',
  });
}
