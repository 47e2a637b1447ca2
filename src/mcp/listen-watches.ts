import type { McpResources, Unwatch } from './connection.ts';
import { atMost } from './http/in-time.ts';

/** What a `subscriptions/listen` request of the modern era asks to be told. */
export interface ListenFilter {
  readonly resourceSubscriptions?: readonly string[] | undefined;
  readonly resourcesListChanged?: boolean | undefined;
}

/** Where changes go; the protocol library hands them to the streams that asked for them. */
export interface ChangeSink {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
}

interface Shared {
  uses: number;
  readonly watch: Promise<Unwatch>;
}

/** The watches of one stream. */
export interface Listening {
  /** Resolves when every later change will be told, or when waiting for that would take too long. Never rejects. */
  readonly ready: Promise<void>;
  readonly end: Unwatch;
}

const LIST = '';
/** Far beyond the deadline of a reading. */
const READY_MS = 15_000;

/** The watches that open `subscriptions/listen` streams need: one for each resource, however many streams name it. */
export class ListenWatches {
  private readonly resources: McpResources;
  private readonly sink: ChangeSink;
  private readonly shared = new Map<string, Shared>();

  constructor(resources: McpResources, sink: ChangeSink) {
    this.resources = resources;
    this.sink = sink;
  }

  /** Begins to watch for one stream. A resource that cannot be watched is silent. */
  open(filter: ListenFilter): Listening {
    const uris = [...new Set(filter.resourceSubscriptions ?? [])];
    const keys = filter.resourcesListChanged === true ? [LIST, ...uris] : uris;
    const ready = atMost(READY_MS, Promise.allSettled(keys.map((key) => this.take(key))));
    let isOpen = true;
    const end = (): void => {
      if (!isOpen) return;
      isOpen = false;
      for (const key of keys) this.drop(key);
    };
    return { ready, end };
  }

  close(): void {
    for (const { watch } of this.shared.values()) endWatch(watch);
    this.shared.clear();
  }

  private take(key: string): Promise<Unwatch> {
    const shared = this.shared.get(key) ?? { uses: 0, watch: this.start(key) };
    shared.uses += 1;
    this.shared.set(key, shared);
    return shared.watch;
  }

  private start(key: string): Promise<Unwatch> {
    return key === LIST
      ? this.resources.watchList(() => this.sink.resourcesChanged())
      : this.resources.watch(key, () => this.sink.resourceUpdated(key));
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

/** Also one that is still being set up. */
export function endWatch(watch: Promise<Unwatch>): void {
  watch.then(
    (end) => end(),
    () => undefined,
  );
}
