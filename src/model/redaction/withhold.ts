import { WITHHELD } from './withheld.ts';
import type { ShownAct } from '../sessions/shown-act.ts';
import { isRecord } from '../is-record.ts';

/** Fields that may repeat application text. The others hold Deskterity's own words, where a gap would reveal the secret. */
const REPORTING_FIELDS = new Set([
  'before',
  'after',
  'evidence',
  'outline',
  'message',
  'platform_detail',
  'detail',
  'name',
  'value',
]);

/** Shorter secrets occur in ordinary words, so that replacing them there would reveal them. */
const SHORTEST_REPLACED = 4;

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/** The input texts that an answer must not repeat, by their keys. */
export function secretsOf(input: unknown, keys: readonly string[]): string[] {
  const values = keys.map((key) => valueAt(input, key.split('.')));
  return values.filter((value) => typeof value === 'string').filter((value) => value !== '');
}

/** `fields.0.value`: the value of the first field. */
function valueAt(data: unknown, [key, ...inside]: readonly string[]): unknown {
  if (key === undefined) return data;
  if (Array.isArray(data)) return valueAt(data[Number(key)], inside);
  return isRecord(data) ? valueAt(data[key], inside) : undefined;
}

/** Replaces texts in {@link REPORTING_FIELDS} fields that repeat a secret or part of one. */
export function withhold(data: unknown, secrets: readonly string[]): unknown {
  return secrets.length === 0 ? data : without(data, secrets, '');
}

/** {@link withhold} for an act that people watch. */
export function withholdIn(act: ShownAct, secrets: readonly string[]): ShownAct {
  const name = act.name === undefined ? undefined : withhold({ name: act.name }, secrets);
  return { ...act, name: isRecord(name) && typeof name['name'] === 'string' ? name['name'] : undefined };
}

function without(data: unknown, secrets: readonly string[], key: string): unknown {
  if (typeof data === 'string')
    return REPORTING_FIELDS.has(key)
      ? secrets.reduce((text, secret) => cover(text, secret, key), data)
      : data;
  if (Array.isArray(data)) return data.map((item: unknown) => without(item, secrets, key));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, without(value, secrets, name)]),
  );
}

/** Quoted parts are replaced separately, so that the rest of the sentence stays readable. */
function cover(text: string, secret: string, key: string): string {
  const isShort = secret.length < SHORTEST_REPLACED;
  const rest = text.replaceAll(QUOTED, (quoted) => {
    const content = unquoted(quoted);
    const isSecret = content !== '' && (isShort || repeats(content, secret));
    return isSecret ? JSON.stringify(WITHHELD) : quoted;
  });
  if (isShort) return text === secret || (key === 'value' && text !== '') ? WITHHELD : rest;
  return repeats(rest, secret) ? WITHHELD : rest;
}

/** Whether a text contains the secret or part of it; a truncated text may have contained it. */
function repeats(text: string, secret: string): boolean {
  const [shown, sought] = [plain(text), plain(secret)];
  if (shown.includes(sought)) return true;
  return text.endsWith('…') || (shown.length >= SHORTEST_REPLACED && sought.includes(shown));
}

/** Fields may change the case and spacing of their input. */
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
