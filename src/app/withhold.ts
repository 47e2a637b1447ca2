import { WITHHELD } from '../model/text/withheld.ts';
import { isRecord } from '../model/is-record.ts';

/** Fields that may say what an application shows; the others are Deskterity's own words, and a hole in those would spell the secret. */
const TELLING = new Set([
  'before',
  'after',
  'evidence',
  'message',
  'platform_detail',
  'detail',
  'name',
  'value',
]);

/** A shorter secret is found in ordinary words: finding it there, or not, would tell it. */
const SHORTEST_SOUGHT = 4;

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/** The texts of an input that an answer must not repeat. */
export function secretsOf(input: unknown, keys: readonly string[]): string[] {
  if (!isRecord(input)) return [];
  const values = keys.map((key) => input[key]);
  return values.filter((value) => typeof value === 'string').filter((value) => value !== '');
}

/** The same data without the texts in its {@link TELLING} fields that repeat a secret, or a piece of one. */
export function withhold(data: unknown, secrets: readonly string[]): unknown {
  return secrets.length === 0 ? data : without(data, secrets, '');
}

function without(data: unknown, secrets: readonly string[], key: string): unknown {
  if (typeof data === 'string')
    return TELLING.has(key) ? secrets.reduce((text, secret) => cover(text, secret, key), data) : data;
  if (Array.isArray(data)) return data.map((item: unknown) => without(item, secrets, key));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, without(value, secrets, name)]),
  );
}

/** What a sentence quotes is withheld by itself, so that the rest of it can still be read. */
function cover(text: string, secret: string, key: string): string {
  const isShort = secret.length < SHORTEST_SOUGHT;
  const rest = text.replaceAll(QUOTED, (quoted) => {
    const said = unquoted(quoted);
    const tells = said !== '' && (isShort || repeats(said, secret));
    return tells ? JSON.stringify(WITHHELD) : quoted;
  });
  if (isShort) return text === secret || (key === 'value' && text !== '') ? WITHHELD : rest;
  return repeats(rest, secret) ? WITHHELD : rest;
}

/** Whether a text has the secret in it, all or a piece; a text that was cut may have had it. */
function repeats(text: string, secret: string): boolean {
  const [said, sought] = [plain(text), plain(secret)];
  if (said.includes(sought)) return true;
  return text.endsWith('…') || (said.length >= SHORTEST_SOUGHT && sought.includes(said));
}

/** Fields may change case and spaces of what they are given. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
