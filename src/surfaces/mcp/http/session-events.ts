import type { EventStore, JSONRPCMessage } from '../sdk.ts';

/** The library's name for the stream that a GET request opens. */
const STANDALONE = '_GET_stream';

interface KeptEvent {
  readonly stream: string;
  readonly number: number;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

export interface EventBudget {
  readonly keptMessages: number;
  readonly keptBytes: number;
}

/**
 * The latest messages of one session, for resuming lost streams. An event id is the stream and a number that increases across streams. A stream
 * can be resumed after an event unless a later event of that stream has been dropped.
 */
export class SessionEvents implements EventStore {
  private readonly budget: EventBudget;
  private readonly kept: KeptEvent[] = [];
  private keptBytes = 0;
  private last = 0;
  /** The last dropped event of each stream. */
  private readonly dropped = new Map<string, number>();
  /** The last event of all streams that were removed from {@link dropped}. */
  private lastForgotten = 0;
  private replay: Promise<void> | undefined;

  constructor(budget: EventBudget) {
    this.budget = budget;
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.last += 1;
    const number = this.last;
    const bytes = JSON.stringify(message).length;
    this.kept.push({ stream, number, message, bytes });
    this.keptBytes += bytes;
    this.dropTo(this.budget);
    // The library would lose messages sent before a replay has opened its stream.
    await this.replay;
    return idOf(stream, number);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = parse(lastEventId);
    if (from === undefined) throw new Error('no event has this id');
    this.replay = new Promise((resolve) => {
      setImmediate(() => {
        this.replay = undefined;
        resolve();
      });
    });
    const missed = this.kept.filter(
      // Events that only carry an id have no message.
      ({ stream, number, message }) => stream === from.stream && number > from.number && 'jsonrpc' in message,
    );
    for (const { stream, number, message } of missed) await send(idOf(stream, number), message);
    return from.stream;
  }

  /** Whether all later events of the event's stream are kept. */
  canResume(eventId: string): boolean {
    const from = parse(eventId);
    if (from === undefined || from.number > this.last) return false;
    const { stream, number } = from;
    const dropped = this.dropped.get(stream) ?? (stream === STANDALONE ? 0 : this.lastForgotten);
    if (dropped > number) return false;
    return (
      stream === STANDALONE || this.dropped.has(stream) || this.kept.some((each) => each.stream === stream)
    );
  }

  /** An id for the current position in the stream of a GET request, for resuming before its first message. */
  get currentId(): string {
    return idOf(STANDALONE, this.last);
  }

  /** Forgets all messages: what they say may no longer be told. */
  clear(): void {
    this.dropTo({ keptMessages: 0, keptBytes: 0 });
  }

  private dropTo({ keptMessages, keptBytes }: EventBudget): void {
    while (this.kept.length > keptMessages || this.keptBytes > keptBytes) {
      const oldest = this.kept.shift();
      if (oldest === undefined) return;
      this.keptBytes -= oldest.bytes;
      this.forget(oldest);
    }
  }

  private forget({ stream, number }: KeptEvent): void {
    this.dropped.delete(stream);
    this.dropped.set(stream, number);
    if (this.dropped.size <= this.budget.keptMessages) return;
    const longest = [...this.dropped].find(([name]) => name !== STANDALONE);
    if (longest === undefined) return;
    this.dropped.delete(longest[0]);
    this.lastForgotten = Math.max(this.lastForgotten, longest[1]);
  }
}

function idOf(stream: string, number: number): string {
  return `${stream}_${number}`;
}

function parse(eventId: string): { readonly stream: string; readonly number: number } | undefined {
  const [, stream, number] = /^(.{1,80})_(\d{1,15})$/.exec(eventId) ?? [];
  return stream === undefined ? undefined : { stream, number: Number(number) };
}
