import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import { busFailure } from '../../../../atspi/bus/accessibility-bus.ts';
import { BusConnection, BusError, watchName, type BusValue, type Variant } from '../../../../dbus/index.ts';
import { sessionBusOf } from '../../session-bus.ts';
import { asDeskterityError, displayUnavailable } from '../../wire/wayland-errors.ts';
import { EXTENSION, EXTENSION_VERSION, extensionFolder, SECRET_FILE } from './extension-place.ts';

const MOST_CHALLENGE = 200;
/** Errors of a bus that has nobody, or a shell that has nothing, at this place. */
const ABSENT =
  /\.(?:ServiceUnknown|NameHasNoOwner|UnknownMethod|UnknownObject|UnknownInterface|UnknownProperty)$/;

/** Method, signature and arguments. */
export type ExtensionCall = readonly [member: string, signature: string, args: readonly BusValue[]];

/** A window that opened, closed or changed; '' for none. */
export type ExtensionEvent = (kind: string, id: string) => void;

/** A connection to our extension in GNOME Shell, which has admitted us. After a loss every call rejects. */
export class ShellExtension {
  readonly #bus: BusConnection;
  /** The unique name of the shell: what answers later under its known name would be another program. */
  readonly #owner: string;
  readonly #display: string;
  readonly #lossListeners = new Set<(reason: DeskterityError) => void>();
  readonly #eventListeners = new Set<ExtensionEvent>();
  #loss: DeskterityError | undefined;
  #isClosed = false;

  private constructor(bus: BusConnection, owner: string, display: string) {
    this.#bus = bus;
    this.#owner = owner;
    this.#display = display;
    bus.onClose(() => this.#lose('the session bus closed the connection'));
    bus.onSignal(({ sender, path: from, interface: of, member, body: [kind, id] }) => {
      if (sender !== owner || from !== EXTENSION.path || of !== EXTENSION.interface) return;
      if (member !== 'Changed' || typeof kind !== 'string' || typeof id !== 'string') return;
      for (const listener of this.#eventListeners) listener(kind, id);
    });
  }

  /** `undefined` where the extension is not installed, does not run, or does not admit us. @throws DeskterityError if time runs out */
  static async open(
    environment: Environment,
    display: string,
    options: CallOptions,
  ): Promise<ShellExtension | undefined> {
    const secret = await secretOf(environment);
    if (secret === undefined) return undefined;
    const bus = await BusConnection.connect(sessionBusOf(environment), options);
    try {
      let extension: ShellExtension | undefined;
      const owned = (owner: string | undefined): void => {
        if (extension !== undefined) extension.#lose('GNOME Shell has ended');
        else if (owner !== undefined) extension = new ShellExtension(bus, owner, display);
      };
      await watchName(bus, EXTENSION.destination, owned, options);
      if (extension !== undefined && (await isAdmitted(bus, extension.#owner, secret, options)))
        return extension;
    } catch (error) {
      bus.close();
      // Not answered in time is not the same as not there.
      if (!(error instanceof BusError) || error.errorName.startsWith('local.')) throw error;
      return undefined;
    }
    bus.close();
    return undefined;
  }

  get isLost(): boolean {
    return this.#loss !== undefined || this.#isClosed;
  }

  /**
   * @param doing as after "while", for errors
   * @throws DeskterityError
   */
  async call(
    [member, signature, args]: ExtensionCall,
    doing: string,
    options: CallOptions,
  ): Promise<BusValue | undefined> {
    if (this.#loss) throw this.#loss;
    try {
      const call = { ...EXTENSION, destination: this.#owner, member, signature, args };
      return (await this.#bus.call(call, options))[0];
    } catch (error) {
      if (error instanceof BusError && ABSENT.test(error.errorName))
        this.#lose('our extension in GNOME Shell was turned off, or the screen was locked');
      if (this.#loss) throw this.#loss;
      const isLocal = error instanceof BusError && error.errorName.startsWith('local.');
      throw isLocal
        ? busFailure(`GNOME Shell did not answer while ${doing}.`, error)
        : asDeskterityError(error, doing);
    }
  }

  onEvent(listener: ExtensionEvent): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    if (this.#loss) listener(this.#loss);
    else this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#lossListeners.clear();
    this.#bus.close();
  }

  #lose(reason: string): void {
    if (this.isLost) return;
    this.#loss = displayUnavailable(this.#display, reason, true);
    for (const listener of this.#lossListeners) listener(this.#loss);
    this.#lossListeners.clear();
    this.#bus.close();
  }
}

/**
 * Calls `listener` when our extension begins to serve: it was just turned on, or the screen was unlocked. Whoever sends this signal only makes us look.
 */
export async function onExtensionReady(
  bus: BusConnection,
  listener: () => void,
  options: CallOptions,
): Promise<void> {
  const { path: from, interface: of } = EXTENSION;
  await bus.addMatch({ type: 'signal', interface: of, path: from, member: 'Ready' }, options);
  bus.onSignal((signal) => {
    if (signal.path === from && signal.interface === of && signal.member === 'Ready') listener();
  });
}

/** Proves that we can read the secret, without sending it: the proof is for our name on the bus and this login only. */
async function isAdmitted(
  bus: BusConnection,
  owner: string,
  secret: string,
  options: CallOptions,
): Promise<boolean> {
  const { path: at, interface: of } = EXTENSION;
  const [version, challenge] = await Promise.all([
    bus.getProperty(owner, at, of, 'Version', options).then(plain),
    bus.getProperty(owner, at, of, 'Challenge', options).then(plain),
  ]);
  if (version !== EXTENSION_VERSION || typeof challenge !== 'string') return false;
  if (challenge.length > MOST_CHALLENGE) return false;
  const proof = createHmac('sha256', secret).update(`${challenge} ${bus.uniqueName}`).digest('hex');
  const call = { ...EXTENSION, destination: owner, member: 'Admit', signature: 's', args: [proof] };
  await bus.call(call, options);
  return true;
}

function plain(value: BusValue | Variant): unknown {
  const wrapped = z.object({ value: z.unknown() }).safeParse(value);
  return wrapped.success ? wrapped.data.value : value;
}

async function secretOf(environment: Environment): Promise<string | undefined> {
  const folder = extensionFolder(environment);
  if (folder === undefined) return undefined;
  return readFile(path.join(folder, SECRET_FILE), 'utf8').catch(() => undefined);
}
