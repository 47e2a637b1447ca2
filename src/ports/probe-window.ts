import type { Bounds } from '../model/tree/bounds.ts';
import type { NodeHandle } from '../model/tree/node.ts';
import type { ClipboardPort } from './clipboard.ts';
import type { CallOptions } from './call-options.ts';
import type { MouseButton } from './input.ts';

/** The probe's window and the elements in it. */
export const PROBE_ELEMENTS = ['window', 'button', 'textbox', 'slider', 'checkbox'] as const;
export type ProbeElement = (typeof PROBE_ELEMENTS)[number];

/** Input that reached the probe. */
export type ProbeEvent =
  /** The default action of its button, through accessibility. */
  | { readonly kind: 'pressed' }
  /** `means`: the character or the name of the key; empty if unknown. */
  | { readonly kind: 'key'; readonly isDown: boolean; readonly means: string }
  /** Positions are in screen pixels. */
  | { readonly kind: 'motion'; readonly x: number; readonly y: number }
  | {
      readonly kind: 'button';
      readonly isDown: boolean;
      readonly button: MouseButton | undefined;
      readonly x: number;
      readonly y: number;
    };

/**
 * A window of our own with an accessibility tree, which records all input that reaches it; for trials of the desktop. To the rest of the program
 * it is an application like any other. It ends with {@link close} or with this process.
 */
export interface ProbeWindow {
  /** Unique. */
  readonly title: string;
  /** Its id in the list of windows. */
  readonly windowId: string;
  readonly elements: Readonly<Record<ProbeElement, NodeHandle>>;
  /** The background colour of its window, 0–255 each. */
  readonly colour: { readonly red: number; readonly green: number; readonly blue: number };
  /** What to do on this platform if the picture of a covered window shows the window above it, or if the user's own input is not reported. */
  readonly remedies: { readonly coveredPicture: string; readonly unreportedInput: string };
  /** A separate clipboard that works like the desktop's and never contains the user's data. */
  readonly clipboard: ClipboardPort;
  /** The values of its text field and its slider. */
  readonly content: { readonly text: string; readonly level: number };
  readonly record: readonly ProbeEvent[];
  /** Resolves with true once the record matches, with false when time is up or the probe has closed. */
  until(isWanted: (record: readonly ProbeEvent[]) => boolean, options: CallOptions): Promise<boolean>;
  /** Toggles its checkbox and sends the event. */
  toggle(): void;
  /** Screen position of its content, according to the probe's own connection. */
  bounds(options: CallOptions): Promise<Bounds>;
  /** Whether it has the keyboard focus. */
  hasKeyboard(options: CallOptions): Promise<boolean>;
  /** Covers it with something dark until the returned function is called. */
  cover(options: CallOptions): Promise<() => Promise<void>>;
  /** Never rejects; may be called again. */
  close(): Promise<void>;
}
