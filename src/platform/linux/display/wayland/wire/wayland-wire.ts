import path from 'node:path';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { Descriptors } from './descriptors.ts';
import { byteInbox, descriptorInbox, type Inbox } from './inbox.ts';
import { CALLBACK, DISPLAY, REGISTRY, type Interface } from './interfaces.ts';
import { encodeMessage, MessageReader, WireError } from './message.ts';
import { ObjectTable, type WaylandObject } from './object-table.ts';
import { Outbox } from './outbox.ts';
import { displayUnavailable, noDescriptors, noDisplay, withinDeadline } from './wayland-errors.ts';

/** No compositor has more. */
const MOST_GLOBALS = 1000;

/** A global of the compositor. */
export interface Global {
  readonly number: number;
  readonly interface: string;
  readonly version: number;
}

/** Whether descriptors of the compositor reach us; they cost a waiting thread. */
export type Receiving = 'bytes' | 'descriptors';

/** A connection to a compositor. After a loss every call rejects; it is replaced, never repaired. */
export class WaylandWire {
  /** As people name it: `wayland-1`. */
  readonly display: string;
  readonly descriptors: Descriptors;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #reader = new MessageReader();
  readonly #objects: ObjectTable;
  readonly #globals = new Map<number, Global>();
  readonly #lossListeners = new Set<(reason: DeskterityError) => void>();
  readonly #globalListeners = new Set<() => void>();
  readonly #waiting = new Set<(reason: DeskterityError) => void>();
  readonly #root: WaylandObject<typeof DISPLAY>;
  readonly #registry: WaylandObject<typeof REGISTRY>;
  #loss: DeskterityError | undefined;
  #isClosed = false;

