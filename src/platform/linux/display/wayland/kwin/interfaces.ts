import type { Interface } from '../wire/interfaces.ts';

export const FAKE_INPUT = {
  name: 'org_kde_kwin_fake_input',
  version: 4,
  requests: {
    authenticate: 'ss',
    pointer_motion: 'ff',
    button: 'uu',
    axis: 'uf',
    touch_down: 'uff',
    touch_motion: 'uff',
    touch_up: 'u',
    touch_cancel: '',
    touch_frame: '',
    pointer_motion_absolute: 'ff',
    keyboard_key: 'uu',
  },
  events: {},
} as const satisfies Interface;

/** Of KDE Plasma. */
export const PLASMA_SHELL = 'org_kde_plasma_shell';
