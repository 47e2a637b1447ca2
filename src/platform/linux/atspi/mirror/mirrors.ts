import type { CallOptions } from '../../../../ports/call-options.ts';
import type { AccessibilityBus } from '../bus/accessibility-bus.ts';
import type { Application } from '../bus/application.ts';
import { ROOT_PATH } from '../tree/names.ts';
import { CHANGE_INTERFACES, noteChange } from './changes.ts';
import { Mirror } from './mirror.ts';

/** Applications whose events we receive: each makes ours and the bus work while it changes. */
const MAX_APPLICATIONS = 8;
const START_MS = 10_000;

interface Observed {
  readonly application: Application;
  readonly mirror: Mirror;
  isActive: boolean;
  stop: () => void;
}

/** The mirrors of the applications that were read last, on one accessibility bus. */
export class Mirrors {
  readonly #bus: AccessibilityBus;
  /** By bus name, used last at the end. */
  readonly #observed = new Map<string, Observed>();

  constructor(bus: AccessibilityBus) {
    this.#bus = bus;
    bus.connection.onSignal((message) => {
      const observed = message.sender === undefined ? undefined : this.#observed.get(message.sender);
      if (observed) noteChange(observed.mirror, message);
    });
  }

  /**
   * The mirror of an application with all changes so far; `undefined` while it does not receive its events yet. The first call makes it observe the
   * application.
   */
  async current(application: Application, options: CallOptions): Promise<Mirror | undefined> {
    const observed = this.#observe(application);
    if (!observed.isActive) return undefined;
    const isCurrent = await catchUp(application, options).then(
      () => true,
      // The reading itself finds out and tells what is wrong.
      () => false,
    );
    return isCurrent ? observed.mirror : undefined;
  }

  /** The mirror of an application that is observed already, for keeping what is read anew. */
  observed(application: Application): Mirror | undefined {
    const known = this.#observed.get(application.bus);
    return known?.application === application && known.isActive ? known.mirror : undefined;
  }

  /** An application has left the bus. */
  forget(bus: string): void {
    this.#observed.get(bus)?.stop();
    this.#observed.delete(bus);
  }

  #observe(application: Application): Observed {
    const { bus } = application;
    const known = this.#observed.get(bus);
    if (known?.application === application) {
      this.#observed.delete(bus);
      this.#observed.set(bus, known);
      return known;
    }
    known?.stop();
    const made: Observed = {
      application,
      mirror: new Mirror(() => application.traits.kind),
      isActive: false,
      stop: () => undefined,
    };
    this.#observed.set(bus, made);
    for (const [name, { stop }] of this.#observed) {
      if (this.#observed.size <= MAX_APPLICATIONS) break;
      stop();
      this.#observed.delete(name);
    }
    this.#start(made).catch(() => {
      if (this.#observed.get(bus) === made) this.#observed.delete(bus);
    });
    return made;
  }

  async #start(observed: Observed): Promise<void> {
    const { connection } = this.#bus;
    const settings = { deadlineMs: START_MS };
    const { bus: sender } = observed.application;
    const removals = await Promise.all([
      ...CHANGE_INTERFACES.map((name) =>
        connection.addMatch({ type: 'signal', sender, interface: name }, settings),
      ),
      this.#bus.registerEvents(settings).then(() => async () => undefined),
    ]);
    observed.stop = () => {
      observed.isActive = false;
      observed.mirror.end();
      for (const remove of removals) remove().catch(() => undefined);
    };
    // The registry announces a registration to applications before it answers the next call, and applications notice it before they answer ours.
    await this.#bus.applications(settings);
    await catchUp(observed.application, settings);
    if (this.#observed.get(sender) !== observed) {
      observed.stop();
      return;
    }
    observed.mirror.begin();
    observed.isActive = true;
  }
}

/** Asks the application one question. All events that it sent before are here when its answer is. */
async function catchUp({ daemonChannel }: Application, options: CallOptions): Promise<void> {
  const { connection, templates } = daemonChannel;
  await connection.invoke(templates.state, ROOT_PATH, options);
}
