import { overlay } from '../model/overlay.ts';
import type { InputLease, InputPort } from '../ports/input.ts';
import type { ApplicationGuard } from './application-guard.ts';

/** Keyboard and pointer that send nothing to denied applications. Releasing is always possible. */
export function guardedInput(input: InputPort, guard: ApplicationGuard): InputPort {
  return overlay<InputPort, 'pointer' | 'reportsUserInput' | 'watchUser' | 'release'>(
    input,
    ['pointer', 'reportsUserInput', 'watchUser', 'release'],
    { take: async (holder, options) => guardedLease(await input.take(holder, options), input, guard) },
  );
}

type Free = 'keyUp' | 'buttonUp' | 'under' | 'held' | 'pressedAtMs' | 'releasedAtMs' | 'endLease';

function guardedLease(lease: InputLease, input: InputPort, guard: ApplicationGuard): InputLease {
  const here = async (options: Parameters<InputPort['pointer']>[0]): Promise<void> =>
    guard.requirePoint(await input.pointer(options), options);
  return overlay<InputLease, Free>(
    lease,
    ['keyUp', 'buttonUp', 'under', 'held', 'pressedAtMs', 'releasedAtMs', 'endLease'],
    {
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
          await guard.requireFocus(options);
          await options.check();
        };
        await lease.type(text, { ...options, check });
      },
      moveTo: async (point, options) => {
        await guard.requirePoint(point, options);
        await lease.moveTo(point, options);
      },
      click: async (button, count, options) => {
        await here(options);
        await lease.click(button, count, options);
      },
      buttonDown: async (button, options) => {
        await here(options);
        await lease.buttonDown(button, options);
      },
      wheel: async (notches, options) => {
        await here(options);
        await lease.wheel(notches, options);
      },
    },
  );
}
