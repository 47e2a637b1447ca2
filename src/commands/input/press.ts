import { z } from 'zod';
import { byKeys, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { parseKeyCombination } from '../../model/text/key-combination.ts';
import { Keys, actOptions, Target, TerminalChoice, timeout, windowScope } from '../../registry/define.ts';
import { inputCommand } from '../receipt-command.ts';

export default inputCommand({
  name: 'press',
  takesSeat: true,
  mcpName: 'desktop_press_key',
  guarantee: byKeys(CHANGE_SEEN),
  title: 'Press keys',
  toolsets: ['core', 'input'],
  summary: 'Press a key or a combination, where the keyboard focus is or in a window you name.',
  description:
    'A named window or element is focused first; if that fails, nothing is pressed. "confirmed" needs a visible change.',
  input: z.object({
    keys: Keys,
    ref: Target.describe('Element that receives the keys.').optional(),
    ...windowScope,
    terminal: TerminalChoice.optional(),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['keys'],
  examples: [
    { about: 'Save', input: { keys: 'ctrl+s', app: 'Mousepad' } },
    { about: 'Close a dialog', input: { keys: 'Escape' } },
    { about: 'In a terminal', input: { keys: 'ctrl+c', terminal: '@t1' } },
    { about: 'Enter in a field', input: { keys: 'Enter', ref: '@e4' } },
  ],
  run: async (ctx, { keys, ref, app, window, terminal, ...input }) => {
    const engine = await ctx.engine({ terminal, targets: [ref, window] });
    return engine.press({ keys: parseKeyCombination(keys), ref, app, window, ...actOptions(ctx, input) });
  },
});
