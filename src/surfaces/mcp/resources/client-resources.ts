import { clip, stringifyVisibly, reveal } from '../../../model/text/untrusted-text.ts';
import type { McpResources, RequestChannel, Unwatch } from '../connections/connection.ts';
import type { WatchTopic } from '../../../app/app.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import { invalidParams } from '../protocol-errors.ts';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
} from '../sdk.ts';
import { WATCH_LIMITS } from '../connections/watch-limits.ts';
import { formatAddress, parseAddress, type Address } from './address.ts';
import type { RunCommand, Contents } from './run-command.ts';
import { watchClipboard } from './clipboard.ts';
import { readContents, fingerprint } from './contents.ts';
import {
  journalOf,
  OPERATION_RESOURCES,
  OPERATION_TEMPLATES,
  PNG_TYPE,
  resourcesOf,
  STATIC_RESOURCES,
  TEMPLATES,
  TERMINAL_RESOURCES,
} from './definitions.ts';
import { runningApps } from './running-apps.ts';
import { watchListed } from './watch-listed.ts';
import { Subscription, type Pace } from './subscription.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';

export interface ResourceFacts {
  /** Version of this program. */
  readonly version: string;
  /** Logs why changes may be reported late. */
  readonly warn?: ((message: string, data: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Maximum number of concurrently watched resources. Default: the limit of one client. */
  readonly mostWatches?: number | undefined;
  /** The client has the tools for operations, and so their resources. */
  readonly hasOperations?: (() => boolean) | undefined;
  /** The same for terminals. */
  readonly hasTerminals?: (() => boolean) | undefined;
  /** Calls its argument when the policy has changed, and so what may be read. */
  readonly watchPolicy?: ((onRead: () => void) => Unwatch) | undefined;
}

/** Longest part of an unknown URI to repeat, in characters. */
const LONGEST_ECHO = 200;
const SILENCE_MS = 5000;
const LONGEST_PAUSE_MS = 30_000;
/** For resources without events, which can only be polled. */
const POLLED: Pace = { debounceMs: 500, silenceMs: 0, longestPauseMs: 5000 };

/** For the journal, which says itself when something is noted. */
const NOTED: Pace = { debounceMs: 100, silenceMs: SILENCE_MS, longestPauseMs: LONGEST_PAUSE_MS };

/** Addresses whose changes are detected by comparing reads. */
type ComparedAddress = Exclude<Address, { readonly kind: 'clipboard' }>;

const PACES = {
  status: { debounceMs: 100, silenceMs: SILENCE_MS, longestPauseMs: LONGEST_PAUSE_MS },
  apps: { debounceMs: 0, silenceMs: SILENCE_MS, longestPauseMs: LONGEST_PAUSE_MS },
  state: { debounceMs: 100, silenceMs: SILENCE_MS, longestPauseMs: LONGEST_PAUSE_MS },
  tree: { debounceMs: 500, silenceMs: SILENCE_MS, longestPauseMs: LONGEST_PAUSE_MS },
  window: { debounceMs: 500, silenceMs: SILENCE_MS, longestPauseMs: LONGEST_PAUSE_MS },
  journal: NOTED,
  events: NOTED,
  screenshot: POLLED,
  operations: POLLED,
  operation: POLLED,
  terminals: POLLED,
} as const satisfies Record<ComparedAddress['kind'], Pace>;

/** Reading never requests input from the client. */
export interface ClientResources extends McpResources {
  read(uri: string, channel: Pick<RequestChannel, 'signal'>): Promise<ReadResourceResult>;
}

/** The resources of one client. */
export function clientResources(
  calls: ClientCalls,
  {
    version,
    warn,
    mostWatches = WATCH_LIMITS.client,
    hasOperations = never,
    hasTerminals = never,
    watchPolicy,
  }: ResourceFacts,
): ClientResources {
  let watches = 0;

  const run =
    (via: 'answer' | 'look', signal: AbortSignal): RunCommand =>
    (command, input) =>
      calls[via](command, input, { signal });

  const counted = (end: Unwatch): Unwatch => {
    watches += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watches -= 1;
      end();
    };
  };

  const subscribe = async (uri: string, address: ComparedAddress, onChange: () => void): Promise<Unwatch> => {
    const topic = topicOf(address);
    const isPolled = ['operations', 'operation', 'terminals'].includes(address.kind);
    let missing: ProtocolError | DeskterityError | undefined;
    const look = async (signal: AbortSignal, mirrored: boolean): Promise<string | undefined> => {
      const looking = run('look', signal);
      const reading: RunCommand = (command, input) =>
        looking(command, { ...input, ...lookingWith(command, mirrored) });
      try {
        return fingerprint(address.kind, await readContents(reading, uri, address, version));
      } catch (error) {
        // "Gone", "ambiguous" and "denied" are states too; other failures may be temporary.
        if (error instanceof DeskterityError && error.code === 'POLICY_DENIED') {
          missing = error;
          return 'denied';
        }
        if (!(error instanceof ProtocolError)) throw error;
        missing = error;
        return error instanceof ResourceNotFoundError ? 'gone' : 'ambiguous';
      }
    };
    const subscription = new Subscription({
      pace: PACES[address.kind],
      listen: async (onEvent, signal) => {
        // Operations and terminals have no desktop events.
        const end = isPolled ? undefined : await calls.watch(topic, onEvent, signal);
        const endPolicy = watchPolicy?.(onEvent);
        return () => {
          endPolicy?.();
          end?.();
        };
      },
      look,
      onChange,
      onUnannounced: () =>
        isPolled || warn?.('a change was found without an event; polling continues', { uri }),
    });
    const end = counted(() => subscription.end());
    await subscription.begin();
    if (missing === undefined) return end;
    // A missing or denied resource cannot be watched; another one may disappear and return.
    end();
    throw missing;
  };

  const subscribeToClipboard = async (onChange: () => void): Promise<Unwatch> => {
    let stop: Unwatch | undefined;
    const end = counted(() => stop?.());
    try {
      stop = await watchClipboard(calls, onChange);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  };

  const list = async (reading: RunCommand, signal: AbortSignal): Promise<readonly Resource[]> => {
    const apps = await runningApps(reading).catch((error: unknown) => {
      signal.throwIfAborted();
      // Without a desktop there are no applications; the status says why.
      if (asProtocolError(error) === error) throw error;
      return [];
    });
    return [
      ...STATIC_RESOURCES,
      journalOf(calls.session),
      ...(hasOperations() ? OPERATION_RESOURCES : []),
      ...(hasTerminals() ? TERMINAL_RESOURCES : []),
      ...apps.flatMap((app) => resourcesOf(app)),
    ];
  };

  return {
    get templates() {
      return hasOperations() ? [...TEMPLATES, ...OPERATION_TEMPLATES] : TEMPLATES;
    },
    list: ({ signal }) => list(run('answer', signal), signal),
    read: async (uri, { signal }) => {
      const address = requireOwn(uri, calls.session);
      try {
        return toResult(uri, await readContents(run('answer', signal), uri, address, version));
      } catch (error) {
        throw asProtocolError(error);
      }
    },
    watch: async (uri, onChange) => {
      const address = requireOwn(uri, calls.session);
      if (watches >= mostWatches) throw tooMany(mostWatches);
      try {
        return address.kind === 'clipboard'
          ? await subscribeToClipboard(onChange)
          : await subscribe(uri, address, onChange);
      } catch (error) {
        throw asProtocolError(error);
      }
    },
    watchList: async (onChange) => {
      const listed = async (signal: AbortSignal): Promise<string> => {
        const all = await list(run('look', signal), signal);
        return [hasOperations(), ...all.map(({ uri }) => uri)].join(' ');
      };
      const endPolicy = await watchListed({ listed, watchPolicy, onChange });
      try {
        const endApps = await subscribe('deskterity://apps', { kind: 'apps' }, onChange);
        return () => {
          endPolicy();
          endApps();
        };
      } catch (error) {
        endPolicy();
        throw error;
      }
    },
  };
}

function never(): boolean {
  return false;
}

function requireAddress(uri: string): Address {
  const address = parseAddress(uri);
  if (address !== undefined) return address;
  const shown = JSON.stringify(uri.slice(0, 120));
  const known = [...STATIC_RESOURCES.map((resource) => resource.uri), ...TEMPLATES.map((t) => t.uriTemplate)];
  // The error repeats the URI.
  throw new ResourceNotFoundError(
    clip(uri, LONGEST_ECHO),
    `Unknown resource ${shown}. Available: ${known.join(', ')}.`,
  );
}

/** The journal of another session is not this client's to read. */
function requireOwn(uri: string, session: string): Address {
  const address = requireAddress(uri);
  if (address.kind !== 'journal' || address.session === session) return address;
  throw new ResourceNotFoundError(
    clip(uri, LONGEST_ECHO),
    `This client can only read the journal of its own session: ${formatAddress({ kind: 'journal', session })}.`,
  );
}

/** The desktop events after which a resource is read again. */
function topicOf(address: ComparedAddress): WatchTopic {
  if (address.kind === 'journal' || address.kind === 'events') return { journal: true };
  return 'app' in address ? { app: address.app } : { windowsOnly: true };
}

/** How commands are called for comparison only. */
function lookingWith(command: string, mirrored: boolean): Readonly<Record<string, boolean>> {
  if (command === 'snapshot') return { mirror: mirrored };
  return command === 'journal' ? { look: true } : {};
}

function toResult(uri: string, { data, picture }: Contents): ReadResourceResult {
  const contents: ReadResourceResult['contents'] = [];
  if (data !== undefined) contents.push({ uri, mimeType: 'application/json', text: stringifyVisibly(data) });
  if (picture !== undefined) {
    const { buffer, byteOffset, byteLength } = picture;
    const blob = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    contents.push({ uri, mimeType: PNG_TYPE, blob });
  }
  return { contents };
}

function tooMany(most: number): ProtocolError {
  const suggestion = 'Unsubscribe from resources you no longer need.';
  const message = `At most ${most} resources can be watched at a time. ${suggestion}`;
  return invalidParams(message, { code: 'RATE_LIMITED', suggestion });
}

/** Errors of the caller; all others are internal. */
const CALLER_ERRORS: ReadonlySet<string> = new Set(['AMBIGUOUS_APP', 'AMBIGUOUS_TARGET', 'INVALID_ARGUMENT']);

/** Converts a failure to a protocol error that carries code and suggestion. Protocol errors are returned unchanged. */
export function asProtocolError(error: unknown): unknown {
  if (!(error instanceof DeskterityError)) return error;
  const { code, message, suggestion, retryable } = error;
  return new ProtocolError(
    CALLER_ERRORS.has(code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    // Text from applications is not marked in protocol errors, so its invisible characters are shown.
    reveal(`${message} ${suggestion}`),
    { code, suggestion, retryable },
  );
}
