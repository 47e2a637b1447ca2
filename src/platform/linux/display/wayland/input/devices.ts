import type { KeyName } from '../../../../../model/text/key-combination.ts';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../ports/input.ts';

export interface FocusedWindow {
  readonly id: string;
  /** Its process, if that is known. */
  readonly pid: number | undefined;
}

/** A virtual keyboard and pointer, as a family of compositors offers them. They live as long as their connection. */
export interface InputDevices {
  /** What our own events hold down, in order of pressing, in words. */
  readonly held: readonly string[];
  /** Where we last put the pointer, or where {@link findPointer} found it. */
  readonly pointer: Point | undefined;
  /** Asks where the pointer is; absent where nothing tells. */
  findPointer?(options: CallOptions): Promise<void>;
  /** Resolves when applications had time to learn of the devices: earlier events would be lost. */
  readonly ready: Promise<void>;
  /** Goes there, or to the nearest point of the screens. */
  moveTo(point: Point): Promise<void>;
  button(button: MouseButton, isDown: boolean): void;
  /** One notch; down and right are positive. */
  notch(axis: 'x' | 'y', direction: 1 | -1): void;
  /** Whether a key exists only once it is provided. */
  isSpare(key: KeyName): boolean;
  /** How many different ones can be provided at once. */
  readonly mostProvided: number;
  /** @throws DeskterityError ACTION_NOT_SUPPORTED if one of the keys can never be had; absent where all can */
  requireKeys?(keys: readonly KeyName[]): void;
  /** Makes keys for what has none; needed before they are pressed. @throws as {@link requireKeys} does */
  provide(keys: readonly KeyName[]): void;
  key(key: KeyName, isDown: boolean): void;
  /** Releases what is not in `keep`. */
  releaseExcept(keep: readonly string[]): void;
  /** Releases what a process that was killed left down; nobody else may hold anything. */
  releaseLeftOver(): void;
  /** The window that receives keys; absent if it cannot be told. */
  focusedWindow(options: CallOptions): Promise<FocusedWindow | undefined>;
  /** As `UnreadEvents` tells. */
  unreadBytes(pid: number): number | undefined;
  /** Ids of the windows that are open. */
  openWindows(options: CallOptions): Promise<readonly string[]>;
  /** The window at a point and its place, in words that differ if either does. */
  windowAt(point: Point, options: CallOptions): Promise<string>;
  /** Resolves when the compositor has processed everything that was sent. */
  synced(): Promise<void>;
  /** Calls `listener` once when they are lost, until the returned function is called. */
  onLoss(listener: (reason: DeskterityError) => void): () => void;
  readonly isLost: boolean;
  close(): void;
}

export type OpenDevices = (options: CallOptions) => Promise<InputDevices>;
