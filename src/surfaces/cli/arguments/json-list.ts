import { parseGivenJson, TOO_DEEP } from '../../../model/given-json.ts';
import { isRecord } from '../../../model/is-record.ts';
import { UsageError } from './usage-error.ts';

/** Stands for a list that is read from standard input. */
export const FROM_INPUT = '-';

export type JsonList = readonly Readonly<Record<string, unknown>>[];

/** @throws UsageError */
export function parsedJson(command: string, text: string): unknown {
  try {
    return parseGivenJson(text);
  } catch (error) {
    const why = error instanceof Error && error.message === TOO_DEEP ? `: ${TOO_DEEP}` : '';
    throw new UsageError(
      command,
      `${JSON.stringify(text.slice(0, 80))} is not JSON${why === '' ? '' : ` that can be used${why}`}.`,
      'Write one JSON list, or one object per line.',
    );
  }
}

/** A JSON list of objects, or objects on separate lines. @throws UsageError */
export function listFrom(command: string, text: string): JsonList {
  const trimmed = text.trim();
  const isList = trimmed.startsWith('[');
  const values = isList
    ? parsedJson(command, trimmed)
    : trimmed
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => parsedJson(command, line));
  if (Array.isArray(values) && values.every((value) => isRecord(value))) return values;
  throw new UsageError(
    command,
    'The list has an item that is not a JSON object.',
    'Write one JSON list of objects, or one object per line.',
  );
}
