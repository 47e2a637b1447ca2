import type { Bounds } from '../model/tree/bounds.ts';
import type { NodeHandle } from '../model/tree/node.ts';
import type { ClipboardPort } from './clipboard.ts';
import type { CallOptions } from './call-options.ts';
import type { MouseButton } from './input.ts';

/** What the probe shows: its window, and what is in it. */
export const PROBE_ELEMENTS = ['window', 'button', 'textbox', 'slider', 'checkbox'] as const;
export type ProbeElement = (typeof PROBE_ELEMENTS)[number];

/** Something that reached the probe. */
export type ProbeEvent =
  /** The default action of its button, through accessibility. */
  | { readonly kind: 'pressed' }
  /** `means`: the character the key stands for, or the name of the key; empty where neither is known. */
  | { readonly kind: 'key'; readonly isDown: boolean; readonly means: string }
  /** Places are those of the screen, in pixels. */
  | { readonly kind: 'motion'; readonly x: number; readonly y: number }
  | {
      readonly kind: 'button';
      readonly isDown: boolean;
      readonly button: MouseButton | undefined;
      readonly x: number;
      readonly y: number;
    };

/**
 * A window of our own with a tree of its own, which writes down all that reaches it: what the desktop is tried on. It is an application like
 * any other to the rest of the program, and is gone with {@link close} or with this process.
 */
export interface ProbeWindow {
  /** No other window has it. */
  readonly title: string;
  /** As the desktop lists it. */
  readonly windowId: string;
  readonly elements: Readonly<Record<ProbeElement, NodeHandle>>;
  /** What its window is painted with, 0–255 each. */
  readonly colour: { readonly red: number; readonly green: number; readonly blue: number };
  /** What to do, on this platform, where the picture of a covered window shows what covers it, or nobody tells of the user's own hands. */
  readonly remedies: { readonly coveredPicture: string; readonly unseenUser: string };
  /** A clipboard of the same making as the desktop's, on which nothing of the user's can be. */
  readonly clipboard: ClipboardPort;
  /** What its text field and its slider hold. */
  readonly content: { readonly text: string; readonly level: number };
  readonly record: readonly ProbeEvent[];
  /** Resolves with true once the record is as wanted, with false when time is up or the probe is gone. */
  until(isWanted: (record: readonly ProbeEvent[]) => boolean, options: CallOptions): Promise<boolean>;
  /** Ticks its own checkbox, or takes the tick away, and tells whoever listens. */
  toggle(): void;
  /** Where its content is on the screen, as the probe's own connection says. */
  bounds(options: CallOptions): Promise<Bounds>;
  /** Whether keys go to it. */
  hasKeyboard(options: CallOptions): Promise<boolean>;
  /** Covers it with something dark until the returned function is called. */
  cover(options: CallOptions): Promise<() => Promise<void>>;
  /** Never rejects; may be called again. */
  close(): Promise<void>;
}
