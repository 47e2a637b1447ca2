import { DeskterityError } from '../../model/effects/errors.ts';
import { overlay } from '../../model/overlay.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { InputLease, InputPort, Point, PressOptions } from '../../ports/input.ts';
import type { ApplicationGuard } from './application-guard.ts';

const RELEASE_MS = 2000;

/** Where the left button went down that is held; its holder may keep it over several leases. */
interface Drag {
  from: Point | undefined;
}

/** Keyboard and pointer that send nothing to denied applications. Releasing is always possible. */
export function guardedInput({ input }: DesktopPort, guard: ApplicationGuard): InputPort {
  const drag: Drag = { from: undefined };
  return overlay<InputPort, 'pointer' | 'reportsUserInput' | 'watchUser' | 'heldBy' | 'release'>(
    input,
    ['pointer', 'reportsUserInput', 'watchUser', 'heldBy', 'release'],
    { take: async (holder, options) => guardedLease(await input.take(holder, options), input, guard, drag) },
  );
}

const FREE = ['keyUp', 'under', 'held', 'pressedAtMs', 'releasedAtMs'] as const;

function guardedLease(lease: InputLease, input: InputPort, guard: ApplicationGuard, drag: Drag): InputLease {
  let hasSent = false;
  /** What is refused after something was sent has delivered that, and nobody is asked in order to repeat it. */
  const refused = (error: unknown): never => {
    throw hasSent && error instanceof DeskterityError ? error.with({ delivered: true }) : error;
  };
  const requireFocus = (options: CallOptions): Promise<void> => guard.requireFocus(options).catch(refused);
  const requirePoint = (point: Point, options: CallOptions): Promise<void> =>
    guard.requirePoint(point, options).catch(refused);
  const requirePointer = async (options: CallOptions): Promise<void> =>
    requirePoint(await input.pointer(options), options);
  /** Pressed or turned: moving the pointer alone delivers nothing. */
  const sending = async <T>(sent: Promise<T>): Promise<T> => {
    hasSent = true;
    return sent;
  };
  /** What is allowed must still be there when the button goes down. */
  const onto = async (options: PressOptions): Promise<string | undefined> => {
    const under = options.onto ?? (await lease.under(options));
    await requirePointer(options);
    return under;
  };
  /** What is dragged is taken back to where it came from rather than dropped on a denied application. */
  const takeBack = async (options: CallOptions): Promise<void> => {
    if (drag.from !== undefined) await lease.moveTo(drag.from, options).catch(() => undefined);
  };
  const isDragging = () => drag.from !== undefined && lease.held.includes('left button');
  return overlay<InputLease, (typeof FREE)[number]>(lease, FREE, {
    press: async (keys, options) => {
      await requireFocus(options);
      await sending(lease.press(keys, options));
    },
    keyDown: async (key, options) => {
      await requireFocus(options);
      await sending(lease.keyDown(key, options));
    },
    type: async (text, options) => {
      const check = async (): Promise<void> => {
        await options.check();
        await requireFocus(options);
      };
      await lease.type(text, { ...options, check });
      hasSent = true;
    },
    moveTo: async (point, options) => {
      await requirePoint(point, options);
      await lease.moveTo(point, options);
    },
    click: async (button, count, options) => {
      const under = await onto(options);
      return sending(lease.click(button, count, { ...options, onto: under }));
    },
    buttonDown: async (button, options) => {
      const under = await onto(options);
      if (button === 'left') drag.from = await input.pointer(options);
      await sending(lease.buttonDown(button, { ...options, onto: under }));
    },
    buttonUp: async (button, options) => {
      const refusal = isDragging()
        ? await requirePointer(options).then(
            () => undefined,
            (error: unknown) => ({ error }),
          )
        : undefined;
      if (refusal !== undefined) await takeBack(options);
      if (button === 'left') drag.from = undefined;
      await sending(lease.buttonUp(button, options));
      if (refusal !== undefined) refused(refusal.error);
    },
    wheel: async (notches, options) => {
      await requirePointer(options);
      await sending(lease.wheel(notches, options));
    },
    endLease: async (options) => {
      if (options?.keep !== true && isDragging()) {
        const soon = { deadlineMs: RELEASE_MS };
        await requirePointer(soon).catch(() => takeBack(soon));
        drag.from = undefined;
      }
      await lease.endLease(options);
    },
  });
}
