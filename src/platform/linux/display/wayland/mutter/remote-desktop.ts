import { closeSync } from 'node:fs';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import { byPerson } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { BusConnection, BusError, watchName, type BusValue } from '../../../dbus/index.ts';
import { unsupported } from '../../../failures.ts';
import { sessionBusOf } from '../session-bus.ts';
import { receivingSockets } from '../wire/receiving-sockets.ts';
import { displayUnavailable } from '../wire/wayland-errors.ts';

export const REMOTE_DESKTOP_NAME = 'org.gnome.Mutter.RemoteDesktop';
const REMOTE_DESKTOP = {
  destination: REMOTE_DESKTOP_NAME,
  path: '/org/gnome/Mutter/RemoteDesktop',
  interface: REMOTE_DESKTOP_NAME,
} as const;
const SESSION = `${REMOTE_DESKTOP_NAME}.Session`;
/** For an event that nobody waits for by itself. */
const NOTIFY_MS = 10_000;
const STOP_MS = 2000;

/**
 * A remote-desktop session of Mutter, through which keys and pointer reach it. It ends with the connection, so everything that is down is released when this
 * process ends; and GNOME shows the person that it exists, and lets them end it.
 */
export class RemoteDesktop {
  readonly bus: BusConnection;
  readonly #display: string;
  readonly #path: string;
  readonly #lossListeners = new Set<(reason: DeskterityError) => void>();
  #pending: Promise<unknown>[] = [];
  #loss: DeskterityError | undefined;
  #isClosed = false;
  #owner: string | undefined;
  #onSignal: ((member: string, body: readonly BusValue[]) => void) | undefined;

