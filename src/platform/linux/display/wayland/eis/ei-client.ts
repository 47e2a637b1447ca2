import { decodeEi, EiError, EiReader, encodeEi, type EiMessage, type EiValue } from './ei-message.ts';
import { EiDevice } from './ei-device.ts';
import type { EiStream } from './ei-stream.ts';
import { greeting, HANDSHAKE } from './greeting.ts';
import {
  CAPABILITIES,
  EI,
  eventOf,
  isCapability,
  requestOf,
  type Capability,
  type EiName,
} from './protocol.ts';

/** A whole notch in the protocol. */
const NOTCH = 120;
const MICROSECONDS = 1000n;
/** A server that makes more is broken or hostile. */
const MOST_OBJECTS = 512;

interface Known {
  readonly name: EiName;
  readonly device?: EiDevice;
}

type Events = Readonly<Record<string, (values: readonly EiValue[]) => void>>;

/**
 * Sends input to a server of the EI protocol, as libei does. It binds keyboard, absolute pointer, buttons and wheel of every seat, and follows devices that the
 * server replaces.
 */
export class EiClient {
  /** Resolves once there is a keyboard and a pointer; rejects with an {@link EiError} if the server ends first. */
  readonly ready: Promise<void>;
  readonly #stream: EiStream;
  readonly #clientName: string;
  readonly #reader = new EiReader();
  readonly #objects = new Map<bigint, Known>([[HANDSHAKE, { name: 'ei_handshake' }]]);
  readonly #capabilities = new Map<bigint, bigint>();
  readonly #syncs = new Map<bigint, () => void>();
  readonly #lossListeners = new Set<(reason: string) => void>();
  /** Reject what is waited for. */
  readonly #waiting = new Set<(error: EiError) => void>();
  readonly #devices = new Set<EiDevice>();
  #connection: bigint | undefined;
  #ended: string | undefined;
  #serial = 0;
  #sequence = 0;
  #lastId = 0n;
  /** Which of the layouts of the keymap is active; `undefined` until the server tells. */
  layout: number | undefined;
  /** Of the device that moved last. */
  #pointing: EiDevice | undefined;
  #becomeReady = (): void => undefined;

