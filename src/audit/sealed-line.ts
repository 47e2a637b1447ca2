import { createHash } from 'node:crypto';
import { isRecord } from '../model/is-record.ts';
import { AUDIT_KINDS, type AuditEntry, type AuditHead, type AuditRecord } from '../model/audit/entry.ts';
import { parseJson } from '../model/parse-json.ts';
import { clip, stringifyVisibly } from '../model/text/untrusted-text.ts';

/** Characters of a fact; anything longer is content. */
const LONGEST_FACT = 400;
const LONGEST_NAME = 40;
const MOST_FACTS = 32;
/** Longer lines are not ours. */
export const LONGEST_LINE = 65_536;

/** How every line ends: what is before it, closed by a brace, is what was hashed. */
const SEAL = /^(\{"sequence":(\d{1,15}),"previous":"([0-9a-f]{64})",.*),"hash":"([0-9a-f]{64})"\}$/s;

/**
 * One entry as a line of JSON with its newline. The hash is the SHA-256 of the line without `,"hash":"…"`. As the line contains the hash of the entry
 * before, it fixes everything before it.
 */
export function sealLine(
  { kind, facts }: AuditRecord,
  after: AuditHead,
  at: Date,
): { readonly line: string; readonly head: AuditHead } {
  const sequence = after.sequence + 1;
  const kept = Object.entries(facts)
    .filter(([name, value]) => value !== undefined && !OWN_KEYS.has(name))
    .slice(0, MOST_FACTS)
    .map(([name, value]) => [
      clip(name, LONGEST_NAME),
      typeof value === 'string' ? clip(value, LONGEST_FACT) : value,
    ]);
  const body = stringifyVisibly({
    sequence,
    previous: after.hash,
    at: at.toISOString(),
    kind,
    ...Object.fromEntries(kept),
  });
  const hash = hashOf(body);
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}\n`, head: { sequence, hash } };
}

/** The entry in a line without its newline; `undefined` if it is none, or has been changed. */
export function openLine(line: string): AuditEntry | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const [, start = '', , previous = '', hash = ''] = SEAL.exec(line) ?? [];
  const body = `${start}}`;
  if (start === '' || hashOf(body) !== hash) return undefined;
  const parsed = parseJson(body);
  if (!isRecord(parsed)) return undefined;
  const { sequence, at } = parsed;
  const kind = AUDIT_KINDS.find((known) => known === parsed['kind']);
  if (typeof sequence !== 'number' || typeof at !== 'string' || kind === undefined) return undefined;
  const facts = Object.entries(parsed).filter(([name]) => !OWN_KEYS.has(name));
  return { sequence, previous, at, kind, facts: Object.fromEntries(facts.filter(isFact)), hash };
}

/** Text of the head file, of the same length for each entry: it is overwritten in one step. */
export function headText({ sequence, hash }: AuditHead): string {
  return `${String(sequence).padStart(15, '0')} ${hash}\n`;
}

/** The entry that a head file names; `undefined` if it is no such file. */
export function parseHead(text: string | undefined): AuditHead | undefined {
  const [, sequence = '', hash = ''] = /^(\d{15}) ([0-9a-f]{64})\n$/.exec(text ?? '') ?? [];
  return hash === '' ? undefined : { sequence: Number(sequence), hash };
}

export function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

const OWN_KEYS: ReadonlySet<string> = new Set(['sequence', 'previous', 'at', 'kind', 'hash', '__proto__']);

function isFact(pair: [string, unknown]): pair is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof pair[1]);
}
