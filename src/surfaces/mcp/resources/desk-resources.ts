import { clip, stringifyVisibly } from '../../../model/text/untrusted-text.ts';
import type { McpResources, RequestVoice, Unwatch } from '../connections/connection.ts';
import type { DeskCalls } from '../tools/desk-calls.ts';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '../sdk.ts';
import type { ReadResourceResult } from '../sdk.ts';
import { WATCH_LIMITS } from '../connections/watch-limits.ts';
import { parseAddress } from './address.ts';
import type { Address } from './address.ts';
import type { Ask } from './ask.ts';
import { watchClipboard } from './clipboard.ts';
import { readContents } from './contents.ts';
import type { Contents } from './ask.ts';
import {
  OPERATION_RESOURCES,
  OPERATION_TEMPLATES,
  PNG_TYPE,
  resourcesOf,
  STATIC_RESOURCES,
  TEMPLATES,
  TERMINAL_RESOURCES,
} from './definitions.ts';
import { asProtocolError } from './failure.ts';
import { fingerprint } from './fingerprint.ts';
import { runningApps } from './running-apps.ts';
import { Subscription } from './subscription.ts';
import type { Pace } from './subscription.ts';

export interface ResourceFacts {
  /** Of this program. */
  readonly version: string;
  /** Told of what somebody who wonders about late news should know. */
  readonly warn?: ((message: string, data: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Resources that may be watched at a time; as many as one client may where absent. */
  readonly mostWatches?: number | undefined;
  /** The client has the tools of operations, and so their resources. */
  readonly hasOperations?: boolean | undefined;
  /** The same of terminals. */
  readonly hasTerminals?: boolean | undefined;
}

/** Characters of an address that is none of ours. */
const LONGEST_ECHO = 200;
const SILENCE_MS = 5000;
const PATIENT_MS = 30_000;
/** Where nothing but looking tells of changes. */
const BLIND_PACE: Pace = { debounceMs: 500, silenceMs: 0, longestPauseMs: 5000 };

/** What is looked at to see whether it has changed. */
type LookedAt = Exclude<Address, { readonly kind: 'clipboard' }>;

const PACES = {
  status: { debounceMs: 100, silenceMs: SILENCE_MS, longestPauseMs: PATIENT_MS },
  apps: { debounceMs: 0, silenceMs: SILENCE_MS, longestPauseMs: PATIENT_MS },
  state: { debounceMs: 100, silenceMs: SILENCE_MS, longestPauseMs: PATIENT_MS },
  tree: { debounceMs: 500, silenceMs: SILENCE_MS, longestPauseMs: PATIENT_MS },
  window: { debounceMs: 500, silenceMs: SILENCE_MS, longestPauseMs: PATIENT_MS },
  screenshot: BLIND_PACE,
  operations: BLIND_PACE,
  operation: BLIND_PACE,
  terminals: BLIND_PACE,
} as const satisfies Record<LookedAt['kind'], Pace>;

/** Every reading is an answer: nothing is asked back. */
export interface DeskResources extends McpResources {
  read(uri: string, voice: Pick<RequestVoice, 'signal'>): Promise<ReadResourceResult>;
}

/** What a client can read and watch of the desktop. */
export function deskResources(
  calls: DeskCalls,
  {
    version,
    warn,
    mostWatches = WATCH_LIMITS.client,
    hasOperations = false,
    hasTerminals = false,
  }: ResourceFacts,
): DeskResources {
  let watches = 0;

  const ask =
    (via: 'answer' | 'look', signal: AbortSignal): Ask =>
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

  const subscribe = async (uri: string, address: LookedAt, onChange: () => void): Promise<Unwatch> => {
    const topic = 'app' in address ? { app: address.app } : { windowsOnly: true };
    const isNoDesktops = ['operations', 'operation', 'terminals'].includes(address.kind);
    let missing: ProtocolError | undefined;
    const look = async (signal: AbortSignal): Promise<string | undefined> => {
      try {
        return fingerprint(address.kind, await readContents(ask('look', signal), uri, address, version));
      } catch (error) {
        // That it is gone, or one of several, is a state too; what failed otherwise may work the next time.
        if (!(error instanceof ProtocolError)) throw error;
        missing = error;
        return error instanceof ResourceNotFoundError ? 'gone' : 'several';
      }
    };
    const subscription = new Subscription({
      pace: PACES[address.kind],
      // Those of operations and terminals are no events of a desktop.
      listen: async (onEvent, signal) =>
        isNoDesktops ? () => undefined : calls.watch(topic, onEvent, signal),
      look,
      onChange,
      onUnannounced: () =>
        isNoDesktops || warn?.('no event told of a change; it is looked for at intervals', { uri }),
    });
    const end = counted(() => subscription.end());
    await subscription.begin();
    if (missing === undefined) return end;
    // What is not there cannot be watched; what is there may go and come back.
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

  return {
    templates: hasOperations ? [...TEMPLATES, ...OPERATION_TEMPLATES] : TEMPLATES,
    list: async ({ signal }) => {
      const apps = await runningApps(ask('answer', signal)).catch((error: unknown) => {
        signal.throwIfAborted();
        // Where there is no desktop there are no applications; the status says why.
        if (asProtocolError(error) === error) throw error;
        return [];
      });
      return [
        ...STATIC_RESOURCES,
        ...(hasOperations ? OPERATION_RESOURCES : []),
        ...(hasTerminals ? TERMINAL_RESOURCES : []),
        ...apps.flatMap((app) => resourcesOf(app)),
      ];
    },
    read: async (uri, { signal }) => {
      const address = requireAddress(uri);
      try {
        return toResult(uri, await readContents(ask('answer', signal), uri, address, version));
      } catch (error) {
        throw asProtocolError(error);
      }
    },
    watch: async (uri, onChange) => {
      const address = requireAddress(uri);
      if (watches >= mostWatches) throw tooMany(mostWatches);
      try {
        return address.kind === 'clipboard'
          ? await subscribeToClipboard(onChange)
          : await subscribe(uri, address, onChange);
      } catch (error) {
        throw asProtocolError(error);
      }
    },
    watchList: (onChange) => subscribe('deskterity://apps', { kind: 'apps' }, onChange),
  };
}

function requireAddress(uri: string): Address {
  const address = parseAddress(uri);
  if (address !== undefined) return address;
  const shown = JSON.stringify(uri.slice(0, 120));
  const known = [...STATIC_RESOURCES.map((resource) => resource.uri), ...TEMPLATES.map((t) => t.uriTemplate)];
  // The error carries it back.
  throw new ResourceNotFoundError(
    clip(uri, LONGEST_ECHO),
    `There is no resource ${shown}. There are: ${known.join(', ')}.`,
  );
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
  const suggestion = 'Unsubscribe from what is no longer needed.';
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `No more than ${most} resources can be watched at a time. ${suggestion}`,
    { code: 'RATE_LIMITED', suggestion },
  );
}
