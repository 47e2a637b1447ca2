import type { FetchLike } from '../sdk.ts';
import { addressProblem } from '../configuration/server-target.ts';

export interface FetchLimits {
  /** The most bytes of an answer, or of one event of a stream. */
  readonly mostBytes: number;
  /** Called before the answer fails for its size. */
  readonly onExcess?: (() => void) | undefined;
  /** Limits the whole request; streams have none. */
  readonly timeoutMs?: number | undefined;
  /** Only https: a server elsewhere must not direct requests to this machine. */
  readonly isRemote?: boolean | undefined;
}

/** `fetch` to addresses that tokens may be sent to, with bounded answers. */
export function boundedFetch({ mostBytes, onExcess, timeoutMs, isRemote = false }: FetchLimits): FetchLike {
  return async (address, init) => {
    const isPlain = new URL(address).protocol === 'http:';
    const problem = isRemote && isPlain ? 'its address is not https' : addressProblem(String(address));
    if (problem !== undefined) throw new TypeError(`${new URL(address).origin}: ${problem}`);
    const limit = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
    const own = init?.signal ?? undefined;
    const signal = AbortSignal.any([...limit, ...(own === undefined ? [] : [own])]);
    const response = await fetch(address, { ...init, signal });
    const { body } = response;
    if (body === null) return response;
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const { status, statusText, headers } = response;
    const excess = (): Error => {
      onExcess?.();
      return new Error(`The answer is longer than ${mostBytes} bytes.`);
    };
    const bounded = body.pipeThrough(limitBytes(mostBytes, isStream, excess));
    const copy = new Response(bounded, { status, statusText, headers });
    // A copied answer has no address, which the protocol library compares.
    Object.defineProperty(copy, 'url', { value: response.url });
    return copy;
  };
}

/** Passes bytes on until there are too many: in all, or since the last empty line of a stream of events. */
function limitBytes(
  most: number,
  isStream: boolean,
  excess: () => Error,
): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let wasLineEnd = false;
  return new TransformStream({
    transform: (chunk, controller) => {
      if (isStream) {
        for (const byte of chunk) {
          size += 1;
          if (byte === 10) {
            if (wasLineEnd) size = 0;
            wasLineEnd = true;
          } else if (byte !== 13) wasLineEnd = false;
          if (size > most) break;
        }
      } else size += chunk.length;
      if (size > most) controller.error(excess());
      else controller.enqueue(chunk);
    },
  });
}
