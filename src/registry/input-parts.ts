import { z } from 'zod';
import { DeskterityError } from '../model/effects/errors.ts';
import { parseKey, parseKeyCombination } from '../model/text/key-combination.ts';
import { MOUSE_BUTTONS } from '../ports/input.ts';

export { PIXELS_PER_NOTCH, SCROLL_DIRECTIONS } from '../model/tree/scroll.ts';

/** Keys joined by plus signs. */
export const Keys = keyText(parseKeyCombination).describe(
  'Such as ctrl+shift+s, alt+F4, Enter, a. Modifiers: ctrl, shift, alt, altgr, super.',
);

/** One key. */
export const KeyChoice = keyText(parseKey).describe('A key: Shift, ctrl, F5, Enter, a.');

export const ButtonChoice = z.enum(MOUSE_BUTTONS).default('left').describe('Mouse button.');

/** Largest coordinate or size of a screen, in pixels. */
export const LARGEST_PIXEL = 32_767;

/** A coordinate on the screen, or a distance. */
export const Pixel = z.int().min(-LARGEST_PIXEL).max(LARGEST_PIXEL).describe('Physical screen pixels.');

/** The answer of `stop` and `resume`. */
export const StopReport = z.object({
  stopped: z.boolean().describe('Whether acting on this desktop is stopped.'),
  since: z.string().optional().describe('When it was stopped.'),
  by: z.string().optional().describe('The session or hot-key that stopped it.'),
  takeover: z
    .literal(true)
    .optional()
    .describe('A person has taken over and will hand the desktop back; only then can acts continue.'),
});

export function outlineStop({ stopped, since, by, takeover }: z.output<typeof StopReport>): string {
  if (!stopped) return 'acting is allowed';
  if (takeover === true)
    return `a person has taken over this desktop${since === undefined ? '' : ` since ${since}`}`;
  return `acting is stopped${since === undefined ? '' : ` since ${since}`}${by === undefined ? '' : ` by ${by}`}`;
}

/** A text that `parse` accepts; its error message is shown to the caller. */
function keyText(parse: (text: string) => unknown) {
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      try {
        parse(text);
      } catch (error) {
        if (!(error instanceof DeskterityError)) throw error;
        const suggestion = error.suggestion;
        context.addIssue({
          code: 'custom',
          message: error.message.replace(/\.$/, ''),
          params: { suggestion },
        });
      }
    });
}
