import { mentionCommand } from '../../../model/text/mention.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { clip } from '../../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopNotification, NotificationListener } from '../../../ports/notifications.ts';
import { BusConnection, BusError, type BusValue, type MethodCallMessage, Variant } from '../dbus/index.ts';

const SERVICE = 'org.freedesktop.Notifications';
/** What applications of GNOME call instead, where its shell runs. */
const GTK_SERVICE = 'org.gtk.Notifications';
const BUS = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' } as const;

const RULES = [
  `type='method_call',interface='${SERVICE}',member='Notify'`,
  `type='method_call',interface='${GTK_SERVICE}',member='AddNotification'`,
  `type='signal',sender='${BUS.name}',interface='${BUS.name}',member='NameOwnerChanged',arg0='${SERVICE}'`,
  `type='signal',sender='${BUS.name}',interface='${BUS.name}',member='NameOwnerChanged',arg0='${GTK_SERVICE}'`,
];

const LONGEST_APP = 200;
const LONGEST_SUMMARY = 500;
const LONGEST_BODY = 4000;

/**
 * Listens to what applications ask the notification service of a session bus to show, whether or not one runs, on a connection that only listens.
 * @throws DeskterityError BUS_UNAVAILABLE, ACTION_NOT_SUPPORTED if the bus lets nobody listen
 */
export async function monitorNotifications(
  busAddress: string | undefined,
  { notified, lost }: NotificationListener,
  options: CallOptions,
): Promise<() => void> {
  if (!busAddress) throw unavailable('DBUS_SESSION_BUS_ADDRESS is not set.');
  const bus = await BusConnection.connect(busAddress, options).catch((error: unknown) => {
    throw unavailable(messageOf(error), error);
  });
  let isOver = false;
  const senders = new Senders(busAddress);
  const end = (): void => {
    isOver = true;
    bus.close();
    senders.close();
  };
  bus.onClose(() => {
    if (!isOver) lost();
  });
  /** Who owns each service. */
  const services = new Map<string, string | undefined>();
  try {
    for (const name of [SERVICE, GTK_SERVICE]) services.set(name, await ownerOf(bus, name, options));
    bus.onSignal((signal) => {
      if (signal.sender !== BUS.name || signal.member !== 'NameOwnerChanged') return;
      const [name, , owner] = bodyOf(signal);
      if (typeof name === 'string' && services.has(name))
        services.set(name, typeof owner === 'string' && owner !== '' ? owner : undefined);
    });
    await bus.becomeMonitor(
      RULES,
      (call) => {
        const isOfGtk = call.interface === GTK_SERVICE;
        const service = isOfGtk ? GTK_SERVICE : SERVICE;
        const owner = services.get(service);
        // The service of GNOME passes what it gets on to the shell by the same call.
        if (call.destination !== service && call.destination !== owner) return;
        const told = (isOfGtk ? fromGtk : fromNotify)(bodyOf(call));
        const hasService = owner !== undefined;
        if (told === undefined) return;
        void senders.inTurn(call.sender, (pid) => {
          if (!isOver) notified({ ...told, hasService, ...(pid === undefined ? {} : { pid }) });
        });
      },
      options,
    );
  } catch (error) {
    end();
    throw refused(messageOf(error), error);
  }
  return end;
}

/** A sender that has ended by then is unknown. */
const SENDER_MS = 500;
/** A flood of notifications is told without their senders. */
const MOST_WAITING = 50;

/** Finds the processes that send, in the order of what they send. A connection that only listens cannot ask. */
class Senders {
  private readonly address: string;
  private asking: Promise<BusConnection> | undefined;
  private turn: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(address: string) {
    this.address = address;
  }

  inTurn(sender: string | undefined, tell: (pid: number | undefined) => void): Promise<void> {
    const isKnown = sender !== undefined && this.waiting < MOST_WAITING;
    const pid = isKnown ? this.pidOf(sender) : Promise.resolve(undefined);
    this.turn = this.tellAfter(this.turn, pid, tell);
    return this.turn;
  }

  private async tellAfter(
    before: Promise<void>,
    pid: Promise<number | undefined>,
    tell: (pid: number | undefined) => void,
  ): Promise<void> {
    this.waiting += 1;
    await before;
    const found = await pid;
    this.waiting -= 1;
    tell(found);
  }

  close(): void {
    this.asking?.then(
      (bus) => bus.close(),
      () => undefined,
    );
  }

  private async pidOf(sender: string): Promise<number | undefined> {
    const limit = { deadlineMs: SENDER_MS };
    try {
      this.asking ??= BusConnection.connect(this.address, limit);
      const call = { destination: BUS.name, path: BUS.path, interface: BUS.name };
      const member = 'GetConnectionUnixProcessID';
      const bus = await this.asking;
      const [pid] = await bus.call({ ...call, member, signature: 's', args: [sender] }, limit);
      return typeof pid === 'number' && pid > 0 ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

type Told = Omit<DesktopNotification, 'hasService'>;

/** Notify: app_name, replaces_id, app_icon, summary, body, … */
function fromNotify([app, , , summary, body]: readonly BusValue[]): Told | undefined {
  if (typeof app !== 'string' || typeof summary !== 'string' || typeof body !== 'string') return undefined;
  return told(app, summary, body);
}

/** AddNotification: application id, notification id, properties. */
function fromGtk([app, , properties]: readonly BusValue[]): Told | undefined {
  if (typeof app !== 'string' || !(properties instanceof Map)) return undefined;
  const text = (key: string): string => {
    const held: unknown = properties.get(key);
    const value: unknown = held instanceof Variant ? held.value : held;
    return typeof value === 'string' ? value : '';
  };
  return told(app, text('title'), text('body'));
}

function told(app: string, summary: string, body: string): Told {
  return {
    app: clip(app, LONGEST_APP),
    summary: clip(summary, LONGEST_SUMMARY),
    body: clip(body, LONGEST_BODY),
  };
}

/** Anyone on the bus may send anything. */
function bodyOf(message: Pick<MethodCallMessage, 'body'>): readonly BusValue[] {
  try {
    return message.body;
  } catch {
    return [];
  }
}

async function ownerOf(bus: BusConnection, name: string, options: CallOptions): Promise<string | undefined> {
  const call = { destination: BUS.name, path: BUS.path, interface: BUS.name, member: 'GetNameOwner' };
  try {
    const [owner] = await bus.call({ ...call, signature: 's', args: [name] }, options);
    return typeof owner === 'string' ? owner : undefined;
  } catch (error) {
    if (error instanceof BusError && error.errorName.endsWith('.NameHasNoOwner')) return undefined;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unavailable(detail: string, cause?: unknown): DeskterityError {
  return new DeskterityError('BUS_UNAVAILABLE', 'The bus that carries notifications could not be reached.', {
    suggestion: `See what is missing with ${mentionCommand('doctor')}.`,
    platformDetail: detail,
    cause,
  });
}

function refused(detail: string, cause: unknown): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', 'This desktop lets nobody see its notifications.', {
    suggestion: `Wait for what is on the screen instead: ${mentionCommand('wait', { text: 'TEXT' })}.`,
    platformDetail: detail,
    cause,
  });
}
