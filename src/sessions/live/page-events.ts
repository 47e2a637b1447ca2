import { z } from 'zod';
import { MOUSE_BUTTONS } from '../../ports/input.ts';

const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'] as const;
export type Modifier = (typeof MODIFIERS)[number];

/** A place in the picture, as a share of its width or height: pages show it in any size. */
const Share = z.number().min(0).max(1);
const at = { x: Share, y: Share };
/** The modifiers that are down, in each event: a lost event cannot leave one down. */
const mods = z.array(z.enum(MODIFIERS)).max(MODIFIERS.length).default([]);
const Button = z.enum(MOUSE_BUTTONS);
const Notches = z.int().min(-30).max(30);

/** What a person does in the page with pointer and keyboard. */
export const InputEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('move'), ...at, mods }),
  z.strictObject({ type: z.literal('down'), ...at, button: Button, mods }),
  z.strictObject({ type: z.literal('up'), ...at, button: Button, mods }),
  z.strictObject({ type: z.literal('wheel'), ...at, across: Notches, down: Notches, mods }),
  /** A key without a character, a character together with a modifier, or a modifier alone. */
  z.strictObject({ type: z.literal('key'), key: z.string().min(1).max(32), mods }),
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(4000) }),
  /** The page lost the focus: nothing is held any more. */
  z.strictObject({ type: z.literal('release') }),
]);
export type InputEvent = z.output<typeof InputEvent>;

/** What a page sends. */
export const PageMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('seen'), number: z.int().nonnegative() }),
  z.strictObject({ type: z.literal('take-over') }),
  z.strictObject({ type: z.literal('hand-back') }),
  z.strictObject({ type: z.literal('input'), events: z.array(InputEvent).max(200) }),
]);
export type PageMessage = z.output<typeof PageMessage>;

/** The pixel of the screen at a place of the picture. */
export function pixelAt(
  { x, y }: { readonly x: number; readonly y: number },
  { width, height }: { readonly width: number; readonly height: number },
): { x: number; y: number } {
  return {
    x: Math.min(width - 1, Math.max(0, Math.floor(x * width))),
    y: Math.min(height - 1, Math.max(0, Math.floor(y * height))),
  };
}
