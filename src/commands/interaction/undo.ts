import { z } from 'zod';
import type { DeskterityError } from '../../model/effects/errors.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { onElements, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { MOST_ACTS } from '../../model/undo/undo-stack.ts';
import { defineCommand, flag, timeout } from '../../registry/define.ts';
import { isPassable, listedActs, undoActs, UndoneAct, undoLines } from '../steps/undo-acts.ts';

const Output = z.object({
  undone: z.int().nonnegative(),
  already: z.int().nonnegative().describe('Acts whose element was as before already: nothing was sent.'),
  skipped: z.int().nonnegative().describe('Acts that cannot be undone, and those that were gone past.'),
  failed: z.int().nonnegative().describe('Acts that could be undone, but were not; they stay on the stack.'),
  actions: z.array(UndoneAct).describe('The newest first.'),
  undo_depth: z.int().nonnegative().describe('Acts that are left.'),
  duration_ms: z.number().nonnegative(),
});
type Output = z.output<typeof Output>;

/** Time for the record after the deadline. */
const REPORT_MS = 1000;
const HOW = { disturbs: 'focus and pointer', confirmedBy: STATE_READ_AGAIN } as const;

export default defineCommand({
  name: 'undo',
  group: 'interaction',
  kind: 'act',
  guarantee: onElements({
    accessibility: { ...HOW, disturbs: 'nothing' },
    keyboard: { ...HOW, disturbs: 'focus' },
    pointer: HOW,
  }),
  title: 'Undo acts',
  toolsets: ['verify'],
  needs: ['tree'],
  isUndoing: true,
  summary: 'Undo the last acts of this session, and read whether all is as before.',
  description:
    'Text and values, switches, selections, expanding, scrolling, window places and states, and the clipboard can be undone; clicks, keys and the like are skipped with the reason. What was changed by anyone since is left as it is. Passwords are never kept.',
  input: z.object({
    count: z
      .int()
      .min(1)
      .max(MOST_ACTS)
      .default(1)
      .describe('How many acts, those that cannot be undone included.'),
    skip_changed: flag(
      'Go past acts whose element was changed since or is gone, and undo those before them. They stay known.',
    ),
    list: flag('Only list the acts that are known.'),
    timeout_ms: timeout(30_000),
  }),
  cli: { count: { short: 'n' } },
  output: Output,
  examples: [
    { about: 'The last act', input: {} },
    { about: 'The last three', input: { count: 3 } },
    { about: 'The last act whose element is still as it left it', input: { skip_changed: true } },
    { about: 'What could be undone', input: { list: true } },
  ],
  deadlineMs: ({ timeout_ms: limit }) => limit + REPORT_MS,
  outline: (output) => report(output),
  run: async (ctx, { count, list, skip_changed: skipsChanged, timeout_ms: limit }) => {
    const started = ctx.clock.now();
    const taken = () => ({ duration_ms: Math.round(ctx.clock.now() - started) });
    const undo = await ctx.undo();
    const acts = await undo.list();
    if (list) {
      const listed: Output = {
        undone: 0,
        already: 0,
        skipped: 0,
        failed: 0,
        actions: listedActs(acts),
        undo_depth: acts.length,
        ...taken(),
      };
      return listed;
    }
    const left = (): number => limit - (ctx.clock.now() - started);
    const how = { left, perActMs: limit, count, skipsChanged };
    const { error, left: depth, ...done } = await undoActs(ctx, acts, how);
    const output: Output = {
      ...done,
      actions: [...done.actions],
      undo_depth: depth,
      ...taken(),
    };
    if (error === undefined) return output;
    throw notAll(error, output, skipsChanged);
  },
});

const NOT_UNDONE: ReadonlySet<UndoneAct['status']> = new Set([
  'changed_since',
  'failed',
  'not_tried',
  'skipped_changed',
]);

/** The failure, with the record of all acts. */
function notAll(error: DeskterityError, output: Output, skipsChanged: boolean): DeskterityError {
  const total = output.actions.length;
  const first = output.actions.find(({ status }) => NOT_UNDONE.has(status));
  const what = first === undefined ? 'The act' : [first.tool, first.target].filter(Boolean).join(' ');
  const which =
    total === 1
      ? `${what} was`
      : `${output.actions.filter(({ status }) => NOT_UNDONE.has(status)).length} of ${total} acts were`;
  const further = mentionCommand('undo', { skip_changed: true });
  return error.with({
    message: `${which} not undone: ${error.message}`,
    suggestion:
      isPassable(error) && !skipsChanged
        ? `${error.suggestion} The act stays known and is the next one to undo; ${further} goes past it.`
        : error.suggestion,
    delivered: error.delivered === true || output.undone > 0,
    retryable: false,
    result: { ...output },
    report: [error.report, report(output)].filter((part) => part !== undefined).join('\n'),
  });
}

function report({ actions, undo_depth: depth }: Output): string {
  if (actions.length === 0) return 'no acts to undo';
  return [...undoLines(actions), `${depth} ${depth === 1 ? 'act' : 'acts'} left`].join('\n');
}
