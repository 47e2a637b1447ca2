import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { defineCommand, LARGEST_PIXEL } from '../../registry/define.ts';

const pixel = z.int().min(-LARGEST_PIXEL).max(LARGEST_PIXEL).optional();

export default defineCommand({
  name: 'pinch',
  group: 'input',
  kind: 'input',
  // A tool that is never of use would cost every client its place in the list.
  surfaces: ['cli', 'library'],
  summary: 'Zoom with two fingers; always refused on X11, which has no synthetic touch.',
  description:
    'The XTEST extension makes keys, buttons and pointer movements, and no touches. The answer is ACTION_NOT_SUPPORTED with what to do instead; nothing is ever sent.',
  input: z.object({
    scale: z.number().positive().describe('Factor of the size: 1.5 for half as large again, 0.5 for half.'),
    center_x: pixel.describe('Middle of the gesture on the screen, in pixels.'),
    center_y: pixel.describe('Middle of the gesture on the screen, in pixels.'),
  }),
  positionals: ['scale'],
  output: z.object({}),
  examples: [
    { about: 'Ask for twice the size, and learn what to do instead', input: { scale: 2 } },
    { about: 'The same around a point', input: { scale: 0.5, center_x: 400, center_y: 300 } },
  ],
  run: async (_ctx, { scale }) => {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      'Touch gestures cannot be made on X11: its XTEST extension has keys, buttons and pointer movements only.',
      {
        suggestion: `Hold Control and turn the wheel, as most applications zoom by: "desk key-down Control", "desk mouse wheel", "desk key-up Control"; or press the zoom keys of the application: "desk press ${scale < 1 ? 'Control+-' : 'Control++'}".`,
        delivered: false,
      },
    );
  },
});
