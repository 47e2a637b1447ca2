import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopEvent, DesktopEventKind, WatchScope } from '../../../ports/desktop/events.ts';
import { busFailure } from '../atspi/bus/accessibility-bus.ts';
import { toDesktopEvent } from '../atspi/bus/events.ts';
import { ROOT_PATH } from '../atspi/tree/names.ts';
import type { Connections } from './connections.ts';
import type { SignalMessage } from '../dbus/index.ts';
import type { DisplayWindowEvent } from '../display/display.ts';

const OBJECT_EVENTS = 'org.a11y.atspi.Event.Object';
const WINDOW_EVENTS = 'org.a11y.atspi.Event.Window';
/** For repeating a subscription on a new bus, which no caller waits for. */
const RESUME_MS = 10_000;

type Sources = Pick<Connections, 'bus' | 'windows'>;

/** One listener, and how to unsubscribe it from the current bus. */
interface Stream extends WatchScope {
  readonly listener: (event: DesktopEvent) => void;
  leave: () => void;
}

/** All event listeners. They stay subscribed when the bus is replaced. */
export class EventStreams {
  private readonly streams = new Set<Stream>();

  /** Resolves when the subscription is active. @throws DeskterityError BUS_UNAVAILABLE, TIMEOUT, CANCELLED, with nothing left subscribed */
  async add(
    sources: Sources,
    listener: (event: DesktopEvent) => void,
    options: CallOptions & WatchScope,
  ): Promise<() => void> {
    const { appId, windowsOnly } = options;
    const stream: Stream = { appId, windowsOnly, listener, leave: () => undefined };
    await subscribe(sources, stream, options);
    this.streams.add(stream);
    return () => {
      this.streams.delete(stream);
      stream.leave();
    };
  }

  /** Subscribes all listeners to a new bus. Bus names are not valid there, so listeners to one application are dropped. */
  resume(sources: Sources): void {
    for (const stream of this.streams) {
      stream.leave();
      if (stream.appId !== undefined) continue;
      void this.resubscribe(sources, stream);
    }
  }

  /** Reports the loss of the desktop to all listeners. */
  reportLoss(): void {
    const event = { kind: 'desktop-lost', node: { app: '', path: '' }, detail: '' } as const;
    for (const { listener } of this.streams) listener({ ...event, atMs: performance.now() });
  }

  private async resubscribe(sources: Sources, stream: Stream): Promise<void> {
    try {
      await subscribe(sources, stream, { deadlineMs: RESUME_MS });
      // It may have been removed meanwhile.
      if (!this.streams.has(stream)) stream.leave();
    } catch {
      // It is retried on the next bus.
    }
  }
}

async function subscribe({ bus, windows }: Sources, stream: Stream, options: CallOptions): Promise<void> {
  const { connection } = bus;
  const undo = [
    connection.onSignal((message) => {
      if (!isWanted(message, stream)) return;
      const event = toDesktopEvent(message, performance.now());
      if (event) stream.listener(event);
    }),
  ];
  const leave = (): void => {
    for (const step of undo.splice(0)) step();
  };
  stream.leave = leave;
  const rules = [
    { interface: WINDOW_EVENTS, ...(stream.appId ? { sender: stream.appId } : {}) },
    {
      interface: OBJECT_EVENTS,
      ...(stream.appId ? { sender: stream.appId } : {}),
      ...(stream.windowsOnly === true ? { path: ROOT_PATH } : {}),
    },
  ].map(async (rule) => {
    const remove = await connection.addMatch({ type: 'signal', ...rule }, options);
    undo.push(() => {
      remove().catch(() => undefined);
    });
  });
  const watchWindows = async (): Promise<void> => {
    undo.push(await windows.display.watch((event) => stream.listener(fromDisplay(event)), options));
  };
  const outcomes = await Promise.allSettled([
    ...rules,
    bus.registerEvents(options),
    ...(stream.appId === undefined ? [watchWindows()] : []),
  ]);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failure) return;
  leave();
  throw busFailure('The accessibility bus did not accept the subscription.', failure.reason);
}

/** The connection receives what any listener on it subscribed to. */
function isWanted(
  message: Pick<SignalMessage, 'sender' | 'interface' | 'path'>,
  { appId, windowsOnly }: WatchScope,
): boolean {
  if (appId !== undefined && message.sender !== appId) return false;
  // The children of root objects are windows or, for the registry's root, applications.
  return windowsOnly !== true || message.interface === WINDOW_EVENTS || message.path === ROOT_PATH;
}

const DISPLAY_KINDS = {
  'window-opened': 'window-opened',
  'window-closed': 'window-closed',
  'window-changed': 'window-changed',
  'active-changed': 'window-changed',
} as const satisfies Record<DisplayWindowEvent['kind'], DesktopEventKind>;

function fromDisplay({ kind, id }: DisplayWindowEvent): DesktopEvent {
  return {
    kind: DISPLAY_KINDS[kind],
    node: { app: '', path: id ?? '' },
    detail: '',
    atMs: performance.now(),
  };
}
