import { z } from 'zod';
import { byText } from '../../model/effects/guarantees.ts';
import { actTarget, actOptions, flag, timeout } from '../../registry/define.ts';
import { interactionCommand } from '../receipt-command.ts';

export default interactionCommand({
  name: 'set-value',
  guarantee: {
    ...byText('for sliders, which are refused'),
    pointer: {
      refused: 'only check boxes, switches and radio buttons are clicked, as when they are toggled',
    },
  },
  title: 'Set a value',
  toolsets: ['core'],
  idempotent: true,
  summary:
    'Set the value of a field, slider, spin button or check box: through accessibility, else with the keyboard.',
  description: 'Replaces the old value; an empty value clears a field. "confirmed": it was read back.',
  input: z.object({
    ...actTarget,
    value: z.string().describe('Text, a number, or for a check box on or off.'),
    clear_first: flag('No effect.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['ref', 'value'],
  secret: 'value',
  examples: [
    { about: 'Fill in a field', input: { ref: '@e4', value: 'Ada Lovelace' } },
    { about: 'Move a slider', input: { ref: '@e6', value: '-5' } },
    { about: 'Check a check box', input: { ref: '@e5', value: 'on' } },
    { about: 'Clear a field', input: { ref: '@e4', value: '' } },
  ],
  run: async (ctx, input) => {
    const engine = await ctx.engine({ targets: [input.ref] });
    return engine.setValue({
      ref: input.ref,
      value: input.value,
      withheld: ctx.secrets?.includes(input.value) === true,
      ...actOptions(ctx, input),
    });
  },
});
