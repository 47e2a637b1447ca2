import { isRecord } from '../../model/is-record.ts';
import { WITHHELD } from '../../model/text/withheld.ts';

/** Shorter values occur in ordinary words. */
const SHORTEST = 6;

/** Replaces secrets of a server's configuration, which the server may repeat. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (shown, secret) => (secret.length < SHORTEST ? shown : shown.replaceAll(secret, WITHHELD)),
    text,
  );
}

/** {@link redact} in all texts of data. */
export function redactIn(data: unknown, secrets: readonly string[]): unknown {
  if (typeof data === 'string') return redact(data, secrets);
  if (Array.isArray(data)) return data.map((item: unknown) => redactIn(item, secrets));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [redact(key, secrets), redactIn(value, secrets)]),
  );
}
