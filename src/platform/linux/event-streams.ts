import type { CallOptions, DesktopEvent } from '../../ports/desktop.ts';
import { busFailure } from './atspi/accessibility-bus.ts';
import type { AccessibilityBus } from './atspi/accessibility-bus.ts';
import { toDesktopEvent } from './atspi/events.ts';

const INTERFACES = ['org.a11y.atspi.Event.Object', 'org.a11y.atspi.Event.Window'];
/** For a subscription that is repeated on a new bus: nobody waits for it. */
const RESUME_MS = 10_000;

/** One listener, and what is to be undone on the bus it listens to now. */
interface Stream {
  readonly appId: string | undefined;
  readonly listener: (event: DesktopEvent) => void;
  leave: () => void;
}

/** Everybody who listens to events. Who listens goes on listening when the bus is replaced. */
export class EventStreams {
  private readonly streams = new Set<Stream>();

  /** Resolves when the subscription is live. @throws DeskterityError BUS_UNAVAILABLE, TIMEOUT, CANCELLED; then nothing is left of it */
  async add(
    bus: AccessibilityBus,
    listener: (event: DesktopEvent) => void,
    options: CallOptions & { readonly appId?: string | undefined },
  ): Promise<() => void> {
    const stream: Stream = { appId: options.appId, listener, leave: () => undefined };
    await join(bus, stream, options);
    this.streams.add(stream);
    return () => {
      this.streams.delete(stream);
      stream.leave();
    };
  }

  /** Lets everybody listen to a new bus. Names of applications mean nothing there, so whoever listened to one hears no more. */
  resume(bus: AccessibilityBus): void {
    for (const stream of this.streams) {
      stream.leave();
      if (stream.appId !== undefined) continue;
      void this.rejoin(bus, stream);
    }
  }

  private async rejoin(bus: AccessibilityBus, stream: Stream): Promise<void> {
    try {
      await join(bus, stream, { deadlineMs: RESUME_MS });
      // It may have left meanwhile.
      if (!this.streams.has(stream)) stream.leave();
    } catch {
      // The bus that comes after this one may do better.
    }
  }
}

async function join(bus: AccessibilityBus, stream: Stream, options: CallOptions): Promise<void> {
  const { connection } = bus;
  const undo = [
    connection.onSignal((message) => {
      if (stream.appId !== undefined && message.sender !== stream.appId) return;
      const event = toDesktopEvent(message, performance.now());
      if (event) stream.listener(event);
    }),
  ];
  const leave = (): void => {
    for (const step of undo.splice(0)) step();
  };
  stream.leave = leave;
  const rules = INTERFACES.map(async (name) => {
    const rule = {
      type: 'signal',
      interface: name,
      ...(stream.appId ? { sender: stream.appId } : {}),
    } as const;
    const remove = await connection.addMatch(rule, options);
    undo.push(() => {
      remove().catch(() => undefined);
    });
  });
  const outcomes = await Promise.allSettled([...rules, bus.registerEvents(options)]);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failure) return;
  leave();
  throw busFailure('The accessibility bus did not take the subscription.', failure.reason);
}
