import { expect, it } from 'vitest';
import { isHidden } from '../../../../../src/platform/linux/display/x11/windows/hidden.ts';

const SHOWN = { isViewable: true, minimized: false, isShaded: false, desktop: 1 };
const ALL_DESKTOPS = 0xff_ff_ff_ff;

it.each([
  ['mapped', SHOWN, { manager: 'Openbox', current: 1 }, false],
  ['unmapped', { ...SHOWN, isViewable: false }, { manager: 'Openbox', current: 1 }, true],
  [
    'unmapped, but for its title bar',
    { ...SHOWN, isViewable: false, isShaded: true },
    { manager: 'Xfwm4', current: 1 },
    false,
  ],
  [
    'that says it is minimized, and is mapped',
    { ...SHOWN, minimized: true },
    { manager: 'Openbox', current: 1 },
    false,
  ],
  // It may be on the other monitor, which shows another workspace.
  ['mapped, on another workspace of i3', SHOWN, { manager: 'i3', current: 0 }, false],
  ['mapped, on another workspace of GNOME', SHOWN, { manager: 'GNOME Shell', current: 0 }, true],
  ['mapped, on this workspace of GNOME', SHOWN, { manager: 'GNOME Shell', current: 1 }, false],
  [
    'mapped, on all workspaces of GNOME',
    { ...SHOWN, desktop: ALL_DESKTOPS },
    { manager: 'GNOME Shell', current: 0 },
    false,
  ],
  [
    'mapped and minimized in Cinnamon',
    { ...SHOWN, minimized: true },
    { manager: 'Mutter (Muffin)', current: 1 },
    true,
  ],
  [
    'mapped, where nothing tells of workspaces',
    { ...SHOWN, desktop: undefined },
    { manager: 'KWin', current: undefined },
    false,
  ],
  ['mapped, without a window manager', SHOWN, { manager: undefined, current: 0 }, false],
])('a window that is %s', (_, window, desktops, hidden) => {
  expect(isHidden(window, desktops)).toBe(hidden);
});
