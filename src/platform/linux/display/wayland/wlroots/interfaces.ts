import type { Interface } from '../wire/interfaces.ts';

export const SCREENCOPY = {
  name: 'zwlr_screencopy_manager_v1',
  version: 3,
  requests: { capture_output: 'nio', capture_output_region: 'nioiiii', destroy: '' },
  events: {},
} as const satisfies Interface;

export const SCREENCOPY_FRAME = {
  name: 'zwlr_screencopy_frame_v1',
  version: 3,
  requests: { copy: 'o', destroy: '', copy_with_damage: 'o' },
  events: {
    buffer: 'uuuu',
    flags: 'u',
    ready: 'uuu',
    failed: '',
    damage: 'uuuu',
    linux_dmabuf: 'uuu',
    buffer_done: '',
  },
} as const satisfies Interface;

export const VIRTUAL_POINTERS = {
  name: 'zwlr_virtual_pointer_manager_v1',
  version: 2,
  requests: { create_virtual_pointer: 'on', destroy: '', create_virtual_pointer_with_output: 'oon' },
  events: {},
} as const satisfies Interface;

export const VIRTUAL_POINTER = {
  name: 'zwlr_virtual_pointer_v1',
  version: 2,
  requests: {
    motion: 'uff',
    motion_absolute: 'uuuuu',
    button: 'uuu',
    axis: 'uuf',
    frame: '',
    axis_source: 'u',
    axis_stop: 'uu',
    axis_discrete: 'uufi',
    destroy: '',
  },
  events: {},
} as const satisfies Interface;

export const VIRTUAL_KEYBOARDS = {
  name: 'zwp_virtual_keyboard_manager_v1',
  version: 1,
  requests: { create_virtual_keyboard: 'on' },
  events: {},
} as const satisfies Interface;

export const VIRTUAL_KEYBOARD = {
  name: 'zwp_virtual_keyboard_v1',
  version: 1,
  requests: { keymap: 'uhu', key: 'uuu', modifiers: 'uuuu', destroy: '' },
  events: {},
} as const satisfies Interface;
