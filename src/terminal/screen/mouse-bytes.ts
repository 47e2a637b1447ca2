import type { TerminalModes } from '../../model/terminals/terminal-screen.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { MouseButton } from '../../ports/input.ts';

const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 0, middle: 1, right: 2 };
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;
/** The original mouse encoding adds this to every value, which may not exceed 255. */
const OLD_OFFSET = 32;
const LAST_OLD_CELL = 223;

/** A position on the screen, counted from 0. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

export type MouseAction =
  | { readonly kind: 'down' | 'up'; readonly button: MouseButton }
  | { readonly kind: 'wheel'; readonly direction: 'up' | 'down' };

/**
 * The bytes that report a mouse event to a program.
 * @throws DeskterityError ACTION_NOT_SUPPORTED if the program does not track the mouse or its encoding cannot express the position
 */
export function mouseBytes(
  action: MouseAction,
  { column, row }: Cell,
  { mouseTracking, isSgrMouse }: Pick<TerminalModes, 'mouseTracking' | 'isSgrMouse'>,
): Uint8Array {
  if (mouseTracking === 'none') throw unsupported('The program in the terminal does not track the mouse.');
  const isUp = action.kind === 'up';
  if (mouseTracking === 'x10' && action.kind !== 'down') return new Uint8Array();
  const button =
    action.kind === 'wheel' ? (action.direction === 'up' ? WHEEL_UP : WHEEL_DOWN) : BUTTONS[action.button];
  if (isSgrMouse) return Buffer.from(`\u001B[<${button};${column + 1};${row + 1}${isUp ? 'm' : 'M'}`);
  if (column >= LAST_OLD_CELL || row >= LAST_OLD_CELL)
    throw unsupported('The program in the terminal accepts mouse events only up to column and row 223.');
  // The original encoding does not report which button was released.
  const old = [isUp ? 3 : button, column + 1, row + 1].map((value) => value + OLD_OFFSET);
  return Buffer.concat([Buffer.from('\u001B[M'), Buffer.from(old)]);
}

function unsupported(message: string): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', message, {
    suggestion: 'Use its keys: arrows, Enter, Tab or the keys that it shows.',
    delivered: false,
  });
}
