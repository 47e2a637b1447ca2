import type { McpConnection, Unwatch } from './connection.ts';
import { atMost } from './in-time.ts';
import { ProtocolError, ProtocolErrorCode } from '../sdk.ts';

/** What a `subscriptions/listen` request of the modern era asks to be told. */
export interface ListenFilter {
  readonly resourceSubscriptions?: readonly string[] | undefined;
  readonly resourcesListChanged?: boolean | undefined;
  readonly toolsListChanged?: boolean | undefined;
}

/** Where changes go; the protocol library hands them to the streams that asked for them. */
export interface ChangeSink {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
  toolsChanged(): void;
}

interface Shared {
  uses: number;
  readonly watch: Promise<Unwatch>;
}

/** What one stream is really told of. */
export interface Honored {
  readonly uris: ReadonlySet<string>;
  readonly isListWatched: boolean;
  readonly areToolsWatched: boolean;
  /** Why nothing of what was asked for can be watched. */
  readonly refusal: ProtocolError | undefined;
}

/** The watches of one stream. */
export interface Listening {
  /** Resolves when every later change of what is honored will be told; what takes too long to set up is not. Never rejects. */
  readonly ready: Promise<Honored>;
  readonly end: Unwatch;
}

/** Beside addresses of resources; no address looks like these. */
const LIST = '';
const TOOLS = ' tools';
/** Far beyond the deadline of a reading. */
const READY_MS = 15_000;

/** The watches that open `subscriptions/listen` streams need: one for each resource, however many streams name it. */
export class ListenWatches {
  private readonly connection: Pick<McpConnection, 'resources' | 'watchTools'>;
  private readonly sink: ChangeSink;
  private readonly shared = new Map<string, Shared>();

  constructor(connection: Pick<McpConnection, 'resources' | 'watchTools'>, sink: ChangeSink) {
    this.connection = connection;
    this.sink = sink;
  }

  /** Begins to watch for one stream. */
  open(filter: ListenFilter): Listening {
    const uris = (filter.resourceSubscriptions ?? []).filter((uri) => uri !== LIST && uri !== TOOLS);
    const keys = new Set([
      ...(filter.toolsListChanged === true ? [TOOLS] : []),
      ...(filter.resourcesListChanged === true ? [LIST] : []),
      ...uris,
    ]);
    const held = new Set(keys);
    const release = (key: string): void => {
      if (held.delete(key)) this.drop(key);
    };
    const ready = this.settle(keys, release);
    const end = (): void => [...held].forEach((key) => release(key));
    return { ready, end };
  }

  close(): void {
    for (const { watch } of this.shared.values()) endWatch(watch);
    this.shared.clear();
  }

  /** Keeps what can be watched and releases the rest: a stream must not say that it tells what it does not. */
  private async settle(keys: ReadonlySet<string>, release: (key: string) => void): Promise<Honored> {
    const watched = new Set<string>();
    let reason: unknown;
    const settled = [...keys].map(async (key) => {
      try {
        await this.take(key);
        watched.add(key);
      } catch (error) {
        reason ??= error;
      }
    });
    await atMost(READY_MS, Promise.all(settled));
    // In the order in which they were asked for: clients compare.
    const kept = new Set([...keys].filter((key) => watched.has(key)));
    for (const key of keys) if (!kept.has(key)) release(key);
    const refusal = keys.size > 0 && kept.size === 0 ? refusalFor(reason) : undefined;
    const isListWatched = kept.delete(LIST);
    const areToolsWatched = kept.delete(TOOLS);
    return { uris: kept, isListWatched, areToolsWatched, refusal };
  }

  private take(key: string): Promise<Unwatch> {
    const shared = this.shared.get(key) ?? { uses: 0, watch: this.start(key) };
    shared.uses += 1;
    this.shared.set(key, shared);
    return shared.watch;
  }

  private async start(key: string): Promise<Unwatch> {
    const { resources, watchTools } = this.connection;
    if (key === TOOLS) return watchTools(() => this.sink.toolsChanged());
    return key === LIST
      ? resources.watchList(() => this.sink.resourcesChanged())
      : resources.watch(key, () => this.sink.resourceUpdated(key));
  }

  private drop(key: string): void {
    const known = this.shared.get(key);
    if (known === undefined) return;
    known.uses -= 1;
    if (known.uses > 0) return;
    this.shared.delete(key);
    endWatch(known.watch);
  }
}

/** What a stream asked for, without what is not watched for it. */
export function narrow({ uris, isListWatched, areToolsWatched }: Honored): ListenFilter {
  return {
    ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
    ...(isListWatched ? { resourcesListChanged: true } : {}),
    ...(areToolsWatched ? { toolsListChanged: true } : {}),
  };
}

/** Also one that is still being set up. */
export function endWatch(watch: Promise<Unwatch>): void {
  watch.then(
    (end) => end(),
    () => undefined,
  );
}

function refusalFor(reason: unknown): ProtocolError {
  if (reason instanceof ProtocolError) return reason;
  const message = 'Nothing of that can be watched now. Try again; the status of the system says what fails.';
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}
