import type { DeskterityError } from '../../../../model/effects/errors.ts';
import { stillActing, TurnQueue } from '../../../../model/turn-queue.ts';
import type { Turn } from '../../../../ports/desktop/acts.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import { BusError, within, type BusConnection } from '../../dbus/index.ts';
import { cancelled } from '../../failures.ts';
import { DBUS_NAME, DBUS_PATH, INTERFACE } from '../tree/names.ts';
import { busFailure } from './accessibility-bus.ts';

const BUS = { destination: DBUS_NAME, path: DBUS_PATH, interface: INTERFACE.DBUS } as const;
/** Reply of RequestName: another connection owns the name, and ours is in its queue (D-Bus specification, "Message Bus Messages"). */
const IN_QUEUE = 2;
/** For finding out which process is still acting. */
const NAMING_MS = 100;

/**
 * Lets one act at a time into each application. Acts of this process wait in a queue. Acts of all processes on one desktop share its session
 * bus, so each also owns a name there: the bus queues those that want the name, and takes it from a process that ends. Not on the accessibility
 * bus: when a name there is released, its registry forgets the events that the owner has registered for.
 */
export class Turns {
  readonly #connection: BusConnection;
  readonly #queue = new TurnQueue<number>();

  /** @param connection to the session bus */
  constructor(connection: BusConnection) {
    this.#connection = connection;
  }

  /** @throws DeskterityError CONFLICT if another act is still under way when time runs out; CANCELLED */
  async take(pid: number, options: CallOptions): Promise<Turn> {
    const place = this.#queue.join(pid);
    const name = `org.deskterity.Turn.p${pid}`;
    let isReached = false;
    let waited = place.waits;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      // Written before anything that the next in our queue sends on this connection.
      if (isReached) this.#release(name);
      place.leave();
    };
    try {
      await within(place.reached, options);
      isReached = true;
      await this.#own(name, options, () => {
        waited = true;
      });
      return { waited, end };
    } catch (error) {
      const holder = waited ? await this.#processOf(name) : undefined;
      end();
      throw failureOf(error, waited, holder);
    }
  }

  /** Waits for the name; calls `onQueued` if another process owns it. A bus that hands out no names cannot be waited for. */
  async #own(name: string, options: CallOptions, onQueued: () => void): Promise<void> {
    let acquire = (): void => undefined;
    const acquired = new Promise<void>((resolve) => {
      acquire = resolve;
    });
    const ignore = this.#connection.onSignal((message) => {
      if (message.member === 'NameAcquired' && message.sender === DBUS_NAME && message.body[0] === name)
        acquire();
    });
    try {
      const request = { ...BUS, member: 'RequestName', signature: 'su', args: [name, 0] };
      const [reply] = await this.#connection.call(request, options);
      if (reply !== IN_QUEUE) return;
      onQueued();
      await within(acquired, options);
    } catch (error) {
      if (!(error instanceof BusError) || error.errorName.startsWith('local.')) throw error;
    } finally {
      ignore();
    }
  }

  #release(name: string): void {
    const call = { ...BUS, member: 'ReleaseName', signature: 's', args: [name] };
    this.#connection.call(call, { deadlineMs: NAMING_MS }).catch(() => undefined);
  }

  async #processOf(name: string): Promise<number | undefined> {
    const call = { ...BUS, member: 'GetConnectionUnixProcessID', signature: 's', args: [name] };
    const [pid] = await this.#connection.call(call, { deadlineMs: NAMING_MS }).catch(() => []);
    return typeof pid === 'number' ? pid : undefined;
  }
}

function failureOf(error: unknown, waited: boolean, holder: number | undefined): DeskterityError {
  const name = error instanceof BusError ? error.errorName : '';
  if (name === 'local.Cancelled')
    return cancelled('Cancelled while another act in this application was under way.', {
      delivered: false,
      cause: error,
    });
  if (!waited || name !== 'local.Timeout')
    return busFailure('The session bus did not answer.', error).with({ delivered: false });
  return stillActing(error, holder === process.pid ? undefined : holder);
}
