import { byPerson, mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import { BusConnection, BusError, Variant, watchName, within } from '../../dbus/index.ts';
import { cancelled } from '../../failures.ts';
import { DBUS_NAME, DBUS_PATH, INTERFACE, REGISTRY_NAME, REGISTRY_PATH, ROOT_PATH } from '../tree/names.ts';
import type { ObjectReference } from '../tree/object-facts.ts';
import { readingTemplates } from '../tree/templates.ts';

/** For work that several callers wait for, each with its own deadline. */
const SHARED_WORK_MS = 10_000;

const A11Y_BUS = { destination: 'org.a11y.Bus', path: '/org/a11y/bus' } as const;
const IS_ENABLED = [A11Y_BUS.destination, A11Y_BUS.path, 'org.a11y.Status', 'IsEnabled'] as const;

/**
 * The accessibility bus of one desktop: found through the session bus; one connection serves the registry, events and
 * toolkits that offer no private socket.
 */
export class AccessibilityBus {
  readonly session: BusConnection;
  readonly connection: BusConnection;
  private readonly registry = readingTemplates(REGISTRY_NAME);
  private readonly lossListeners = new Set<(reason: DeskterityError) => void>();
  private loss: DeskterityError | undefined;
  private launcher: string | undefined;
  private registryWatch: Promise<unknown> | undefined;
  private registeredEvents: Promise<void> | undefined;

  private constructor(session: BusConnection, connection: BusConnection) {
    this.session = session;
    this.connection = connection;
    connection.onClose((cause) => this.lose('The accessibility bus ended.', cause));
    session.onClose((cause) => this.lose('The session bus ended.', cause));
  }

  /** @throws DeskterityError BUS_UNAVAILABLE when there is no session bus, or no accessibility bus behind it. */
  static async connect(sessionAddress: string | undefined, options: CallOptions): Promise<AccessibilityBus> {
    if (!sessionAddress) {
      throw new DeskterityError('BUS_UNAVAILABLE', 'No session bus: DBUS_SESSION_BUS_ADDRESS is not set.', {
        suggestion: `${byPerson('Run this inside a desktop session')}, or start a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
      });
    }
    const session = await connectOrExplain(sessionAddress, options, 'session bus');
    try {
      const address = await accessibilityAddress(session, options);
      const connection = await connectOrExplain(address, options, 'accessibility bus');
      const bus = new AccessibilityBus(session, connection);
      await bus.watchLauncher(options).catch((error: unknown) => {
        bus.close();
        throw busUnavailable('The session bus did not answer.', error);
      });
      return bus;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Calls `listener` once when this bus has ended or was replaced; immediately if that has already happened. */
  onLoss(listener: (reason: DeskterityError) => void): void {
    if (this.loss === undefined) this.lossListeners.add(listener);
    else listener(this.loss);
  }

  /** Identifies this instance of the bus: handles from another instance are invalid. */
  get generation(): string {
    return this.connection.guid;
  }

  /** The root object of every registered application. */
  async applications(options: CallOptions): Promise<readonly ObjectReference[]> {
    try {
      return await this.connection.invoke(this.registry.children, ROOT_PATH, options);
    } catch (error) {
      throw busFailure('The accessibility registry did not answer.', error);
    }
  }

  async processId(bus: string, options: CallOptions): Promise<number> {
    const daemon = { destination: DBUS_NAME, path: DBUS_PATH, interface: INTERFACE.DBUS };
    const member = 'GetConnectionUnixProcessID';
    const [pid] = await this.connection.call({ ...daemon, member, signature: 's', args: [bus] }, options);
    return typeof pid === 'number' ? pid : 0;
  }

  /**
   * Makes applications emit events; ATK toolkits also need it to fill Cache.GetItems. Lasts as long as the registry, and is
   * repeated when the registry is replaced.
   */
  async registerEvents(options: CallOptions): Promise<void> {
    this.registeredEvents ??= this.register();
    try {
      await within(this.registeredEvents, options);
    } catch (error) {
      throw busFailure('The accessibility registry refused to deliver events.', error);
    }
  }

  private async register(): Promise<void> {
    // Its own deadline: the first caller may give up before the others do.
    const settings = { deadlineMs: SHARED_WORK_MS };
    try {
      this.registryWatch ??= this.watchRegistry(settings);
      await Promise.all([this.registryWatch, ...EVENTS.map((event) => this.registerEvent(event, settings))]);
    } catch (error) {
      this.registeredEvents = undefined;
      throw error;
    }
  }

  private async watchRegistry(settings: CallOptions): Promise<void> {
    let known: string | undefined;
    const onOwner = (owner: string | undefined): void => {
      const isReplaced = known !== undefined && owner !== undefined && owner !== known;
      known = owner ?? known;
      if (!isReplaced) return;
      this.registeredEvents = this.register();
      this.registeredEvents.catch(() => undefined);
    };
    try {
      await watchName(this.connection, REGISTRY_NAME, onOwner, settings);
    } catch (error) {
      this.registryWatch = undefined;
      throw error;
    }
  }

  private registerEvent(event: string, settings: CallOptions): Promise<unknown> {
    const registry = { destination: REGISTRY_NAME, path: REGISTRY_PATH, interface: INTERFACE.REGISTRY };
    const call = { ...registry, member: 'RegisterEvent', signature: 'sass', args: [event, [], ''] };
    return this.connection.call(call, settings);
  }

  /** A restarted launcher starts another accessibility bus, and applications started later join only that one. */
  private async watchLauncher(options: CallOptions): Promise<void> {
    const onOwner = (owner: string | undefined): void => {
      if (owner === undefined) return;
      this.launcher ??= owner;
      if (owner !== this.launcher) this.lose('The accessibility bus was restarted.', undefined);
    };
    await watchName(this.session, A11Y_BUS.destination, onOwner, options);
  }

  private lose(message: string, cause: unknown): void {
    if (this.loss !== undefined) return;
    this.loss = busUnavailable(message, cause);
    const listeners = [...this.lossListeners];
    this.lossListeners.clear();
    for (const listener of listeners) listener(this.loss);
  }

  async isEnabled(options: CallOptions): Promise<boolean> {
    const value = await this.session.getProperty(...IS_ENABLED, options);
    return value === true || (value instanceof Variant && value.value === true);
  }

  /** Switches accessibility on for the whole desktop. The setting persists, so only on a person's request. */
  async enable(options: CallOptions): Promise<void> {
    await this.session.setProperty(...IS_ENABLED, new Variant('b', true), options);
  }

  /** Does not notify the loss listeners. */
  close(): void {
    this.lossListeners.clear();
    this.connection.close();
    this.session.close();
  }
}

/** The event classes we use; registering for all of them would slow down busy applications. */
const EVENTS = [
  'object:state-changed',
  'object:property-change',
  // Qt sends value changes only to listeners registered for this name.
  'object:property-change:accessible-value',
  'object:text-changed',
  'object:text-caret-moved',
  'object:text-selection-changed',
  'object:children-changed',
  'object:selection-changed',
  'window:',
] as const;

async function accessibilityAddress(session: BusConnection, options: CallOptions): Promise<string> {
  try {
    const [address] = await session.call(
      { ...A11Y_BUS, interface: 'org.a11y.Bus', member: 'GetAddress' },
      options,
    );
    if (typeof address === 'string' && address !== '') return address;
  } catch (error) {
    throw busUnavailable('The session bus has no accessibility bus.', error);
  }
  throw busFailure('The session bus returned no address for the accessibility bus.', undefined);
}

async function connectOrExplain(address: string, options: CallOptions, what: string): Promise<BusConnection> {
  try {
    return await BusConnection.connect(address, options);
  } catch (error) {
    throw busUnavailable(`The ${what} cannot be reached.`, error);
  }
}

/** The error for a failed call to the bus; if the bus was reached, the caller's time may simply have run out. */
export function busFailure(message: string, cause: unknown): DeskterityError {
  if (cause instanceof DeskterityError) return cause;
  if (cause instanceof BusError && cause.errorName === 'local.Cancelled') {
    return cancelled(`${message} It was cancelled.`, { cause });
  }
  if (cause instanceof BusError && cause.errorName === 'local.Timeout') {
    return new DeskterityError('TIMEOUT', `${message} Time ran out.`, {
      suggestion: `Raise ${mentionParameter('timeout_ms')}.`,
      platformDetail: `${cause.errorName}: ${cause.message}`,
      retryable: true,
      cause,
    });
  }
  return busUnavailable(message, cause);
}

function busUnavailable(message: string, cause: unknown): DeskterityError {
  return new DeskterityError('BUS_UNAVAILABLE', message, {
    suggestion: `${byPerson('Install the package at-spi2-core, or check that the desktop session runs as this user')}; or start a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
    ...(cause instanceof BusError ? { platformDetail: `${cause.errorName}: ${cause.message}` } : {}),
    retryable: true,
    cause,
  });
}
