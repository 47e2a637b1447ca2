import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { byText } from '../../model/effects/guarantees.ts';
import { actTarget, actOptions, flag, looksLikeTarget, timeout } from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

/** Longest pause between two characters. */
const MAX_DELAY_MS = 5000;

export default inputCommand({
  name: 'type',
  takesSeat: true,
  mcpName: 'desktop_type_text',
  guarantee: byText(),
  title: 'Type text',
  toolsets: ['core', 'input'],
  needs: ['tree', 'input'],
  summary: 'Type text into an element, or where the keyboard focus is, at the caret.',
  description:
    'Uses the keyboard where accessibility cannot, and for delays, line feeds (Enter) and tabs: the window then comes to the front, and typing stops if the focus moves.',
  input: z
    .object({
      ...actTarget,
      ref: actTarget.ref.describe('Default: what has the keyboard focus, which the answer names.').optional(),
      text: z.string().min(1).max(100_000).describe('The text.'),
      delay_ms: z
        .int()
        .min(0)
        .max(MAX_DELAY_MS)
        .default(0)
        .describe('Milliseconds between characters, if fast input is lost.'),
      clear_first: flag('Replace the content of the field.'),
      timeout_ms: timeout(10_000).describe('Deadline in milliseconds; the delays are added.'),
    })
    .refine(({ ref, text }) => ref !== undefined || !looksLikeTarget(text), {
      path: ['text'],
      error: `names an element instead of giving the text for it`,
      params: {
        suggestion: `Give both: ${mentionCommand('type', { ref: 'REF', text: 'TEXT' })}. To type such a text itself, name the element too; ${mentionCommand('focused')} shows the one that has the focus.`,
      },
    }),
  positionals: ['ref', 'text'],
  secret: 'text',
  examples: [
    { about: 'Add to a field', input: { ref: '@e4', text: 'Ada Lovelace' } },
    {
      about: 'Replace the content and press Enter',
      input: { ref: '@e4', text: '/tmp\n', clear_first: true },
    },
    { about: 'Where the keyboard focus is', input: { text: 'Ada Lovelace' } },
    { about: 'In a terminal', input: { ref: '@t1', text: 'make test\n' } },
    { about: 'Slowly, character by character', input: { ref: '@e4', text: 'zażółć 😀', delay_ms: 50 } },
  ],
  deadlineMs: (input) => deadlineOf(input),
  run: async (ctx, input) => {
    const engine = await ctx.engine({ targets: [input.ref] });
    return engine.type({
      ref: input.ref,
      text: input.text,
      delayMs: input.delay_ms,
      clearFirst: input.clear_first,
      withheld: ctx.secrets?.includes(input.text) === true,
      ...actOptions(ctx, { ...input, timeout_ms: deadlineOf(input) }),
    });
  },
});

function deadlineOf(input: {
  readonly text: string;
  readonly delay_ms: number;
  readonly timeout_ms: number;
}): number {
  return input.timeout_ms + input.delay_ms * Array.from(input.text).length;
}