  private constructor(display: string, file: number, descriptors: Descriptors, receiving: Receiving) {
    this.display = display;
    this.descriptors = descriptors;
    this.#outbox = new Outbox(file, descriptors, (error) => this.#lose(reasonOf(error)));
    this.#objects = new ObjectTable((target, signature, values) => {
      if (this.#loss !== undefined) throw this.#loss;
      const message = encodeMessage(target, signature, values);
      this.#outbox.add(message.bytes, message.descriptors);
    });
    const receiver = {
      received: (bytes: Buffer) => this.#received(bytes),
      ended: (reason: string) => this.#lose(reason),
    };
    this.#inbox =
      receiving === 'bytes' ? byteInbox(file, receiver) : descriptorInbox(file, descriptors, receiver);
    this.#root = this.#objects.create(DISPLAY);
    this.#root.on('error', (object, code, message) => {
      const what = this.#objects.nameOf(object);
      this.#lose(`it reported error ${code} of ${what}: ${message.slice(0, 200)}`);
    });
    this.#root.on('delete_id', (id) => this.#objects.freed(id));
    this.#registry = this.#objects.create(REGISTRY);
    this.#registry.on('global', (number, name, version) => {
      if (this.#globals.size >= MOST_GLOBALS) throw new WireError(`more than ${MOST_GLOBALS} globals`);
      this.#globals.set(number, { number, interface: name, version });
      for (const listener of this.#globalListeners) listener();
    });
    this.#registry.on('global_remove', (number) => {
      this.#globals.delete(number);
      for (const listener of this.#globalListeners) listener();
    });
    this.#root.send('get_registry', this.#registry.id);
  }

  /** Resolves once the globals are known. @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, CANCELLED */
  static async connect(
    environment: Environment,
    call: CallOptions,
    receiving: Receiving = 'bytes',
  ): Promise<WaylandWire> {
    const options = liveDeadline(call, performance);
    const socket = socketOf(environment);
    const display = path.basename(socket);
    const descriptors = await Descriptors.load().catch((error: unknown) => {
      throw noDescriptors(display, error);
    });
    let file: number;
    try {
      file = descriptors.connect(socket);
    } catch (error) {
      throw displayUnavailable(display, reasonOf(error), reasonOf(error) === 'EAGAIN');
    }
    const wire = new WaylandWire(display, file, descriptors, receiving);
    try {
      await wire.roundtrip('connecting', options);
      return wire;
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#loss !== undefined || this.#isClosed;
  }

  get globals(): readonly Global[] {
    return [...this.#globals.values()];
  }

  has({ name }: Interface): boolean {
    return this.globals.some((global) => global.interface === name);
  }

  /** The first global of an interface; `undefined` if there is none. */
  bind<I extends Interface>(table: I): WaylandObject<I> | undefined {
    const global = this.globals.find(({ interface: name }) => name === table.name);
    return global && this.bindGlobal(table, global);
  }

  /** @param global one of {@link globals} */
  bindGlobal<I extends Interface>(table: I, { number, version }: Global): WaylandObject<I> {
    const object = this.create(table);
    this.#registry.send('bind', number, table.name, Math.min(version, table.version), object.id);
    return object;
  }

  /** A new object; its id goes into the request that creates it. */
  create<I extends Interface>(table: I): WaylandObject<I> {
    return this.#objects.create(table);
  }

  /** An object that an event introduces. */
  adopt<I extends Interface>(id: number, table: I): WaylandObject<I> {
    return this.#objects.adopt(id, table);
  }

  /** Resolves when the compositor has processed everything sent so far. @throws DeskterityError */
  roundtrip(doing: string, options: CallOptions): Promise<void> {
    return this.within(this.synced(), doing, options);
  }

  /** Like {@link roundtrip}, without a deadline. */
  synced(): Promise<void> {
    return this.until((resolve) => {
      const callback = this.create(CALLBACK);
      callback.on('done', () => resolve());
      this.#root.send('sync', callback.id);
    });
  }

  /** Waits for something that events bring; rejects when the connection ends. */
  until<T>(
    start: (resolve: (value: T) => void, reject: (error: DeskterityError) => void) => void,
  ): Promise<T> {
    let forget = (): void => undefined;
    const arrival = new Promise<T>((resolve, reject) => {
      if (this.#loss !== undefined) throw this.#loss;
      if (this.#isClosed) throw this.#closed();
      this.#waiting.add(reject);
      forget = () => this.#waiting.delete(reject);
      start(resolve, reject);
    });
    return arrival.finally(() => forget());
  }

  within<T>(work: Promise<T>, doing: string, options: CallOptions): Promise<T> {
    return withinDeadline(work, this.display, doing, options);
  }

  /** Calls `listener` once when the connection is lost, immediately if it already is; never because of {@link close}. */
  onLoss(listener: (reason: DeskterityError) => void): () => void {
    if (this.#loss !== undefined) listener(this.#loss);
    else this.#lossListeners.add(listener);
    return () => {
      this.#lossListeners.delete(listener);
    };
  }

  /** Calls `listener` when globals come or go, such as a screen. */
  onGlobals(listener: () => void): void {
    this.#globalListeners.add(listener);
  }

  /** Sends what was requested until now, then ends the connection. */
  close(): void {
    if (this.isLost) return;
    this.#isClosed = true;
    this.#lossListeners.clear();
    // Requests of this turn of the event loop are still on their way.
    queueMicrotask(() => this.#end(this.#closed()));
  }

  #received(bytes: Buffer): void {
    try {
      for (const message of this.#reader.push(bytes)) {
        if (this.isLost) return;
        this.#objects.dispatch(message, () => this.#inbox.takeDescriptor());
      }
    } catch (error) {
      this.#lose(error instanceof WireError ? `it broke the protocol: ${error.message}` : reasonOf(error));
    }
  }

  #lose(reason: string): void {
    if (this.isLost) return;
    const loss = displayUnavailable(this.display, reason, true);
    this.#loss = loss;
    this.#end(loss);
    for (const listener of this.#lossListeners) listener(loss);
    this.#lossListeners.clear();
  }

  #end(reason: DeskterityError): void {
    this.#outbox.end();
    this.#inbox.close();
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
  }

  #closed(): DeskterityError {
    return displayUnavailable(this.display, 'the connection was closed', true);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The socket of the display that an environment names. @throws DeskterityError DISPLAY_UNAVAILABLE */
export function socketOf(environment: Environment): string {
  const display = environment['WAYLAND_DISPLAY'];
  if (!display) throw noDisplay('WAYLAND_DISPLAY is not set');
  if (path.isAbsolute(display)) return display;
  const folder = environment['XDG_RUNTIME_DIR'];
  if (!folder) throw noDisplay('XDG_RUNTIME_DIR is not set');
  return path.join(folder, display);
}
