import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Checks } from '../../display.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { FAKE_INPUT } from './interfaces.ts';
import { setUpKde } from './setup-mention.ts';

type Check = Checks[number];

/** Each part of KWin that we use, and what to do where it is missing. */
export function windowCheck(compositor: string): Check {
  return { name: 'window-manager', ok: true, detail: `${compositor}, asked through a script in it.` };
}

export function inputCheck(wire: Pick<WaylandWire, 'has'>): Check {
  if (wire.has(FAKE_INPUT))
    return { name: 'input', ok: true, detail: 'KWin admits our keyboard and pointer (fake_input).' };
  return {
    name: 'input',
    ok: false,
    detail: 'KWin does not offer us its keyboard and pointer (fake_input): no desktop file admits this Node.',
    fix: `${setUpKde()}. Acting through accessibility works without.`,
  };
}

/** @param problem of a trial picture */
export function screenshotCheck(problem: unknown): Check {
  if (problem === undefined)
    return { name: 'screenshots', ok: true, detail: 'KWin takes screenshots for us (ScreenShot2).' };
  const { message, suggestion } =
    problem instanceof DeskterityError
      ? problem
      : { message: 'KWin took no screenshot.', suggestion: undefined };
  return {
    name: 'screenshots',
    ok: false,
    detail: message,
    ...(suggestion === undefined ? {} : { fix: suggestion }),
  };
}
