import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import { ATOM_NAMES, type AtomName } from './atoms.ts';
import { SharedMemory } from './capture/shared-memory.ts';
import { createClient } from './x11-library.ts';
import type { Callback, Client, Display, Extensions, RequestMethods, XEvent } from './x11-library.ts';
import type { Requests } from './x11-requests.ts';
import { XProtocolError, displayUnavailable, withDeadline, CONNECTING } from './x11-errors.ts';
import { findCookie } from './xauthority.ts';
import { connect } from 'node:net';

export interface ConnectOptions extends CallOptions {
  /** Path of the Xauthority file; by default `~/.Xauthority`. The environment is not read. */
  readonly xauthority?: string | undefined;
}

/**
 * The X protocol with promises. Requests made in one turn of the event loop are sent together, so `Promise.all` over any
 * number of them costs one round trip. A server error rejects only the request it belongs to.
 */
export class X11Wire {
  readonly display: string;
  readonly greeting: Display;
  readonly sharedMemory: SharedMemory;
  readonly #client: Client;
  readonly #pending = new Set<(reason: Error) => void>();
  readonly #events = new Set<(event: XEvent) => void>();
  readonly #lossListeners = new Set<(reason: DeskterityError) => void>();
  readonly #atoms = new Map<string, number>();
  readonly #atomNames = new Map<number, string>();
  readonly #extensions = new Map<string, Promise<unknown>>();
  #loss: DeskterityError | undefined;

  private constructor(display: string, client: Client, greeting: Display, sharedMemory: SharedMemory) {
    this.sharedMemory = sharedMemory;
    this.display = display;
    this.greeting = greeting;
    this.#client = client;
  }

  /** @throws DeskterityError DISPLAY_UNAVAILABLE */
  static async connect(display: string, options: ConnectOptions): Promise<X11Wire> {
    let client: Client | undefined;
    let wire: X11Wire | undefined;
    let isAbandoned = false;
    let release = (): void => undefined;
    // The listeners below last as long as the connection: if they referred to `options`, they would keep the signal of this call.
    const { xauthority } = options;
    const sharedMemory = new SharedMemory();
    const open = async (): Promise<X11Wire> => {
      // The X library would connect to display 0 instead.
      if (display === '') throw displayUnavailable(display, 'its name is empty');
      const auth = await findCookie(display, xauthority);
      const local = await tryLocalSocket(display);
      if (isAbandoned) local.release();
      else ({ release } = local);
      const { problem } = local;
      if (isAbandoned) throw displayUnavailable(display, 'connecting was abandoned');
      if (problem === 'refused') throw displayUnavailable(display, 'no server listens on its socket');
      // Without a socket, a server may still listen on its TCP port.
      const address = problem === 'missing' ? `localhost:${display.split(':').at(-1)}` : display;
      const greeting = await new Promise<Display>((resolve, reject) => {
        client = createClient({ display: address, auth, shm: sharedMemory }, (error, greeting) => {
          if (isAbandoned) client?.stream?.destroy();
          if (error === undefined) resolve(greeting);
          else reject(displayUnavailable(display, error.message ?? error.code ?? 'connection failed'));
        });
        client.on('error', (error) => {
          if (error.error !== undefined) return; // an X error of a request without a callback
          const reason = displayUnavailable(display, error.message ?? error.code ?? 'connection failed');
          if (wire === undefined) reject(reason);
          else wire.#lose(reason);
        });
        client.on('end', () => {
          const reason = displayUnavailable(display, 'the server closed the connection');
          if (wire === undefined) reject(reason);
          else wire.#lose(reason);
        });
      });
      if (client === undefined) throw displayUnavailable(display, 'connection failed');
      wire = new X11Wire(display, client, greeting, sharedMemory);
      await wire.#start();
      return wire;
    };
    try {
      return await withDeadline(open(), display, CONNECTING, options);
    } catch (error) {
      isAbandoned = true;
      client?.stream?.destroy();
      const isOurs = error instanceof DeskterityError && error.code !== 'INTERNAL';
      throw isOurs
        ? error
        : displayUnavailable(display, error instanceof Error ? error.message : String(error));
    } finally {
      release();
    }
  }

