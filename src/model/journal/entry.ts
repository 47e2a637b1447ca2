import { z } from 'zod';

/** What the journal records, in the words of the events of an application. */
export const JOURNAL_KINDS = [
  'window_opened',
  'window_closed',
  'dialog_appeared',
  'dialog_closed',
  'focus_changed',
  'value_changed',
  'text_changed',
  'state_changed',
  'name_changed',
  'selection_changed',
  'notification_appeared',
  'app_started',
  'app_exited',
] as const;

export const JournalKind = z.enum(JOURNAL_KINDS);
export type JournalKind = z.output<typeof JournalKind>;

/** Who brought something about. */
export const JournalSource = z.enum(['own', 'other_session', 'user', 'application', 'unknown']);
export type JournalSource = z.output<typeof JournalSource>;

/** One thing that happened, or several of the same kind to the same element. */
export const JournalEntry = z
  .object({
    time: z.string().describe('When it happened, or the first of several; ISO 8601.'),
    until: z.string().optional().describe('When the last of several happened.'),
    kind: JournalKind,
    app: z.string().optional(),
    pid: z.int().optional(),
    window: z.string().optional().describe('The title of its window.'),
    element: z.string().optional().describe('Role and name of the element.'),
    what: z.string().describe('What happened, as one sentence.'),
    before: z.string().optional(),
    after: z.string().optional(),
    count: z.int().min(2).optional().describe('How many changes this entry sums up.'),
    by: JournalSource.describe(
      '"own": explained by an act of this session; "other_session": by that of another one; "user": the display saw keys or buttons just before; "application": neither; "unknown": cannot be told.',
    ),
    command: z.string().optional().describe('The command of the act, if it was one.'),
    ref: z.string().optional().describe('The element, or the window if it is about one, while it exists.'),
  })
  .meta({ id: 'JournalEntry' });
export type JournalEntry = z.output<typeof JournalEntry>;
