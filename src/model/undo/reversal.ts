import { z } from 'zod';
import { Bounds } from '../tree/bounds.ts';

/** A longer text is not kept. */
export const LONGEST_KEPT_TEXT = 65_536;

const KeptText = z.string().max(LONGEST_KEPT_TEXT);

/** How a window lies on the screen. */
export const WindowState = z.object({
  bounds: Bounds.optional(),
  minimized: z.boolean(),
  maximized: z.boolean(),
});
export type WindowState = z.output<typeof WindowState>;

/** What one act changed, as pure data: the state before it, to return to, and the state it left, which must still be there. */
export const Reversal = z.discriminatedUnion('kind', [
  /** Text or number of a field, cell, slider or scroll bar. */
  z.object({ kind: z.literal('value'), ref: z.string(), before: KeptText, after: KeptText }),
  /** A check box, switch, toggle button or radio button: of a group, the one that was on before, and as `other` the one that the act left on. */
  z.object({
    kind: z.literal('switch'),
    ref: z.string(),
    before: z.enum(['on', 'off']),
    other: z.string().optional(),
    /** A box beside it that went off as it went on: of the same group, or by itself. */
    partner: z.string().optional(),
  }),
  z.object({ kind: z.literal('openness'), ref: z.string(), before: z.enum(['expanded', 'collapsed']) }),
  /** What a combo box shows. */
  z.object({ kind: z.literal('choice'), ref: z.string(), before: KeptText, after: KeptText }),
  /** The option that was selected, and is not any more because of the other one. */
  z.object({
    kind: z.literal('option'),
    ref: z.string(),
    other: z.string(),
    /** The bar of tabs that do not say themselves which of them is current: it is called like that one. */
    bar: z.string().optional(),
  }),
  z.object({ kind: z.literal('window'), ref: z.string(), before: WindowState, after: WindowState }),
  /** `null` for an empty clipboard. */
  z.object({
    kind: z.literal('clipboard'),
    before: KeptText.nullable(),
    after: KeptText.nullable(),
    /** The process that wrote it held it: once it no longer does, another program has written, maybe the same text. */
    is_held: z.boolean().optional(),
  }),
]);
export type Reversal = z.output<typeof Reversal>;

/** What an act leaves behind for undoing it, or why it cannot be undone. */
export type Reversible = { readonly reversal: Reversal } | { readonly irreversible: string };

export const SECRET = 'it concerns a secret, and secrets are not kept';
export const TOO_LONG = `its text is longer than ${LONGEST_KEPT_TEXT} characters`;

/** Every text that is kept of an act. */
export function keptTexts(reversal: Reversal): string[] {
  if (!('before' in reversal) || reversal.kind === 'window') return [];
  const after = 'after' in reversal ? reversal.after : null;
  return [reversal.before, after].filter((text) => typeof text === 'string');
}