  async #start(): Promise<void> {
    this.#client.stream?.on('close', () => {
      this.#lose(displayUnavailable(this.display, 'the connection was closed'));
    });
    this.#client.on('event', (event) => {
      for (const listener of this.#events) listener(event);
    });
    await Promise.all(ATOM_NAMES.map((name) => this.internAtom(name)));
  }

  get screen(): Display['screen'][number] {
    const screen = this.greeting.screen[0];
    if (screen === undefined) throw displayUnavailable(this.display, 'the server has no screen');
    return screen;
  }

  get root(): number {
    return this.screen.root;
  }

  /** Rejects with {@link XProtocolError} if the server refuses, with a DeskterityError if the connection is lost. */
  request<T>(send: (client: Client, done: Callback<T>) => void): Promise<T> {
    if (this.#loss !== undefined) return Promise.reject(this.#loss);
    return new Promise<T>((resolve, reject) => {
      this.#pending.add(reject);
      const done: Callback<T> = (error, value) => {
        this.#pending.delete(reject);
        if (error === null || error === undefined) resolve(value);
        else reject(error.error === undefined ? new Error(error.message) : new XProtocolError(error));
        return true;
      };
      try {
        send(this.#client, done);
      } catch (error) {
        this.#pending.delete(reject);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Makes a request of the core protocol; rejects as {@link request} does. */
  call<Name extends keyof Requests>(
    name: Name,
    ...parameters: Requests[Name]['parameters']
  ): Promise<Requests[Name]['reply']> {
    return this.request<Requests[Name]['reply']>((client, done) => {
      const methods: RequestMethods = client;
      methods[name](...parameters, done);
    });
  }

  /** Like {@link call}, but resolves to `undefined` if the server refuses. */
  tryCall<Name extends keyof Requests>(
    name: Name,
    ...parameters: Requests[Name]['parameters']
  ): Promise<Requests[Name]['reply'] | undefined> {
    return notRefused(this.call(name, ...parameters));
  }

  /** Makes a request and resolves to whether the server accepts it. */
  async accepts<Name extends keyof Requests>(
    name: Name,
    ...parameters: Requests[Name]['parameters']
  ): Promise<boolean> {
    const accepted = await notRefused(this.call(name, ...parameters).then(() => true));
    return accepted === true;
  }

  /** Resolves when the server has processed everything sent so far. */
  async sync(): Promise<void> {
    await this.call('GetInputFocus');
  }

  /** Sends a request without a reply; a refusal is not reported. */
  send(send: (client: Client) => void): void {
    if (this.#loss !== undefined) throw this.#loss;
    send(this.#client);
  }

  /** The number of an atom listed in atoms.ts. */
  atom(name: AtomName): number {
    return this.#atoms.get(name) ?? 0;
  }

  async internAtom(name: string): Promise<number> {
    const known = this.#atoms.get(name);
    if (known !== undefined) return known;
    const atom = await this.call('InternAtom', false, name);
    this.#atoms.set(name, atom);
    this.#atomNames.set(atom, name);
    return atom;
  }

  async atomName(atom: number): Promise<string | undefined> {
    const known = this.#atomNames.get(atom);
    if (known !== undefined) return known;
    const name = await this.tryCall('GetAtomName', atom);
    if (name !== undefined) this.#atomNames.set(atom, name);
    return name;
  }

  /** An extension of the server, or `undefined` if it lacks it. Queried once. */
  extension<Name extends keyof Extensions>(name: Name): Promise<Extensions[Name] | undefined> {
    const known = this.#extensions.get(name) as Promise<Extensions[Name] | undefined> | undefined;
    if (known !== undefined) return known;
    const loading = this.request<Extensions[Name]>((client, done) => {
      client.require(name, done);
    }).catch((error: unknown) => {
      if (error instanceof DeskterityError) throw error;
      return undefined;
    });
    this.#extensions.set(name, loading);
    return loading;
  }

  allocateId(): number {
    return this.#client.AllocID();
  }

  /** Makes an id available again once its resource no longer exists. */
  releaseId(id: number): void {
    this.#client.ReleaseID(id);
  }

  /** Calls `listener` for every event until the returned function is called. */
  onEvent(listener: (event: XEvent) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  /** Calls `listener` once when the connection is lost, immediately if it already is; not after {@link close}. */
  onLoss(listener: (reason: DeskterityError) => void): () => void {
    this.#lossListeners.add(listener);
    if (this.#loss !== undefined) listener(this.#loss);
    return () => this.#lossListeners.delete(listener);
  }

  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** See {@link withDeadline}. */
  within<T>(work: Promise<T>, doing: string, options: CallOptions): Promise<T> {
    return withDeadline(work, this.display, doing, options);
  }

  /** Ends the connection as if the server had, because nothing may be sent on it any more. */
  lose(reason: string): void {
    this.#lose(displayUnavailable(this.display, reason, true));
  }

  close(): void {
    if (this.#loss !== undefined) return;
    this.#lossListeners.clear();
    this.#lose(displayUnavailable(this.display, 'the connection was closed'));
  }

  #lose(reason: DeskterityError): void {
    if (this.#loss !== undefined) return;
    this.#loss = reason;
    this.#client.stream?.destroy();
    this.sharedMemory.closeAll();
    for (const reject of this.#pending) reject(reason);
    this.#pending.clear();
    this.#events.clear();
    for (const listener of this.#lossListeners) listener(reason);
    this.#lossListeners.clear();
  }
}

/** The result of a request, or `undefined` if the server refuses it: for windows that may vanish at any time. */
export function notRefused<T>(reply: Promise<T>): Promise<T | undefined> {
  return reply.catch((error: unknown) => {
    if (error instanceof XProtocolError) return undefined;
    throw error;
  });
}

const LOCAL = /^(?:unix)?:(\d+)(?:\.\d+)?$/;

/** Whether a server listens on the socket of a local display; remote displays have no problem here. */
interface LocalSocket {
  readonly problem: 'missing' | 'refused' | undefined;
  /** Must be called after connecting to the display or giving up: an X server resets when its last client disconnects. */
  readonly release: () => void;
}

/** The X library never closes a socket that failed to connect, so it must only connect where a server listens. */
function tryLocalSocket(display: string): Promise<LocalSocket> {
  const number = LOCAL.exec(display)?.[1];
  if (number === undefined) return Promise.resolve({ problem: undefined, release: () => undefined });
  return new Promise((resolve) => {
    const socket = connect(`/tmp/.X11-unix/X${number}`);
    const release = (): void => void socket.destroy();
    socket.once('connect', () => resolve({ problem: undefined, release }));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ problem: error.code === 'ENOENT' ? 'missing' : 'refused', release });
    });
  });
}
