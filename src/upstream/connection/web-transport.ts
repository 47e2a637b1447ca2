import type { WebTarget } from '../configuration/server-target.ts';
import type { SignedIn } from '../sign-in/signed-in.ts';
import { SdkHttpError, SseError, SSEClientTransport, StreamableHTTPClientTransport } from '../sdk.ts';
import type { AuthProvider, FetchLike, Transport } from '../sdk.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { LONGEST_MESSAGE_BYTES } from './program-transport.ts';

export interface WebTransportParts {
  readonly signedIn: (AuthProvider & Pick<SignedIn, 'onForbidden'>) | undefined;
  /** The connection is of no more use, for a reason that is a phrase. */
  readonly onProblem: (problem: string) => void;
}

/** What a server answers that does not know Streamable HTTP, as the protocol says. */
const NOT_STREAMABLE: readonly number[] = [400, 404, 405];

/** The transport of servers since 2025-03-26. */
export function streamableTransport(target: WebTarget, parts: WebTransportParts): Transport {
  return new StreamableHTTPClientTransport(new URL(target.url), {
    ...(parts.signedIn === undefined ? {} : { authProvider: parts.signedIn }),
    requestInit: { headers: target.headers },
    onInsufficientScope: 'throw',
    reconnectionOptions: {
      maxRetries: 3,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 10_000,
      reconnectionDelayGrowFactor: 2,
    },
    fetch: heedLostSession(parts, fetchOf(parts)),
  });
}

/** The transport of 2024: requests are posted, and all answers come on one stream, whose end is that of the connection. */
export function streamTransport(target: WebTarget, parts: WebTransportParts): Transport {
  const transport = new SSEClientTransport(new URL(target.url), {
    ...(parts.signedIn === undefined ? {} : { authProvider: parts.signedIn }),
    requestInit: { headers: target.headers },
    fetch: fetchOf(parts),
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol library has no other way
  transport.onerror = (error) => {
    // It would connect again by itself, and the server would not know who asks.
    if (error instanceof SseError) parts.onProblem('it closed the connection');
  };
  return transport;
}

/** Whether a server refused a request in a way that one of 2024 does. */
export function isNotStreamable(error: unknown): boolean {
  return error instanceof SdkHttpError && NOT_STREAMABLE.includes(error.status ?? 0);
}

function fetchOf({ signedIn, onProblem }: WebTransportParts): FetchLike {
  const send = boundedFetch({
    mostBytes: LONGEST_MESSAGE_BYTES,
    onExcess: () => onProblem(`it sent an answer of more than ${LONGEST_MESSAGE_BYTES / 1024 / 1024} MiB`),
  });
  return async (address, init) => {
    const response = await send(address, init);
    // The protocol library does not pass such a refusal to who signs in.
    if (response.status === 403) await signedIn?.onForbidden(response);
    return response;
  };
}

/** A server that was started again answers 404 to the session of before, forever. */
function heedLostSession({ onProblem }: WebTransportParts, send: FetchLike): FetchLike {
  return async (address, init) => {
    const response = await send(address, init);
    if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id'))
      onProblem('it no longer knows the session');
    return response;
  };
}
