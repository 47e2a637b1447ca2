import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { success } from '../../model/effects/envelope.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { JournalEntry, JournalKind } from '../../model/journal/entry.ts';
import { fitEntries, type LeftOut } from '../../model/journal/fit.ts';
import { outlineEntry } from '../../model/journal/outline.ts';
import { stringifyVisibly } from '../../model/text/untrusted-text.ts';
import { estimateTokens } from '../../model/tree/budget.ts';
import { bytesOf, LONGEST_ANSWER_BYTES } from '../../model/tree/budget/whole-nodes.ts';
import { App, callLimits, defineCommand, flag, timeout } from '../../registry/define.ts';

const USUAL_TOKENS = 2000;
/** No entry takes less. */
const LEAST_TOKENS = 10;
/** The most that an entry usually takes. */
const ENTRY_TOKENS = 150;

const Output = z.object({
  entries: z.array(JournalEntry).describe('Oldest first.'),
  since: z.string().optional().describe('The cursor given as since.'),
  begin: z.string().describe('When the journal of this desktop began; ISO 8601.'),
  left_out: z
    .object({
      count: z.int().positive(),
      kinds: z.partialRecord(JournalKind, z.int()).describe('How many of each kind.'),
      how: z.array(z.string()).describe('Parameters that show them.'),
    })
    .optional()
    .describe('What did not fit into the answer.'),
  notes: z.array(z.string()).optional().describe('What this journal lacks.'),
  cursor: z
    .string()
    .describe(`Point in the session; a later call with ${mentionParameter('since')} goes on from here.`),
});
type Output = z.output<typeof Output>;

function outline({ entries, since, left_out: leftOut, notes = [], cursor }: Output): string {
  const lines = entries.map((entry) => outlineEntry(entry));
  if (entries.length === 0 && leftOut === undefined)
    lines.push(since === undefined ? 'nothing has happened' : `nothing has happened since ${since}`);
  if (leftOut !== undefined) {
    const kinds = Object.entries(leftOut.kinds).map(([kind, count]) => `${count} ${kind}`);
    lines.push(
      `${leftOut.count} entries left out (${kinds.join(', ')}): repeat with ${leftOut.how.join(' or ')}`,
    );
  }
  return [...lines, ...notes.map((note) => `note: ${note}`), `cursor ${cursor}`].join('\n');
}

const NO_JOURNAL = 'this call runs without a daemon, so its journal begins and ends with it';

export default defineCommand({
  name: 'journal',
  group: 'observation',
  kind: 'read',
  title: 'What happened',
  toolsets: ['verify'],
  needs: ['events'],
  summary:
    'Tell what happened on the desktop since a cursor: windows, dialogs, focus, values, notifications, applications that started or exited.',
  description: `Each entry says what brought it about: an act of this session, the user, or the application itself. Bursts are summed up ("12 changes of value of slider \\"Volume\\", 3 → 40"). Elements are recorded in the applications that sessions have read or acted in, the last eight; windows, applications and notifications always. Typed text and masked fields are never told. The journal begins with the first call of a session on the desktop and is kept in memory.`,
  input: z.object({
    since: z
      .string()
      .optional()
      .describe('Only what happened after this cursor (c17) of any answer. Default: all that is kept.'),
    app: App.optional(),
    kind: z.array(JournalKind).min(1).optional().describe('Only entries of these kinds.'),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(`Maximum tokens of the answer; it says what it leaves out. Default: ${USUAL_TOKENS}.`),
    look: flag('Issue no cursor: the answer has the latest one.'),
    timeout_ms: timeout(5000),
  }),
  bare: 'app',
  output: Output,
  examples: [
    { about: 'What happened since an earlier answer', input: { since: 'c17' }, format: 'outline' },
    { about: 'Everything of one application', input: { app: 'KCalc' } },
    {
      about: 'Whether a dialog or a notification came up',
      input: { since: 'c17', kind: ['dialog_appeared', 'notification_appeared'] },
      format: 'outline',
    },
  ],
  outline,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const { since, app } = input;
    const request = { since, app, kinds: input.kind, isLook: input.look, ...callLimits(ctx, input) };
    const result = (await engine.journal(request)) ?? {
      entries: [],
      since,
      begin: ctx.calledAt.toISOString(),
      cursor: since ?? 'c0',
      notes: [NO_JOURNAL],
    };
    const display = ctx.privateDisplay();
    const place = display === undefined ? {} : { private_desktop: display };
    const form = input.max_tokens === undefined ? 'outline' : ctx.form;
    const answer = (entries: readonly JournalEntry[], leftOut: LeftOut | undefined): Output => ({
      entries: [...entries],
      ...(since === undefined ? {} : { since }),
      begin: result.begin,
      ...(leftOut === undefined ? {} : { left_out: { ...leftOut, how: howToGet(leftOut) } }),
      ...(result.notes.length === 0 ? {} : { notes: [...result.notes] }),
      cursor: result.cursor,
    });
    const most = input.max_tokens ?? USUAL_TOKENS;
    const fitted = fitEntries(
      result.entries,
      (entries, leftOut) => {
        const output = answer(entries, leftOut);
        const json = stringifyVisibly(success('journal', { ...place, ...output }));
        const printed =
          form === 'json'
            ? json
            : `${outline(output)}${display === undefined ? '' : `\non private desktop ${display}`}\n`;
        return (
          estimateTokens(printed) <= most && (ctx.isData === true || bytesOf(json) <= LONGEST_ANSWER_BYTES)
        );
      },
      Math.ceil(most / LEAST_TOKENS),
    );
    if (fitted === undefined)
      throw new DeskterityError(
        'BUDGET_TOO_SMALL',
        `Not even an answer without entries fits into ${most} tokens.`,
        { suggestion: `Raise ${mentionParameter('max_tokens')}, for example to ${USUAL_TOKENS}.` },
      );
    return answer(fitted.shown, fitted.leftOut);
  },
});

/** Parameters that show what was left out: all at once, or the most frequent kind alone. */
function howToGet({ count, kinds }: LeftOut): string[] {
  const [most] = Object.entries(kinds).toSorted(([, a], [, b]) => b - a);
  return [
    `${mentionParameter('max_tokens')} ${USUAL_TOKENS + count * ENTRY_TOKENS}`,
    ...(most === undefined || Object.keys(kinds).length < 2
      ? []
      : [`${mentionParameter('kind')} ${most[0]}`]),
  ];
}
