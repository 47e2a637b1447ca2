import type { KeyCombination, KeyName } from '../model/text/key-combination.ts';
import type { CallOptions } from './call-options.ts';

/** A point of the screen, in physical pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const MOUSE_BUTTONS = ['left', 'middle', 'right'] as const;
export type MouseButton = (typeof MOUSE_BUTTONS)[number];

export interface TypingOptions extends CallOptions {
  /** Time between two characters; 0 means as fast as the application can follow. */
  readonly delayMs: number;
  /**
   * Called before the first character and again after every pause: between batches of characters, and after input by the user. An error ends the
   * typing and is thrown to the caller.
   */
  readonly check: () => Promise<void>;
  /** See {@link KeyOptions}. */
  readonly into?: string | undefined;
  /** Called with the number of characters (code points) sent so far. */
  readonly onTyped?: ((count: number) => void) | undefined;
}

export interface KeyOptions extends CallOptions {
  /**
   * Id of the window that must have the keyboard focus at the very moment when keys go out, where the display can tell: otherwise none are sent, and the
   * call fails with NOT_ACTIONABLE.
   */
  readonly into?: string | undefined;
}

export interface PressKeyOptions extends KeyOptions {
  /** Receives what was so when the keys were released, where the display knows. */
  readonly onReleased?: ((then: Pick<Released, 'windows'>) => void) | undefined;
}

export interface PressOptions extends CallOptions {
  /**
   * What must be under the pointer at the very moment when the button goes down, as {@link InputLease.under} told it: otherwise it does not, and the call
   * fails with NOT_ACTIONABLE.
   */
  readonly onto?: string | undefined;
}

export interface ClickOptions extends PressOptions {
  /**
   * Called while the button is down for the first time. An error ends the click and is thrown to the caller: the pointer moves away before the
   * button is released, which activates nothing that acts on release.
   */
  readonly check?: (() => Promise<void>) | undefined;
  /** Receives what was so when the button was released for the last time, where the display knows. */
  readonly onReleased?: ((then: Released) => void) | undefined;
}

export interface Released {
  /** Ids of the windows that were there at the first release: open ones, and those that were created since the pointer was aimed, or the lease began, but not shown yet. */
  readonly windows: readonly string[];
  /** By the last press, or the release of an only one, another window was under the pointer than when the button went down first. */
  readonly hasStrayed: boolean;
}

/**
 * A lease of keyboard and pointer: one session has them until it ends the lease. Keys go to the focus and clicks to whatever is under the pointer:
 * callers check both. Each call waits while the user is using keyboard or mouse, and resolves once the display has accepted the events.
 * @throws DeskterityError CONFLICT (retryable) if the user did not pause in time; CANCELLED; DISPLAY_UNAVAILABLE
 */
export interface InputLease {
  /** Presses the keys of a combination in order and releases them in reverse. */
  press(keys: KeyCombination, options: PressKeyOptions): Promise<void>;
  /** Holds a key down until {@link keyUp}, or until it is released with everything else. */
  keyDown(key: KeyName, options: KeyOptions): Promise<void>;
  keyUp(key: KeyName, options: CallOptions): Promise<void>;
  /** Any Unicode text, whatever the keyboard layout; a line feed is Enter and a tab character is Tab. */
  type(text: string, options: TypingOptions): Promise<void>;
  /** Moves the pointer, at once or in steps over `durationMs`. */
  moveTo(point: Point, options: CallOptions & { readonly durationMs?: number | undefined }): Promise<void>;
  /** The window under the pointer and its place, for {@link PressOptions}; absent where the display cannot tell. */
  under(options: CallOptions): Promise<string | undefined>;
  /** Presses and releases a button `count` times, close enough for a double or triple click even on a busy machine. */
  click(button: MouseButton, count: number, options: ClickOptions): Promise<void>;
  buttonDown(button: MouseButton, options: PressOptions): Promise<void>;
  buttonUp(button: MouseButton, options: CallOptions): Promise<void>;
  /** Turns the wheel by notches: down and right are positive. */
  wheel(notches: { readonly x: number; readonly y: number }, options: CallOptions): Promise<void>;
  /** What is held down now, in words: `Shift`, `left button`. */
  readonly held: readonly string[];
  /** When the first key or button went down under this lease, by the clock of the desktop's `userTimeMs`; absent if none did, or if the display does not report it. */
  readonly pressedAtMs: number | undefined;
  /** When the button of the last click was about to be released, if that was asked for with `onReleased`; by the same clock. */
  readonly releasedAtMs: number | undefined;
  /**
   * Ends the lease. Keys and buttons held down are released, unless `keep`: then the lease stays with this holder until nothing is held any more,
   * {@link InputPort.release} is called, or it was unused for a while. Never rejects; may be called again.
   */
  endLease(options?: { readonly keep: boolean }): Promise<void>;
}

