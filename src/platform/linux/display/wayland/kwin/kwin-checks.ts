import type { Checks } from '../../display.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { FAKE_INPUT } from './interfaces.ts';
import { setupKde } from './setup-mention.ts';

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
    fix: `Run ${setupKde()}, then repeat this. Acting through accessibility works without.`,
  };
}

/** @param version of ScreenShot2; whether KWin admits us is known only after a screenshot */
export function screenshotCheck(version: number | undefined): Check {
  if (version !== undefined)
    return { name: 'screenshots', ok: true, detail: `KWin takes screenshots (ScreenShot2, version ${version}).` };
  return {
    name: 'screenshots',
    ok: false,
    detail: 'This KWin takes no screenshots: ScreenShot2 is not on the session bus.',
    fix: 'Let KWin draw with OpenGL, which its screenshots need.',
  };
}
