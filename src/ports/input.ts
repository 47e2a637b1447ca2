import type { KeyCombination, KeyName } from '../model/text/key-combination.ts';
import type { CallOptions } from './call-options.ts';

/** A place on the screen, in physical pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const MOUSE_BUTTONS = ['left', 'middle', 'right'] as const;
export type MouseButton = (typeof MOUSE_BUTTONS)[number];

export interface TypingOptions extends CallOptions {
  /** Time between two characters; 0 for as fast as the application can follow. */
  readonly delayMs: number;
  /**
   * Asked before the first character and again after every pause: between batches of characters, and when the user's own hands have been
   * active. What it throws ends the typing and is what the caller gets.
   */
  readonly check: () => Promise<void>;
  /** Told how many characters (code points) have been sent so far. */
  readonly onTyped?: ((count: number) => void) | undefined;
}

export interface ClickOptions extends CallOptions {
  /**
   * Asked while the button is down for the first time. What it throws ends the click and is what the caller gets: the pointer is taken away
   * before the button is let go, which presses nothing that acts on being let go.
   */
  readonly check?: (() => Promise<void>) | undefined;
}

/**
 * A lease of keyboard and pointer: one session has them until it gives them back. Whatever has the focus gets the keys and whatever lies under the pointer gets the
 * clicks: callers make sure of both. Each call waits while the user's own hands are active, and resolves when the display has taken the
 * events.
 * @throws DeskterityError CONFLICT (retryable) when the user did not pause in time; CANCELLED; DISPLAY_UNAVAILABLE
 */
export interface InputLease {
  /** Presses the keys of a combination in order and releases them in reverse. */
  press(keys: KeyCombination, options: CallOptions): Promise<void>;
  /** Holds a key down until {@link keyUp}, or until it is released with everything else. */
  keyDown(key: KeyName, options: CallOptions): Promise<void>;
  keyUp(key: KeyName, options: CallOptions): Promise<void>;
  /** Any Unicode text, whatever the keyboard layout; a line feed is Enter and a tabulator is Tab. */
  type(text: string, options: TypingOptions): Promise<void>;
  /** Moves the pointer, at once or in steps over `durationMs`. */
  moveTo(point: Point, options: CallOptions & { readonly durationMs?: number | undefined }): Promise<void>;
  /** Presses and releases a button so many times, close enough together to be one double or triple click on a busy machine too. */
  click(button: MouseButton, count: number, options: ClickOptions): Promise<void>;
  buttonDown(button: MouseButton, options: CallOptions): Promise<void>;
  buttonUp(button: MouseButton, options: CallOptions): Promise<void>;
  /** Turns the wheel by notches: down and right are positive. */
  wheel(notches: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void>;
  /** What is held down now, in words: `Shift`, `left button`. */
  readonly held: readonly string[];
  /** When the first key or button went down under this lease, by the clock of the desktop's `userTimeMs`; absent when none did, or the display does not say. */
  readonly pressedAtMs: number | undefined;
  /**
   * Gives keyboard and pointer back. What is held down is released, unless `keep`: then they stay this holder's until nothing is held any more,
   * or {@link InputPort.release} is called, or nobody used them for a while. Never rejects; may be called again.
   */
  giveBack(options?: { readonly keep: boolean }): Promise<void>;
}

/** Keyboard and pointer of one desktop. */
export interface InputPort {
  pointer(options: CallOptions): Promise<Point>;
  /** Whether the display tells of the user's own hands, which are waited for. */
  seesUser(options: CallOptions): Promise<boolean>;
  /**
   * Keyboard and pointer for `holder` alone. Waits while another holder has them, in this process or in any other that uses Deskterity on this
   * desktop. What a process that died left held is released first. The same holder gets back what it kept held.
   * @throws DeskterityError CONFLICT (retryable) naming who has them, when time ran out; ACTION_NOT_SUPPORTED where the display takes no
   * synthetic input; CANCELLED
   */
  take(holder: string, options: CallOptions): Promise<InputLease>;
  /** Releases what `holder`, or anybody, holds down through this port, and ends its lease. Answers what was released, in words. */
  release(holder?: string): Promise<readonly string[]>;
}

export interface StopState {
  readonly stopped: boolean;
  /** When and by whom acting was stopped: a session, or the hot-key. */
  readonly since?: string | undefined;
  readonly by?: string | undefined;
}

/** Ends all acting on a desktop, by every process that uses Deskterity there, until it is allowed again. */
export interface StopSwitchPort {
  state(options: CallOptions): Promise<StopState>;
  /** Who acts now is told through {@link onStop}, and what is held down is released. Stopping twice changes nothing. */
  stop(by: string, options: CallOptions): Promise<StopState>;
  resume(options: CallOptions): Promise<StopState>;
  /** Calls `listener` when acting is stopped, by anybody, until the returned function is called. */
  onStop(listener: (state: StopState) => void): () => void;
  /** The keys that stop all acting, where the display lets us listen for them, such as `Ctrl+Alt+Shift+Escape`. */
  hotKey(options: CallOptions): Promise<string | undefined>;
}
