import { lineOf } from '../../../model/audit/entry-line.ts';
import { isRecord } from '../../../model/is-record.ts';
import { exitCodeOfLost, tryToWrite, writeAll } from '../printing/output.ts';
import type { ClientVerb, VerbContext } from './verb.ts';

/** Entries of one answer, once the first ones are shown. */
const MOST_LINES = 10_000;

/** Prints the entries of the audit log as they are added, until interrupted. Each call waits for some, and begins where the last one ended. */
export const follow: ClientVerb = {
  run: async (context) => {
    const { input, signal, session, stdout } = context;
    const connection = await context.connect();
    try {
      let after: string | undefined;
      while (!signal.aborted) {
        const more = after === undefined ? { follow: false } : { after, lines: MOST_LINES };
        const answer = await connection.execute(
          session,
          'audit show',
          { ...input, ...more },
          { format: 'json', signal },
        );
        if (signal.aborted) break;
        if (answer.exitCode !== 0) {
          await writeAll(stdout, answer.stdout);
          await writeAll(context.stderr, answer.stderr);
          return answer.exitCode;
        }
        const read = answered(answer.stdout);
        after = read.position;
        const printed = await tryToWrite(stdout, textOf(context, read.entries));
        if (printed !== 'written') return printed === 'lost' ? exitCodeOfLost(0) : 0;
      }
      return 0;
    } finally {
      await connection.close();
    }
  },
};

function textOf({ form }: VerbContext, entries: readonly unknown[]): string {
  if (form === 'quiet') return '';
  return entries.map((entry) => `${form === 'json' ? JSON.stringify(entry) : shown(entry)}\n`).join('');
}

function shown(entry: unknown): string {
  if (!isRecord(entry) || !isRecord(entry['facts'])) return JSON.stringify(entry);
  const { sequence, at, kind } = entry;
  const facts: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(entry['facts']))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      facts[name] = value;
  return lineOf({ sequence: Number(sequence), at: String(at), kind: String(kind), facts });
}

function answered(text: string): { readonly entries: readonly unknown[]; readonly position: string } {
  const answer: unknown = JSON.parse(text);
  if (!isRecord(answer) || !Array.isArray(answer['entries']) || typeof answer['position'] !== 'string')
    throw new Error('The answer of audit show is not as expected.');
  return { entries: answer['entries'], position: answer['position'] };
}
