import { isRecord } from '../registry/is-record.ts';

/** Stands where a secret would. */
const WITHHELD = '[withheld]';

/** The texts of an input that an answer must not repeat. */
export function secretsOf(input: unknown, keys: readonly string[]): string[] {
  if (!isRecord(input)) return [];
  const values = keys.map((key) => input[key]);
  return values.filter((value) => typeof value === 'string').filter((value) => value !== '');
}

/** The same data with every secret in its texts replaced; keys stay. */
export function withhold(data: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return data;
  if (typeof data === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, WITHHELD), data);
  if (Array.isArray(data)) return data.map((item: unknown) => withhold(item, secrets));
  if (!isRecord(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, withhold(value, secrets)]));
}