/** Keyboard and pointer of one desktop. */
export interface InputPort {
  pointer(options: CallOptions): Promise<Point>;
  /** Whether the display reports the user's own input, which acts wait for. */
  reportsUserInput(options: CallOptions): Promise<boolean>;
  /**
   * Calls `listener` for each key and button, not for movement, that was not sent through this port, until the returned function is called: with
   * `unknown` while another process of ours has keyboard and pointer, with `lost` when no more are reported. Absent if the display does not tell.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if this display does not
   */
  watchUser?(listener: (who: 'user' | 'unknown' | 'lost') => void, options: CallOptions): Promise<() => void>;
  /**
   * Leases keyboard and pointer to `holder`. Waits while another holder has them, in any process that uses Deskterity on this desktop. Keys that a
   * dead process left down are released first. The same holder continues with what it kept held.
   * @throws DeskterityError CONFLICT (retryable) naming the other holder if time ran out; ACTION_NOT_SUPPORTED if the display accepts no
   * synthetic input; CANCELLED
   */
  take(holder: string, options: CallOptions): Promise<InputLease>;
  /** What `holder` holds down through this port, in words. Absent if only this port can hold anything. */
  heldBy?(holder: string): readonly string[];
  /** Releases what `holder`, or by default every holder, holds down through this port, and ends the lease. Resolves with what was released, in words. */
  release(holder?: string): Promise<readonly string[]>;
}

export interface StopState {
  readonly stopped: boolean;
  /** When and by whom acting was stopped: a session, or the hot key. */
  readonly since?: string | undefined;
  readonly by?: string | undefined;
  /** A person has taken over the desktop: only {@link PERSON} may use keyboard and pointer, until the person hands it back. */
  readonly takeover?: true | undefined;
}

/** The holder of keyboard and pointer that may use them while a person has taken over. */
export const PERSON = 'a person';

/** Stops all acting on a desktop, by every process that uses Deskterity there, until it is resumed. */
export interface StopSwitchPort {
  state(options: CallOptions): Promise<StopState>;
  /** Notifies {@link onStop} listeners and releases keys and buttons. Stopping twice has no further effect; a take-over becomes a stop. */
  stop(by: string, options: CallOptions): Promise<StopState>;
  resume(options: CallOptions): Promise<StopState>;
  /** Stops all acting except that of {@link PERSON}. Changes nothing if acting is stopped already. */
  takeOver(by: string, options: CallOptions): Promise<StopState>;
  /** Ends a take-over; a stop remains. */
  handBack(options: CallOptions): Promise<StopState>;
  /** Calls `listener` with each new state, whoever changed it, until the returned function is called. */
  onChange(listener: (state: StopState) => void): () => void;
  /** Calls `listener` when anyone stops acting, until the returned function is called. */
  onStop(listener: (state: StopState) => void): () => void;
  /** The hot key that stops all acting, such as `Ctrl+Alt+Shift+Escape`; absent if the display does not let us listen for it. */
  hotKey(options: CallOptions): Promise<string | undefined>;
}