  /** @param clientName which the compositor may show */
  constructor(stream: EiStream, clientName: string) {
    this.#stream = stream;
    this.#clientName = clientName;
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#waiting.add(reject);
    });
    this.ready.catch(() => undefined);
    stream.listen({
      received: (bytes) => this.#received(bytes),
      ended: (reason) => this.#end(reason),
    });
  }

  get isLost(): boolean {
    return this.#ended !== undefined;
  }

  /** Calls `listener` once when the server ends the connection, immediately if it has; never because of {@link close}. */
  onLoss(listener: (reason: string) => void): () => void {
    if (this.#ended === undefined) this.#lossListeners.add(listener);
    else listener(this.#ended);
    return () => this.#lossListeners.delete(listener);
  }

  /** @throws EiError if no device reaches the place */
  moveTo(x: number, y: number): void {
    const device = this.#with('ei_pointer_absolute', (each) => each.reaches({ x, y }));
    this.#pointing = device;
    this.#emit(device, 'ei_pointer_absolute', 'motion_absolute', [x, y]);
  }

  /** @param code of the kernel */
  button(code: number, isDown: boolean): void {
    this.#emit(this.#withPointer('ei_button'), 'ei_button', 'button', [code, isDown ? 1 : 0]);
  }

  /** Down and right are positive. */
  scroll(notchesX: number, notchesY: number): void {
    const values = [notchesX * NOTCH, notchesY * NOTCH];
    this.#emit(this.#withPointer('ei_scroll'), 'ei_scroll', 'scroll_discrete', values);
  }

  /** @param code of the kernel */
  key(code: number, isDown: boolean): void {
    this.#emit(this.#with('ei_keyboard'), 'ei_keyboard', 'key', [code, isDown ? 1 : 0]);
  }

  /** Resolves when the server has processed everything that was sent. */
  synced(): Promise<void> {
    const connection = this.#connection;
    if (this.#ended !== undefined || connection === undefined)
      return Promise.reject(new EiError(this.#ended ?? 'it is not connected'));
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.add(reject);
      this.#syncs.set(id, () => {
        this.#waiting.delete(reject);
        resolve();
      });
      this.#objects.set(id, { name: 'ei_callback' });
      this.#request(connection, 'ei_connection', 'sync', [id, EI.ei_callback.version]);
    });
  }

  close(): void {
    if (this.#ended !== undefined) return;
    if (this.#connection !== undefined) this.#request(this.#connection, 'ei_connection', 'disconnect', []);
    this.#lossListeners.clear();
    this.#end('the connection was closed');
  }

  #with(capability: Capability, suits: (device: EiDevice) => boolean = () => true): EiDevice {
    if (this.#ended !== undefined) throw new EiError(this.#ended);
    const able = [...this.#devices].filter(({ isResumed, parts }) => isResumed && parts.has(capability));
    const found = able.find(suits);
    if (found !== undefined) return found;
    throw new EiError(
      able.length === 0 ? `no ${capability} accepts events now` : 'no device reaches this place',
    );
  }

  /** Buttons belong to the pointer that was moved. */
  #withPointer(capability: Capability): EiDevice {
    const pointing = this.#pointing;
    return this.#with(capability, (each) => each === pointing || pointing?.parts.has(capability) !== true);
  }

  #emit<C extends Capability>(
    device: EiDevice,
    capability: C,
    request: keyof (typeof EI)[C]['requests'] & string,
    values: readonly EiValue[],
  ): void {
    this.#request(device.parts.get(capability) ?? 0n, capability, request, values);
    // A key that goes down and up in the same frame is never pressed.
    this.#request(device.id, 'ei_device', 'frame', [this.#serial, process.hrtime.bigint() / MICROSECONDS]);
  }

  #request<N extends EiName>(
    object: bigint,
    name: N,
    request: keyof (typeof EI)[N]['requests'] & string,
    values: readonly EiValue[],
  ): void {
    const { opcode, signature } = requestOf(name, request);
    this.#stream.write(encodeEi(object, opcode, signature, values));
  }

  #received(bytes: Buffer): void {
    try {
      for (const message of this.#reader.push(bytes)) {
        if (this.#ended !== undefined) return;
        this.#dispatch(message);
      }
    } catch (error) {
      this.#end(error instanceof Error ? `it broke the protocol: ${error.message}` : String(error));
    }
  }

  /** Events of objects that are gone, and those of newer versions, are ignored. */
  #dispatch({ object, opcode, body }: EiMessage): void {
    const known = this.#objects.get(object);
    const event = known && eventOf(known.name, opcode);
    if (known === undefined || event === undefined) return;
    const values = decodeEi(event.signature, body);
    this.#eventsOf(object, known)[event.name]?.(values);
  }

  #eventsOf(id: bigint, { name, device }: Known): Events {
    if (name === 'ei_handshake') return this.#handshake;
    if (name === 'ei_connection') return this.#connectionEvents;
    if (name === 'ei_seat') return this.#seatEvents(id);
    if (name === 'ei_callback') return { done: () => this.#synced(id) };
    if (device === undefined) return {};
    if (name === 'ei_device') return this.#deviceEvents(device);
    return {
      destroyed: ([serial]) => {
        this.#note(serial);
        this.#objects.delete(id);
        if (isCapability(name)) device.parts.delete(name);
      },
      modifiers: ([serial, , , , layout]) => {
        this.#note(serial);
        this.layout = Number(layout);
      },
    };
  }

  readonly #handshake: Events = {
    handshake_version: () => {
      for (const message of greeting(this.#clientName)) this.#stream.write(message);
    },
    connection: ([serial, id]) => {
      this.#note(serial);
      this.#objects.delete(HANDSHAKE);
      this.#connection = BigInt(id ?? 0);
      this.#add(this.#connection, { name: 'ei_connection' });
    },
  };

  readonly #connectionEvents: Events = {
    disconnected: ([, , explanation]) => {
      const why = String(explanation).slice(0, 200);
      this.#end(why === '' ? 'it ended the connection' : `it ended the connection: ${why}`);
    },
    seat: ([id]) => this.#add(BigInt(id ?? 0), { name: 'ei_seat' }),
    ping: ([id]) => this.#request(BigInt(id ?? 0), 'ei_pingpong', 'done', [0n]),
  };

  #seatEvents(seat: bigint): Events {
    return {
      destroyed: ([serial]) => {
        this.#note(serial);
        this.#objects.delete(seat);
        this.#capabilities.delete(seat);
      },
      capability: ([mask, name]) => {
        if (!CAPABILITIES.some((wanted) => wanted === name)) return;
        this.#capabilities.set(seat, (this.#capabilities.get(seat) ?? 0n) | BigInt(mask ?? 0));
      },
      done: () => this.#request(seat, 'ei_seat', 'bind', [this.#capabilities.get(seat) ?? 0n]),
      device: ([id]) => {
        const device = new EiDevice(BigInt(id ?? 0));
        this.#add(device.id, { name: 'ei_device', device });
        this.#devices.add(device);
      },
    };
  }

  #deviceEvents(device: EiDevice): Events {
    return {
      destroyed: ([serial]) => {
        this.#note(serial);
        this.#devices.delete(device);
        for (const id of [device.id, ...device.parts.values()]) this.#objects.delete(id);
      },
      region: ([x, y, width, height]) =>
        device.addRegion({ x: Number(x), y: Number(y), width: Number(width), height: Number(height) }),
      interface: ([id, name]) => {
        const capability = String(name);
        if (!isCapability(capability)) return;
        device.parts.set(capability, BigInt(id ?? 0));
        this.#add(BigInt(id ?? 0), { name: capability, device });
      },
      resumed: ([serial]) => {
        this.#note(serial);
        device.isResumed = true;
        this.#request(device.id, 'ei_device', 'start_emulating', [this.#serial, ++this.#sequence]);
        if (this.#isComplete) this.#becomeReady();
      },
      paused: ([serial]) => {
        this.#note(serial);
        device.isResumed = false;
      },
    };
  }

  get #isComplete(): boolean {
    const needed: readonly Capability[] = ['ei_keyboard', 'ei_pointer_absolute', 'ei_button'];
    return needed.every((each) =>
      [...this.#devices].some(({ isResumed, parts }) => isResumed && parts.has(each)),
    );
  }

  #add(id: bigint, known: Known): void {
    if (this.#objects.size >= MOST_OBJECTS) throw new EiError(`more than ${MOST_OBJECTS} objects`);
    this.#objects.set(id, known);
  }

  #note(serial: EiValue | undefined): void {
    this.#serial = Number(serial ?? this.#serial);
  }

  #synced(id: bigint): void {
    const done = this.#syncs.get(id);
    this.#syncs.delete(id);
    this.#objects.delete(id);
    done?.();
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#stream.end();
    for (const reject of this.#waiting) reject(new EiError(reason));
    this.#waiting.clear();
    for (const listener of this.#lossListeners) listener(reason);
    this.#lossListeners.clear();
  }
}
