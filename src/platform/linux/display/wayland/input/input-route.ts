import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { MouseButton, Point } from '../../../../../ports/input.ts';

/** Buttons as the kernel numbers them. */
export const BUTTON_CODES: Readonly<Record<MouseButton, number>> = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
};

/** One way in which a compositor takes keys and the pointer. */
export interface InputRoute {
  /** Which of the layouts of the keymap is active; `undefined` if this way does not tell. */
  readonly layout: number | undefined;
  readonly isLost: boolean;
  moveTo(point: Point): void;
  button(button: MouseButton, isDown: boolean): void;
  /** One notch; down and right are positive. */
  notch(axis: 'x' | 'y', direction: 1 | -1): void;
  /** @param code of the kernel */
  key(code: number, isDown: boolean): void;
  /** Resolves when the compositor has taken everything that was sent. @throws DeskterityError if it refused any of it */
  synced(): Promise<void>;
  onLoss(listener: (reason: DeskterityError) => void): () => void;
  close(): void;
}
