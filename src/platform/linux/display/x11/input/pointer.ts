import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { MouseButton, Point } from '../../../../../ports/input.ts';
import type { X11Wire } from '../wire.ts';
import type { FakeInput } from './fake-input.ts';
import type { LeaseTools } from './active-lease.ts';

export const BUTTON_NUMBERS: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
const STEP_MS = 10;
/** Of all motion between two frames, applications may notice only the last. */
const FRAME_MS = 30;
/** Positions in the X11 protocol have 16 bits. */
const FURTHEST = 32_767;
/** Programs that poll the mouse, as games do, would miss a shorter press. */
export const HOLD_MS = 10;
/**
 * A quick hand. On a busy machine, lists of GTK 4 lose one in seven clicks of 10 ms; and a menu that the first press of a double click opened
 * closes with the second only if it had the pointer by then.
 */
export const FIRST_PRESS_MS = 60;
const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;
/** Notches between two checks whether to continue. */
const NOTCHES_AT_ONCE = 10;

export async function readPointer(wire: X11Wire): Promise<Point> {
  const { rootX, rootY } = await wire.call('QueryPointer', wire.root);
  return { x: rootX, y: rootY };
}

/** Moves in a straight line at constant speed. Returns the resulting position, which is limited to the screen. */
export async function movePointer(
  wire: X11Wire,
  to: Point,
  durationMs: number,
  { fake, signal, untilUserIdle }: LeaseTools,
): Promise<Point> {
  const from = await readPointer(wire);
  const steps = Math.max(1, Math.floor(durationMs / STEP_MS));
  if (from.x === to.x && from.y === to.y) {
    // GTK 4 learns from motion what is under the pointer, and loses a press that comes without any after a popup closed there.
    fake.motion(to.x > 0 ? to.x - 1 : to.x + 1, to.y);
    await sleep(FRAME_MS, undefined, { signal });
    await untilUserIdle();
  }
  for (let step = 1; step <= steps; step++) {
    if (step > 1) {
      await sleep(durationMs / steps, undefined, { signal });
      await untilUserIdle();
    }
    signal.throwIfAborted();
    const part = step / steps;
    fake.motion(place(from.x + (to.x - from.x) * part), place(from.y + (to.y - from.y) * part));
  }
  return readPointer(wire);
}

/**
 * Sends everything after the first press at once, which has lasted long enough by then: the display does the timing, so that load on the machine
 * cannot split the rest of a double click. There is no pause between presses: GTK 4 loses one in eight presses that arrive 30 ms after a click, in the
 * frame that shows its effect.
 *
 * @param options.beforeLast may send a request just before the last press, or before the release of an only one: toolkits act on either
 */
export function finishClick(
  fake: Pick<FakeInput, 'button'>,
  button: number,
  count: number,
  { beforeLast }: { readonly beforeLast?: () => void } = {},
): void {
  if (count === 1) beforeLast?.();
  fake.button(button, false);
  for (let press = 2; press <= count; press++) {
    if (press === count) beforeLast?.();
    fake.button(button, true);
    fake.button(button, false, HOLD_MS);
  }
}

export async function turnWheel(
  { x, y }: { readonly x: number; readonly y: number },
  { fake, signal, untilUserIdle }: LeaseTools,
): Promise<void> {
  const notches = [
    ...notchesOf(y < 0 ? WHEEL.up : WHEEL.down, y),
    ...notchesOf(x < 0 ? WHEEL.left : WHEEL.right, x),
  ];
  for (const [index, button] of notches.entries()) {
    if (index % NOTCHES_AT_ONCE === 0 && index > 0) {
      await fake.sync();
      await untilUserIdle();
    }
    signal.throwIfAborted();
    fake.button(button, true);
    fake.button(button, false);
  }
}

/** If the pointer was moved meanwhile, the button would click something else. */
export function requireInPlace(expected: Point | undefined, found: Point): void {
  if (expected === undefined || (expected.x === found.x && expected.y === found.y)) return;
  throw new DeskterityError('CONFLICT', 'The pointer was moved before the button was pressed.', {
    suggestion: 'Repeat the command when the pointer is not being moved.',
    retryable: true,
    delivered: false,
  });
}

const MAX_NOTCHES = 1000;

function notchesOf(button: number, count: number): number[] {
  return Array.from({ length: Math.min(MAX_NOTCHES, Math.round(Math.abs(count))) }, () => button);
}

function place(value: number): number {
  return Math.min(FURTHEST, Math.max(0, Math.round(value)));
}
