import { mentionParameter } from '../text/mention.ts';
import { z } from 'zod';
import { WindowSummary } from '../refs/target.ts';
import { OutputNode } from '../tree/node.ts';

/** What an acting command observed. `no_op` and `partial` are failures, reported as ACTION_FAILED. */
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

/** One difference between two readings of a window. Elements that appeared with another one follow it. */
export const ChangeSince = Change.extend({
  level: z
    .int()
    .positive()
    .optional()
    .describe('How deep it is inside elements listed before it, which appeared together with it.'),
  inside: z
    .int()
    .positive()
    .optional()
    .describe('Number of elements inside it that disappeared with it and are not listed.'),
}).meta({ id: 'ChangeSince' });
export type ChangeSince = z.output<typeof ChangeSince>;

/** A locator that matched nothing, and the element used instead. */
export const Healed = z
  .object({
    from: z.string(),
    to: z.string().describe('A locator of the element that was used.'),
    score: z.number().describe('Similarity to what was sought, at most 1.'),
  })
  .meta({ id: 'Healed' });
export type Healed = z.output<typeof Healed>;

/** Trees of what opened. */
export const Opened = z
  .array(OutputNode)
  .describe('What opened: windows, dialogs and menus, with references.');

/** What every acting command returns. */
export const Receipt = z
  .object({
    target: z.object({ ref: z.string().optional(), role: z.string(), name: z.string().optional() }),
    healed: Healed.optional().describe(
      `With ${mentionParameter('heal')}: the locator matched nothing, and this element was used instead.`,
    ),
    effect: Effect,
    evidence: z
      .array(z.string())
      .describe('The observations that support the effect: fresh reads and application events.'),
    via: z.string().describe('How it was done, such as keyboard:Control+s.'),
    changes: z.array(Change).optional(),
    opened: Opened.optional(),
    delivered: z.boolean().describe('Whether the act may have reached the application.'),
    retry_safe: z.boolean().describe('Whether the same call can be repeated without harm.'),
    cursor: z.string(),
    duration_ms: z.number().nonnegative(),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.output<typeof Receipt>;

/** What a command that holds or releases keys or buttons returns. */
export const HeldReceipt = Receipt.extend({
  held: z.array(z.string()).describe('Keys and buttons that this session holds down now.'),
}).meta({ id: 'HeldReceipt' });
export type HeldReceipt = z.output<typeof HeldReceipt>;

/** What a command that arranges windows returns. */
export const WindowReceipt = Receipt.extend({
  window: WindowSummary.describe('The window afterwards; a closed one as it was last seen.'),
  already: z.literal(true).optional().describe('Nothing was sent: the window already was as requested.'),
}).meta({ id: 'WindowReceipt' });
export type WindowReceipt = z.output<typeof WindowReceipt>;
