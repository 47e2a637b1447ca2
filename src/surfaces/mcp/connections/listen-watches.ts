import { z } from 'zod';
import type { McpConnection, Unwatch } from './connection.ts';
import { atMost } from './in-time.ts';
import { ProtocolError, ProtocolErrorCode, type JSONRPCMessage } from '../sdk.ts';

/** The changes that a modern `subscriptions/listen` request subscribes to. */
export const ListenFilter = z.object({
  resourceSubscriptions: z.array(z.string()).optional(),
  resourcesListChanged: z.boolean().optional(),
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
});
export type ListenFilter = z.output<typeof ListenFilter>;

/** Receives changes; the protocol library passes them to the subscribed streams. */
export interface ChangeSink {
  resourceUpdated(uri: string): void;
  resourcesChanged(): void;
  toolsChanged(): void;
  promptsChanged(): void;
}

interface Shared {
  uses: number;
  readonly watch: Promise<Unwatch>;
}

/** The changes that are actually reported on one stream. */
export interface Honored {
  readonly uris: ReadonlySet<string>;
  readonly isListWatched: boolean;
  readonly areToolsWatched: boolean;
  readonly arePromptsWatched: boolean;
  /** Why none of the requested changes can be watched. */
  readonly refusal: ProtocolError | undefined;
}

/** The watches of one stream. */
export interface Listening {
  /** Resolves when all later changes in `Honored` will be reported; watches that take too long are left out. Never rejects. */
  readonly ready: Promise<Honored>;
  readonly end: Unwatch;
}

/** Keys beside resource URIs; no URI looks like these. */
const LIST = '';
const TOOLS = ' tools';
const PROMPTS = ' prompts';
const LISTS: ReadonlySet<string> = new Set([LIST, TOOLS, PROMPTS]);
/** Far longer than the deadline of one read. */
const READY_MS = 15_000;

type Watched = Pick<McpConnection, 'resources' | 'watchTools' | 'watchPrompts'>;

/** The watches of open `subscriptions/listen` streams: one per resource, shared by streams. */
export class ListenWatches {
  private readonly connection: Watched;
  private readonly sink: ChangeSink;
  private readonly shared = new Map<string, Shared>();

  constructor(connection: Watched, sink: ChangeSink) {
    this.connection = connection;
    this.sink = sink;
  }

  /** Starts the watches of one stream. */
  open(filter: ListenFilter): Listening {
    const uris = (filter.resourceSubscriptions ?? []).filter((uri) => !LISTS.has(uri));
    const keys = new Set([
      ...(filter.toolsListChanged === true ? [TOOLS] : []),
      ...(filter.promptsListChanged === true ? [PROMPTS] : []),
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

  /** Keeps the watches that work and releases the rest: a stream must not acknowledge changes it cannot report. */
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
    // In the requested order, because clients compare.
    const kept = new Set([...keys].filter((key) => watched.has(key)));
    for (const key of keys) if (!kept.has(key)) release(key);
    const refusal = keys.size > 0 && kept.size === 0 ? refusalFor(reason) : undefined;
    const isListWatched = kept.delete(LIST);
    const areToolsWatched = kept.delete(TOOLS);
    const arePromptsWatched = kept.delete(PROMPTS);
    return { uris: kept, isListWatched, areToolsWatched, arePromptsWatched, refusal };
  }

  private take(key: string): Promise<Unwatch> {
    const shared = this.shared.get(key) ?? { uses: 0, watch: this.start(key) };
    shared.uses += 1;
    this.shared.set(key, shared);
    return shared.watch;
  }

  private async start(key: string): Promise<Unwatch> {
    const { resources, watchTools, watchPrompts } = this.connection;
    if (key === PROMPTS) return watchPrompts?.(() => this.sink.promptsChanged()) ?? (() => undefined);
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

/** The filter reduced to what is actually watched. */
export function narrow({ uris, isListWatched, areToolsWatched, arePromptsWatched }: Honored): ListenFilter {
  return {
    ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
    ...(isListWatched ? { resourcesListChanged: true } : {}),
    ...(areToolsWatched ? { toolsListChanged: true } : {}),
    ...(arePromptsWatched ? { promptsListChanged: true } : {}),
  };
}

/** The message that opens a subscription for its client. */
export function acknowledgement(
  id: string | number,
  notifications: ListenFilter & { readonly taskIds?: string[] | undefined },
): JSONRPCMessage {
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  };
}

/** Ends a watch, even one that is still starting. */
export function endWatch(watch: Promise<Unwatch>): void {
  watch.then(
    (end) => end(),
    () => undefined,
  );
}

function refusalFor(reason: unknown): ProtocolError {
  if (reason instanceof ProtocolError) return reason;
  const message =
    'None of these can be watched at the moment. Try again; the resource deskterity://system/status shows what fails.';
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}
