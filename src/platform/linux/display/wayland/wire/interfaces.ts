/**
 * The interfaces that we use. The order of requests and events is their number in the protocol. Each character is an argument: `i` signed, `u`
 * unsigned, `f` fixed-point, `s` string, `o` object (0 is none), `n` new object, `a` array, `h` descriptor.
 */
export interface Interface {
  readonly name: string;
  /** The newest version that we know. */
  readonly version: number;
  readonly requests: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
}

type Argument<Code extends string> = Code extends 's' ? string : Code extends 'a' ? Buffer : number;

/** The arguments of a signature, such as `[number, string]` for `us`. */
export type ArgumentsOf<Signature extends string> = Signature extends `${infer Code}${infer Rest}`
  ? [Argument<Code>, ...ArgumentsOf<Rest>]
  : [];

export type RequestOf<I extends Interface> = keyof I['requests'] & string;
export type EventOf<I extends Interface> = keyof I['events'] & string;
export type RequestArguments<I extends Interface, R extends RequestOf<I>> = ArgumentsOf<
  I['requests'][R] & string
>;
export type EventArguments<I extends Interface, E extends EventOf<I>> = ArgumentsOf<I['events'][E] & string>;

export const DISPLAY = {
  name: 'wl_display',
  version: 1,
  requests: { sync: 'n', get_registry: 'n' },
  events: { error: 'ous', delete_id: 'u' },
} as const satisfies Interface;

export const REGISTRY = {
  name: 'wl_registry',
  version: 1,
  requests: { bind: 'usun' },
  events: { global: 'usu', global_remove: 'u' },
} as const satisfies Interface;

export const CALLBACK = {
  name: 'wl_callback',
  version: 1,
  requests: {},
  events: { done: 'u' },
} as const satisfies Interface;

/** For its keymap only. */
export const KEYBOARD = {
  name: 'wl_keyboard',
  version: 1,
  requests: {},
  events: { keymap: 'uhu', enter: 'uoa', leave: 'uo', key: 'uuuu', modifiers: 'uuuuu' },
} as const satisfies Interface;

export const SHM = {
  name: 'wl_shm',
  version: 1,
  requests: { create_pool: 'nhi' },
  events: { format: 'u' },
} as const satisfies Interface;

export const SHM_POOL = {
  name: 'wl_shm_pool',
  version: 1,
  requests: { create_buffer: 'niiiiu', destroy: '', resize: 'i' },
  events: {},
} as const satisfies Interface;

export const BUFFER = {
  name: 'wl_buffer',
  version: 1,
  requests: { destroy: '' },
  events: { release: '' },
} as const satisfies Interface;

export const OUTPUT = {
  name: 'wl_output',
  version: 3,
  requests: { release: '' },
  events: { geometry: 'iiiiissi', mode: 'uiii', done: '', scale: 'i' },
} as const satisfies Interface;

export const SEAT = {
  name: 'wl_seat',
  version: 1,
  requests: { get_pointer: 'n', get_keyboard: 'n', get_touch: 'n' },
  events: { capabilities: 'u', name: 's' },
} as const satisfies Interface;

export const OUTPUT_PLACES = {
  name: 'zxdg_output_manager_v1',
  version: 2,
  requests: { destroy: '', get_xdg_output: 'no' },
  events: {},
} as const satisfies Interface;

export const OUTPUT_PLACE = {
  name: 'zxdg_output_v1',
  version: 2,
  requests: { destroy: '' },
  events: { logical_position: 'ii', logical_size: 'ii', done: '', name: 's', description: 's' },
} as const satisfies Interface;
