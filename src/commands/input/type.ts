import { z } from 'zod';
import { byText } from '../../model/effects/guarantees.ts';
import { Receipt } from '../../model/effects/effect.ts';
import {
  actTarget,
  actOptions,
  defineCommand,
  flag,
  outlineReceipt,
  timeout,
} from '../../registry/define.ts';

/** Longest pause between two characters. */
const MAX_DELAY_MS = 5000;

export default defineCommand({
  name: 'type',
  mcpName: 'desktop_type_text',
  group: 'input',
  kind: 'input',
  guarantee: byText(),
  title: 'Type a text',
  toolsets: ['core', 'input'],
  needs: ['tree', 'input'],
  summary: 'Type a text into an element at its caret.',
  description:
    'With the keyboard where accessibility has no way, and for delays, line feeds (Enter) and tabs: then its window comes to the front, and typing ends when the focus goes elsewhere. ' +
    'Any Unicode character, whatever the keyboard layout. "confirmed" means that the text was read back.',
  input: z.object({
    ...actTarget,
    text: z.string().min(1).max(100_000).describe('The text; a line feed is Enter.'),
    delay_ms: z
      .int()
      .min(0)
      .max(MAX_DELAY_MS)
      .default(0)
      .describe('Milliseconds between two characters, for applications that miss fast ones.'),
    clear_first: flag('Replace what the field holds.'),
    timeout_ms: timeout(10_000).describe('Deadline in milliseconds, without the delays.'),
  }),
  positionals: ['ref', 'text'],
  secret: 'text',
  output: Receipt,
  examples: [
    { about: 'Add to a field', input: { ref: '@e4', text: 'Ada Lovelace' } },
    {
      about: 'Replace what it holds, and press Enter',
      input: { ref: '@e4', text: '/tmp\n', clear_first: true },
    },
    { about: 'To a terminal', input: { ref: '@t1', text: 'make test\n' } },
    { about: 'One key after the other', input: { ref: '@e4', text: 'zażółć 😀', delay_ms: 50 } },
  ],
  outline: outlineReceipt,
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
