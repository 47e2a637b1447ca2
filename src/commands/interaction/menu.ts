import { z } from 'zod';
import { CHANGE_SEEN, onElements } from '../../model/effects/guarantees.ts';
import { settledCall, timeout, windowScope } from '../../registry/define.ts';
import { interactionCommand } from '../receipt-command.ts';

const LONGEST_PATH = 500;

export default interactionCommand({
  name: 'menu',
  guarantee: onElements({
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: CHANGE_SEEN,
      except:
        'for menus that fill only when opened: while such a menu is open, it takes a click or key of the user',
    },
    keyboard: { refused: 'press the keyboard shortcut of the item instead' },
    pointer: { refused: 'click the menus one by one instead' },
  }),
  title: 'Run a menu item',
  toolsets: ['windows'],
  summary: 'Run a menu item by its path, without opening the menu if the toolkit allows that.',
  description:
    'A name that contains "/" or ">" is found as it is; if a path can be read in two ways, write " > " between the names, and \\> or \\/ for a sign that is part of a name. Names are compared without mnemonics, accelerators, trailing dots and case; if a name is not found, the error lists the items of that level as candidates. Menus that fill only when opened are opened. ' +
    'GTK 4.8 menu bars open only with keyboard or pointer, so they are refused; a path may begin with a menu button of GTK 4 instead.',
  input: z.object({
    path: z
      .string()
      .max(LONGEST_PATH)
      .refine((path) => segments(path).every((name) => name !== ''), { error: 'contains an empty name' })
      .describe('Names of the menu, any submenus and the item, with " > " or "/" between them.'),
    ...windowScope,
    timeout_ms: timeout(10_000),
  }),
  positionals: ['path'],
  examples: [
    { about: 'Save under another name', input: { path: 'File > Save As…', app: 'mousepad' } },
    { about: 'An item of a submenu', input: { path: 'View/Zoom/In' } },
  ],
  run: async (ctx, { path, app, window, ...input }) => {
    const engine = await ctx.engine({ targets: [window] });
    return engine.menu({ path: segments(path), app, window, ...settledCall(ctx, input) });
  },
});

function segments(path: string): string[] {
  return path.split(/\s>\s/).map((name) => name.trim());
}
