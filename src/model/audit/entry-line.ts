import { quoteClipped, reveal } from '../text/untrusted-text.ts';
import type { AuditEntry } from './entry.ts';

const NOT_SHOWN: ReadonlySet<string> = new Set([
  'call',
  'client',
  'command',
  'does',
  'pid',
  'principal',
  'session',
]);

/** The facts that say what was done, in one line: the others are in the data. */
export function lineOf({
  sequence,
  at,
  kind,
  facts,
}: Pick<AuditEntry, 'sequence' | 'at' | 'facts'> & { readonly kind: string }): string {
  const who = [facts['session'], facts['client']].filter((part) => typeof part === 'string' && part !== '');
  const shown = Object.entries(facts).filter(
    ([name, value]) => !NOT_SHOWN.has(name) && !(name === 'mode' && value === 'normal'),
  );
  const more = shown.map(([name, value]) => `${name}=${shownValue(value)}`);
  return [
    String(sequence),
    at,
    kind,
    ...(typeof facts['command'] === 'string' ? [reveal(facts['command'])] : []),
    ...more,
    ...(who.length === 0 ? [] : [`(${who.map((part) => reveal(String(part))).join(', ')})`]),
  ].join(' ');
}

function shownValue(value: unknown): string {
  return typeof value === 'string' && !/^[\w@./:+-]+$/.test(value) ? quoteClipped(value) : String(value);
}
