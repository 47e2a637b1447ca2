import { isRecord, WireError } from './wire-bytes.ts';
import type { Parsed } from './wire-bytes.ts';

export function text(frame: Parsed, key: string): string {
  const value = frame[key];
  if (typeof value === 'string') return value;
  throw new WireError(`"${key}" of a frame is not a text`);
}

export function optionalText(frame: Parsed, key: string): string | undefined {
  return frame[key] === undefined ? undefined : text(frame, key);
}

/** What protects somebody is not off because it was said in another way. */
export function flag(frame: Parsed, key: string): boolean {
  const value = frame[key];
  if (typeof value === 'boolean') return value;
  throw new WireError(`"${key}" of a frame is neither true nor false`);
}

export function record(frame: Parsed, key: string): Parsed {
  const value = frame[key];
  if (isRecord(value)) return value;
  throw new WireError(`"${key}" of a frame is not an object`);
}

export function number(frame: Parsed, key: string): number {
  const value = frame[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WireError(`"${key}" of a frame is not a whole number`);
}

export function texts(frame: Parsed, key: string): string[] | undefined {
  const value = frame[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new WireError(`"${key}" of a frame is not a list of texts`);
}

export function oneOf<T extends string>(frame: Parsed, key: string, values: readonly T[]): T | undefined {
  const value = frame[key];
  const known = values.find((candidate) => candidate === value);
  if (known !== undefined || value === undefined) return known;
  throw new WireError(`"${key}" of a frame is none of ${values.join(', ')}`);
}

export function environment(frame: Parsed): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(record(frame, 'environment')).map(([name, content]): [string, string] => {
    if (typeof content === 'string') return [name, content];
    throw new WireError('"environment" of a frame has a value that is not a text');
  });
  return Object.fromEntries(entries);
}
