import { z } from 'zod';
import { byAnyStrategy, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { actOptions } from '../../registry/define.ts';
import { ElementInput } from '../element-command.ts';
import { interactionCommand } from '../receipt-command.ts';

export default interactionCommand({
  name: 'toggle',
  guarantee: byAnyStrategy(STATE_READ_AGAIN),
  toolsets: ['core'],
  summary: 'Toggle a check box, switch, toggle button or check item, or bring it into a state.',
  description:
    'Give the state, or read it first. A state that it has already is left alone, as is a radio button that is on; if nothing changes otherwise, the call fails.',
  input: ElementInput.extend({
    to: z.enum(['on', 'off']).optional().describe('The state it is to have.'),
  }),
  positionals: ['ref'],
  examples: [
    { about: 'Toggle a check box', input: { ref: '@e5' } },
    { about: 'Make sure that it is checked', input: { ref: '@e5', to: 'on' } },
    { about: 'Give a slow application more time', input: { ref: '@e5', timeout_ms: 30_000 } },
  ],
  run: async (ctx, input) => {
    const engine = await ctx.engine({ targets: [input.ref] });
    return engine.act({ act: 'toggle', ref: input.ref, to: input.to, ...actOptions(ctx, input) });
  },
});
