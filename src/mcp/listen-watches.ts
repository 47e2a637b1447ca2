import type { McpResources, Unwatch } from './connection.ts';

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

const LIST = '';

/** The watches that open `subscriptions/listen` streams need: one for each resource, however many streams name it. */
export class ListenWatches {
  private readonly resources: McpResources;
  private readonly sink: ChangeSink;
  private readonly shared = new Map<string, Shared>();

  constructor(resources: McpResources, sink: ChangeSink) {
    this.resources = resources;
    this.sink = sink;
  }

  /** Begins to watch for one stream; gives what is to be called when it ends. A resource that cannot be watched is silent. */
  open(filter: ListenFilter): Unwatch {
    const uris = [...new Set(filter.resourceSubscriptions ?? [])];
    const keys = filter.resourcesListChanged === true ? [LIST, ...uris] : uris;
    for (const key of keys) this.take(key);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const key of keys) this.drop(key);
    };
  }

  close(): void {
    for (const { watch } of this.shared.values()) endWatch(watch);
    this.shared.clear();
  }

  private take(key: string): void {
    const known = this.shared.get(key);
    if (known !== undefined) known.uses += 1;
    else this.shared.set(key, { uses: 1, watch: this.start(key) });
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
