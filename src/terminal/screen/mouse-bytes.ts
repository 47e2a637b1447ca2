import type { TerminalModes } from '../../model/terminals/terminal-screen.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { MouseButton } from '../../ports/input.ts';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 0, middle: 1, right: 2 };
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
/** The old form of mouse events adds so much to everything and ends at 255. */
const OLD_OFFSET = 32;
const LAST_OLD_CELL = 223;

/** A place on the screen, counted from 0. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

export type MouseAction =
  | { readonly kind: 'down' | 'up'; readonly button: MouseButton }
  | { readonly kind: 'wheel'; readonly direction: 'up' | 'down' };

/**
 * What a terminal tells a program that follows the mouse.
 * @throws DeskterityError ACTION_NOT_SUPPORTED when the program does not, or cannot be told of this place
 */
export function mouseBytes(
  action: MouseAction,
  { column, row }: Cell,
  { mouseTracking, isSgrMouse }: Pick<TerminalModes, 'mouseTracking' | 'isSgrMouse'>,
): Uint8Array {
  if (mouseTracking === 'none') throw unsupported('The program in the terminal does not follow the mouse.');
  const isUp = action.kind === 'up';
  if (mouseTracking === 'x10' && action.kind !== 'down') return new Uint8Array();
  const button =
    action.kind === 'wheel' ? (action.direction === 'up' ? WHEEL_UP : WHEEL_DOWN) : BUTTONS[action.button];
  if (isSgrMouse) return Buffer.from(`\u001B[<${button};${column + 1};${row + 1}${isUp ? 'm' : 'M'}`);
  if (column >= LAST_OLD_CELL || row >= LAST_OLD_CELL)
    throw unsupported('The program in the terminal takes no mouse events so far to the right or below.');
  // The old form does not say which button went up.
  const old = [isUp ? 3 : button, column + 1, row + 1].map((value) => value + OLD_OFFSET);
  return Buffer.concat([Buffer.from('\u001B[M'), Buffer.from(old)]);
}

function unsupported(message: string): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', message, {
    suggestion: 'Use its keys: arrows, Enter, Tab or those that it shows.',
    delivered: false,
  });
}
