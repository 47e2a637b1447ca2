import { z } from 'zod';
import { AUDIT_KINDS, type AuditEntry } from '../../model/audit/entry.ts';
import { line, span, table } from '../../model/text/page.ts';
import { defineCommand, flag, optionalText } from '../../registry/define.ts';
import { auditLog, lineOf, momentOf, SinceInput } from './audit-parts.ts';

const Entry = z.object({
  sequence: z.int().describe('Number of the entry.'),
  at: z.string(),
  kind: z
    .enum(AUDIT_KINDS)
    .describe(
      'intent: about to be done; outcome: how it ended; recovered and removed: about the log itself.',
    ),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  hash: z.string(),
});

export default defineCommand({
  name: ['audit', 'show'],
  group: 'system',
  kind: 'admin',
  isReadOnly: true,
  surfaces: ['cli', 'library'],
  title: 'Show the audit log',
  summary: 'Show what was done, by whom, and what was refused.',
  description:
    'The newest entries are last. An entry has what was called, by whom, and the application, window and element that it names; never what was typed. Everything that does something is recorded before it is done (intent) and when it has ended (outcome or denied).',
  input: z.object({
    since: SinceInput,
    in_session: optionalText('Only what was done in this session.'),
    command: optionalText('Only of this command.'),
    app: optionalText('Only entries whose application contains this text.'),
    denied: flag('Only what was refused.'),
    lines: z.int().min(1).max(10_000).default(50).describe('Most entries to show.'),
  }),
  output: z.object({
    entries: z.array(Entry),
    omitted: z.int().describe('Older entries that also match.'),
    folder: z.string().describe('Where the log is.'),
  }),
  deadlineMs: () => 60_000,
  examples: [
    { about: 'The last entries', input: {}, format: 'outline' },
    { about: 'What was refused today', input: { denied: true, since: '24h' }, format: 'outline' },
    { about: 'What one session did', input: { in_session: 'worker', lines: 200 } },
  ],
  outline: ({ entries, omitted, folder }) =>
    [
      ...(omitted === 0 ? [] : [`${omitted} older entries are not shown`]),
      ...entries.map((entry) => lineOf({ ...entry, previous: '' })),
      ...(entries.length === 0 ? [`no entries in ${folder}`] : []),
    ].join('\n'),
  page: ({ entries, omitted, folder }) => [
    ...(omitted === 0 ? [] : [line(span(`${omitted} older entries are not shown`, 'quiet'))]),
    table(
      [{ title: 'NUMBER' }, { title: 'TIME' }, { title: 'KIND' }, { title: 'WHAT', narrow: 'wrap' }],
      entries.map((entry) => [
        String(entry.sequence),
        span(entry.at, 'quiet'),
        entry.kind === 'denied' ? span(entry.kind, 'bad') : entry.kind,
        lineOf({ ...entry, previous: '' })
          .split(' ')
          .slice(3)
          .join(' '),
      ]),
    ),
    line([span('folder: ', 'quiet'), folder]),
  ],
  run: async (ctx, { since, in_session: session, command, app: application, denied, lines }) => {
    const log = await auditLog(ctx);
    const from = momentOf(since, ctx.calledAt);
    const matches = ({ facts, at, kind }: AuditEntry): boolean =>
      Date.parse(at) >= from &&
      (!denied || kind === 'denied') &&
      (session === undefined || facts['session'] === session) &&
      (command === undefined || facts['command'] === command) &&
      (application === undefined ||
        String(facts['application'] ?? '')
          .toLowerCase()
          .includes(application.toLowerCase()));
    let kept: AuditEntry[] = [];
    let omitted = 0;
    for await (const { entry } of log.entries()) {
      ctx.signal.throwIfAborted();
      if (!matches(entry)) continue;
      kept.push(entry);
      if (kept.length < lines * 2) continue;
      omitted += kept.length - lines;
      kept = kept.slice(-lines);
    }
    const shown = kept.slice(-lines);
    return {
      entries: shown.map(({ sequence, at, kind, facts, hash }) => ({
        sequence,
        at,
        kind,
        facts: knownFacts(facts),
        hash,
      })),
      omitted: omitted + kept.length - shown.length,
      folder: log.folder,
    };
  },
});

function knownFacts(facts: AuditEntry['facts']): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) known[name] = value;
  return known;
}
