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
  return overlay<InputPort, 'pointer' | 'reportsUserInput' | 'watchUser' | 'release'>(
    input,
    ['pointer', 'reportsUserInput', 'watchUser', 'release'],
    { take: async (holder, options) => guardedLease(await input.take(holder, options), input, guard, drag) },
  );
}

const FREE = ['keyUp', 'under', 'held', 'pressedAtMs', 'releasedAtMs'] as const;

function guardedLease(lease: InputLease, input: InputPort, guard: ApplicationGuard, drag: Drag): InputLease {
  const requirePointer = async (options: CallOptions): Promise<void> =>
    guard.requirePoint(await input.pointer(options), options);
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
      await guard.requireFocus(options);
      await lease.press(keys, options);
    },
    keyDown: async (key, options) => {
      await guard.requireFocus(options);
      await lease.keyDown(key, options);
    },
    type: async (text, options) => {
      const check = async (): Promise<void> => {
        await options.check();
        await guard.requireFocus(options);
      };
      await lease.type(text, { ...options, check });
    },
    moveTo: async (point, options) => {
      await guard.requirePoint(point, options);
      await lease.moveTo(point, options);
    },
    click: async (button, count, options) =>
      lease.click(button, count, { ...options, onto: await onto(options) }),
    buttonDown: async (button, options) => {
      const under = await onto(options);
      if (button === 'left') drag.from = await input.pointer(options);
      await lease.buttonDown(button, { ...options, onto: under });
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
      await lease.buttonUp(button, options);
      if (refusal !== undefined) throw refusal.error;
    },
    wheel: async (notches, options) => {
      await requirePointer(options);
      await lease.wheel(notches, options);
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
