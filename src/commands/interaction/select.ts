import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { onElements, STATE_OR_OPENED, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { actTarget, actOptions, timeout, excludes } from '../../registry/define.ts';
import { interactionCommand } from '../receipt-command.ts';

export default interactionCommand({
  name: 'select',
  guarantee: onElements({
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: STATE_READ_AGAIN,
      except:
        'for Qt combo boxes and GTK 4 drop-downs, which do not obey, and for rows of lists in Qt and GTK, where a click does more: the pointer is used instead',
    },
    pointer: { disturbs: 'focus and pointer', confirmedBy: STATE_OR_OPENED },
  }),
  title: 'Select an option',
  toolsets: ['core'],
  idempotent: true,
  summary: 'Select an option of a combo box, list, table, tree or tab list.',
  description: `By its exact name, else ignoring case, else by a unique part of it. With neither value nor ${mentionParameter('by_index')}, the reference is the option itself.`,
  input: z
    .object({
      ...actTarget,
      value: z.string().min(1).describe('Name of the option.').optional(),
      by_index: z.int().min(0).describe('Its position, counted from 0.').optional(),
      add: z.boolean().default(false).describe('Keep what else is selected.'),
      timeout_ms: timeout(10_000),
    })
    .refine(...excludes('by_index', 'value')),
  positionals: ['ref', 'value'],
  examples: [
    { about: 'Choose from a combo box', input: { ref: '@e5', value: 'green' } },
    { about: 'The first row of a list', input: { ref: '@e8', by_index: 0 } },
    { about: 'Switch to a tab', input: { ref: '@e12' } },
    { about: 'One more row of a list that takes several', input: { ref: '@e8', value: 'Cherry', add: true } },
  ],
  run: async (ctx, { ref, value, by_index: index, add: adds, ...input }) => {
    const engine = await ctx.engine({ targets: [ref] });
    const option = index === undefined ? value : { index };
    return engine.select({ ref, option, adds, ...actOptions(ctx, input) });
  },
});
