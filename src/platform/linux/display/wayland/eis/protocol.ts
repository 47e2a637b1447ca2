/**
 * The part of the EI protocol that a sender of input needs. The order of requests and events is their number. Each character is an argument: `u` unsigned,
 * `i` signed, `t` unsigned of 64 bits, `f` floating point, `s` string, `h` descriptor, which takes no bytes.
 */
interface EiInterface {
  /** The newest version that we know; the handshake has none. */
  readonly version: number;
  readonly requests: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
}

/** Common to all that belongs to a device. */
const DESTROYED = { destroyed: 'u' } as const;

export const EI = {
  ei_handshake: {
    version: 1,
    requests: {
      handshake_version: 'u',
      finish: '',
      context_type: 'u',
      name: 's',
      interface_version: 'su',
    },
    events: { handshake_version: 'u', interface_version: 'su', connection: 'utu' },
  },
  ei_connection: {
    version: 1,
    requests: { sync: 'tu', disconnect: '' },
    events: { disconnected: 'uus', seat: 'tu', invalid_object: 'ut', ping: 'tu' },
  },
  ei_callback: { version: 1, requests: {}, events: { done: 't' } },
  ei_pingpong: { version: 1, requests: { done: 't' }, events: {} },
  ei_seat: {
    version: 1,
    requests: { release: '', bind: 't' },
    events: { ...DESTROYED, name: 's', capability: 'ts', done: '', device: 'tu' },
  },
  ei_device: {
    version: 2,
    requests: { release: '', start_emulating: 'uu', stop_emulating: 'u', frame: 'ut' },
    events: {
      ...DESTROYED,
      name: 's',
      device_type: 'u',
      dimensions: 'uu',
      region: 'uuuuf',
      interface: 'tsu',
      done: '',
      resumed: 'u',
      paused: 'u',
      start_emulating: 'uu',
      stop_emulating: 'u',
      frame: 'ut',
      region_mapping_id: 's',
    },
  },
  ei_pointer_absolute: {
    version: 1,
    requests: { release: '', motion_absolute: 'ff' },
    events: { ...DESTROYED, motion_absolute: 'ff' },
  },
  ei_scroll: {
    version: 1,
    requests: { release: '', scroll: 'ff', scroll_discrete: 'ii', scroll_stop: 'uuu' },
    events: { ...DESTROYED, scroll: 'ff', scroll_discrete: 'ii', scroll_stop: 'uuu' },
  },
  ei_button: {
    version: 1,
    requests: { release: '', button: 'uu' },
    events: { ...DESTROYED, button: 'uu' },
  },
  ei_keyboard: {
    version: 1,
    requests: { release: '', key: 'uu' },
    events: { ...DESTROYED, keymap: 'uuh', key: 'uu', modifiers: 'uuuuu' },
  },
} as const satisfies Readonly<Record<string, EiInterface>>;

export type EiName = keyof typeof EI;

/** What a device is made of. */
export const CAPABILITIES = ['ei_pointer_absolute', 'ei_scroll', 'ei_button', 'ei_keyboard'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export function isCapability(name: string): name is Capability {
  return CAPABILITIES.some((known) => known === name);
}

/** The number of a request and its arguments. */
export function requestOf<N extends EiName>(
  name: N,
  request: keyof (typeof EI)[N]['requests'] & string,
): { readonly opcode: number; readonly signature: string } {
  const requests = Object.entries<string>(EI[name].requests);
  const opcode = requests.findIndex(([each]) => each === request);
  return { opcode, signature: requests[opcode]?.[1] ?? '' };
}

/** The name and the arguments of an event; `undefined` for one that a newer version added. */
export function eventOf(
  name: EiName,
  opcode: number,
): { readonly name: string; readonly signature: string } | undefined {
  const found = Object.entries<string>(EI[name].events)[opcode];
  return found && { name: found[0], signature: found[1] };
}
