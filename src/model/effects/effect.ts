import { mentionParameter } from '../text/mention.ts';
import { z } from 'zod';
import { WindowSummary } from '../refs/target.ts';

/** What an acting command saw happen (DESIGN §5). `no_op` and `partial` are failures and travel inside ACTION_FAILED. */
export const Effect = z.enum(['confirmed', 'unverified', 'no_op', 'partial']);
export type Effect = z.output<typeof Effect>;

/** One observed difference in the window around an act. */
export const Change = z.object({
  kind: z.enum(['appeared', 'disappeared', 'changed', 'window_opened', 'window_closed', 'focus']),
  ref: z.string().optional(),
  role: z.string().optional(),
  name: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
});
export type Change = z.output<typeof Change>;

/** One difference between two readings of a window. Elements that came with another one follow it. */
export const ChangeSince = Change.extend({
  level: z
    .int()
    .positive()
    .optional()
    .describe('How deep it lies in elements that appeared with it and are listed above it.'),
  inside: z.int().positive().optional().describe('Elements that went with it and are not listed.'),
}).meta({ id: 'ChangeSince' });
export type ChangeSince = z.output<typeof ChangeSince>;

/** That a locator matched nothing, and what was taken in its place. */
export const Healed = z
  .object({
    from: z.string(),
    to: z.string().describe('A locator of the element that was taken.'),
    score: z.number().describe('How alike it is, up to 1.'),
  })
  .meta({ id: 'Healed' });
export type Healed = z.output<typeof Healed>;

/** What every acting command returns. */
export const Receipt = z
  .object({
    target: z.object({ ref: z.string().optional(), role: z.string(), name: z.string().optional() }),
    healed: Healed.optional().describe(
      `With ${mentionParameter('heal')}: the locator matched nothing, and this was taken instead.`,
    ),
    effect: Effect,
    evidence: z
      .array(z.string())
      .describe('What was seen that supports the effect: fresh reads and application events.'),
    via: z.string().describe('The path that was taken, such as keyboard:Control+s.'),
    changes: z.array(Change).optional(),
    delivered: z.boolean().describe('Whether the act may have reached the application.'),
    retry_safe: z.boolean().describe('Whether repeating the same call cannot do harm.'),
    cursor: z.string(),
    duration_ms: z.number().nonnegative(),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.output<typeof Receipt>;

/** What a command returns that holds keys or buttons down, or lets them go. */
export const HeldReceipt = Receipt.extend({
  held: z.array(z.string()).describe('Keys and buttons that this session holds down now.'),
}).meta({ id: 'HeldReceipt' });
export type HeldReceipt = z.output<typeof HeldReceipt>;

/** What a command that arranges windows returns. */
export const WindowReceipt = Receipt.extend({
  window: WindowSummary.describe('The window afterwards; a closed one as it was last seen.'),
  already: z.literal(true).optional().describe('Nothing was asked of the window: it was so before.'),
}).meta({ id: 'WindowReceipt' });
export type WindowReceipt = z.output<typeof WindowReceipt>;