  private constructor(bus: BusConnection, display: string, path: string) {
    this.bus = bus;
    this.#display = display;
    this.#path = path;
    bus.onClose(() => this.#lose('the session bus closed the connection'));
  }

  /** Creates one, which is not started yet. @throws DeskterityError */
  static async create(
    environment: Environment,
    display: string,
    options: CallOptions,
  ): Promise<RemoteDesktop> {
    let bus: BusConnection | undefined;
    try {
      const receiving = await receivingSockets();
      bus = await BusConnection.connect(sessionBusOf(environment), { ...options, receiving });
      const [path] = await bus.call({ ...REMOTE_DESKTOP, member: 'CreateSession' }, options);
      if (typeof path !== 'string') throw new Error('Mutter returned no session');
      const session = new RemoteDesktop(bus, display, path);
      await session.#watch(options);
      return session;
    } catch (error) {
      bus?.close();
      throw explained(error);
    }
  }

  get isLost(): boolean {
    return this.#loss !== undefined || this.#isClosed;
  }

  /** Whether it can hand out a socket of the EI protocol. */
  async hasEis(options: CallOptions): Promise<boolean> {
    const call = { interface: 'org.freedesktop.DBus.Introspectable', member: 'Introspect' };
    const [xml] = await this.bus.call({ ...this.#object, ...call }, options);
    return typeof xml === 'string' && xml.includes('"ConnectToEIS"');
  }

  /** A socket of the EI protocol, which belongs to the caller. The session must have been started. */
  connectToEis(options: CallOptions): Promise<number> {
    return this.callForDescriptor('ConnectToEIS', 'a{sv}', [new Map()], options);
  }

  /** Calls a method that returns one descriptor, which belongs to the caller. */
  async callForDescriptor(
    member: string,
    signature: string,
    args: readonly BusValue[],
    options: CallOptions,
  ): Promise<number> {
    const call = { ...this.#object, interface: SESSION, member, signature, args };
    const { descriptors } = await this.bus.callForDescriptors(call, options);
    const [found, ...others] = descriptors;
    for (const other of others) closeSync(other);
    if (found === undefined) throw new Error(`${member} returned no descriptor`);
    return found;
  }

  /** By which a screen cast can belong to it. */
  async id(options: CallOptions): Promise<string> {
    const value = await this.bus.getProperty(REMOTE_DESKTOP_NAME, this.#path, SESSION, 'SessionId', options);
    const id = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    if (typeof id === 'string') return id;
    throw new Error('Mutter returned no id of the session');
  }

  /** @throws DeskterityError */
  async start(options: CallOptions): Promise<void> {
    try {
      await this.call('Start', '', [], options);
    } catch (error) {
      throw explained(error);
    }
  }

  call(
    member: string,
    signature: string,
    args: readonly BusValue[],
    options: CallOptions,
  ): Promise<readonly BusValue[]> {
    return this.bus.call({ ...this.#object, interface: SESSION, member, signature, args }, options);
  }

  /** Sends an event; Mutter takes them in order. {@link taken} tells of failures. */
  notify(member: string, signature: string, args: readonly BusValue[]): void {
    const call = this.call(member, signature, args, { deadlineMs: NOTIFY_MS });
    call.catch(() => undefined);
    this.#pending.push(call);
  }

  /** Resolves when all events that were sent are taken. @throws DeskterityError if one was refused */
  async taken(): Promise<void> {
    if (this.#loss) throw this.#loss;
    const sent = this.#pending;
    this.#pending = [];
    const results = await Promise.allSettled(sent);
    const failed = results.find((result) => result.status === 'rejected');
    if (this.#loss) throw this.#loss;
    if (failed !== undefined) throw explained(failed.reason);
  }

  /** Signals of the session, other than its end. */
  onSignal(listener: (member: string, body: readonly BusValue[]) => void): void {
    this.#onSignal = listener;
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    if (this.#loss) listener(this.#loss);
    else this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lossListeners.clear();
    if (this.bus.closed) return;
    void this.call('Stop', '', [], { deadlineMs: STOP_MS })
      .catch(() => undefined)
      .finally(() => this.bus.close());
  }

  get #object(): { readonly destination: string; readonly path: string } {
    return { destination: this.#owner ?? REMOTE_DESKTOP_NAME, path: this.#path };
  }

  async #watch(options: CallOptions): Promise<void> {
    await watchName(this.bus, REMOTE_DESKTOP_NAME, (owner) => this.#ownedBy(owner), options);
    if (this.#owner === undefined) throw new Error('nobody owns the name any more');
    await this.bus.addMatch({ type: 'signal', interface: SESSION, path: this.#path }, options);
    this.bus.onSignal(({ sender, path, member, body }) => {
      if (sender !== this.#owner || path !== this.#path) return;
      if (member === 'Closed') this.#lose('GNOME ended our use of keyboard and pointer');
      else this.#onSignal?.(member, body);
    });
  }

  #ownedBy(owner: string | undefined): void {
    if (this.#owner !== undefined && owner !== this.#owner) this.#lose('GNOME Shell has ended');
    else this.#owner = owner;
  }

  #lose(reason: string): void {
    if (this.isLost) return;
    this.#loss = displayUnavailable(this.#display, reason, true);
    for (const listener of this.#lossListeners) listener(this.#loss);
    this.#lossListeners.clear();
    this.bus.close();
  }
}

/** What a refusal of Mutter means. */
export function explained(error: unknown): unknown {
  if (error instanceof DeskterityError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const name = error instanceof BusError ? error.errorName : '';
  if (name.endsWith('.AccessDenied'))
    return new DeskterityError(
      'PERM_DENIED',
      'GNOME does not allow keys and pointer of other programs now.',
      {
        suggestion: `${byPerson('Unlock the screen')}, then repeat the command. Acting through accessibility works without.`,
        platformDetail: `${name}: ${detail}`,
        delivered: false,
        retryable: true,
      },
    );
  if (/\.(?:ServiceUnknown|NameHasNoOwner|UnknownMethod|UnknownObject|UnknownInterface)$/.test(name))
    return unsupported(
      'This GNOME session does not take keys and pointer of other programs: Mutter has no remote desktop.',
      'Act through accessibility, without keyboard and pointer.',
      `${name}: ${detail}`,
    );
  if (/pipewire/i.test(detail)) return noPipeWire(detail);
  return new DeskterityError('ACTION_FAILED', 'GNOME refused to take keys or the pointer.', {
    suggestion: 'Repeat the command; if it fails again, report it with the version of GNOME Shell.',
    platformDetail: `${name}: ${detail}`.slice(0, 300),
    retryable: true,
    cause: error,
  });
}

/** Single calls name places in a screen cast, which Mutter makes only with PipeWire. */
export function noPipeWire(detail?: string): DeskterityError {
  return unsupported(
    'GNOME cannot be told places on the screen: PipeWire does not run.',
    `${byPerson('Start PipeWire in this session')}, or act through accessibility.`,
    detail,
  );
}
