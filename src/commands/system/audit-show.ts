import { z } from 'zod';
import { mentionParameter } from '../../model/text/mention.ts';
import { AUDIT_KINDS, type AuditEntry } from '../../model/audit/entry.ts';
import { line, span, table } from '../../model/text/page.ts';
import { defineCommand, flag, optionalText, type CommandContext } from '../../registry/define.ts';
import { lineOf } from '../../model/audit/entry-line.ts';
import { matchingEntries, parsePlace, showPlace } from './audit-entries.ts';
import { auditLog, momentOf, SinceInput } from './audit-parts.ts';

/** How long a call waits for entries. */
const FOLLOW_MS = 20_000;
const LOOK_EVERY_MS = 250;

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
    'The newest entries are last. An entry has what was called, by whom, and the application, window and element that it names; never what was typed. The end of an act names the application as its process does, with the rule of the policy that decided. Everything that does something is recorded before it is done (intent) and when it has ended (outcome or denied).',
  input: z.object({
    since: SinceInput,
    in_session: optionalText('Only what was done in this session.'),
    command: optionalText('Only of this command.'),
    app: optionalText('Only entries whose application contains this text.'),
    denied: flag('Only what was refused.'),
    lines: z.int().min(1).max(10_000).default(50).describe('Most entries to show.'),
    follow: flag(
      `Keep printing new entries until interrupted. In the library: with ${mentionParameter('after')}, wait for some, 20 seconds at most.`,
    ),
    after: optionalText('Only entries after the position of an earlier answer.'),
  }),
  output: z.object({
    entries: z.array(Entry),
    omitted: z.int().describe('Older entries that also match.'),
    folder: z.string().describe('Where the log is.'),
    position: z.string().describe('Behind the last entry that was read.'),
  }),
  deadlineMs: () => 60_000,
  examples: [
    { about: 'The last entries', input: {}, format: 'outline' },
    { about: 'What was refused today', input: { denied: true, since: '24h' }, format: 'outline' },
    { about: 'What one session did', input: { in_session: 'worker', lines: 200 } },
    { about: 'What is done from now on', input: { follow: true, lines: 1 }, format: 'outline' },
  ],
  outline: ({ entries, omitted, folder }) =>
    [
      ...(omitted === 0 ? [] : [`${omitted} older entries are not shown`]),
      ...entries.map(lineOf),
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
        lineOf(entry).split(' ').slice(3).join(' '),
      ]),
    ),
    line([span('folder: ', 'quiet'), folder]),
  ],
  run: async (ctx, { follow, after, lines, ...filter }) => {
    const log = await auditLog(ctx);
    const matches = matcher(ctx, filter);
    let from = parsePlace(after);
    const isAfter = from !== undefined;
    const end = ctx.clock.now() + (follow && isAfter ? FOLLOW_MS : 0);
    for (;;) {
      const { entries, omitted, place } = await matchingEntries(log, {
        from,
        most: lines,
        signal: ctx.signal,
        // A call that waits for entries is none of them, even where reads are recorded.
        matches: (entry) => matches(entry) && !(isAfter && isOwnRead(ctx, entry)),
      });
      from = place;
      if (entries.length === 0 && ctx.clock.now() < end) {
        await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal);
        continue;
      }
      return {
        entries: entries.map(({ sequence, at, kind, facts, hash }) => ({
          sequence,
          at,
          kind,
          facts: knownFacts(facts),
          hash,
        })),
        omitted,
        folder: log.folder,
        position: showPlace(place),
      };
    }
  },
});

interface Filter {
  readonly since?: string | undefined;
  readonly in_session?: string | undefined;
  readonly command?: string | undefined;
  readonly app?: string | undefined;
  readonly denied: boolean;
}

function matcher(
  { calledAt }: CommandContext,
  { since, in_session: session, command, app, denied }: Filter,
): (entry: AuditEntry) => boolean {
  const from = momentOf(since, calledAt);
  const wanted = app?.toLowerCase();
  return ({ facts, at, kind }) =>
    Date.parse(at) >= from &&
    (!denied || kind === 'denied') &&
    (session === undefined || facts['session'] === session) &&
    (command === undefined || facts['command'] === command) &&
    (wanted === undefined ||
      NAMES.some((name) =>
        String(facts[name] ?? '')
          .toLowerCase()
          .includes(wanted),
      ));
}

/** Facts that name an application. */
const NAMES = ['application', 'app_name', 'app_executable', 'app_desktop_id'];

/** Whether this caller only looked at the log. */
function isOwnRead({ audit }: CommandContext, { facts }: AuditEntry): boolean {
  return facts['command'] === 'audit show' && facts['pid'] === audit?.who['pid'];
}

function knownFacts(facts: AuditEntry['facts']): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) known[name] = value;
  return known;
}
