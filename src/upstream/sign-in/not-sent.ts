import { AsyncLocalStorage } from 'node:async_hooks';

/** A call that never reached its server with a valid token. The message is a phrase. */
export class NotSent extends Error {}

interface Sending {
  /** The server refused the request, and there is no other token yet. */
  isRefused: boolean;
}

const sending = new AsyncLocalStorage<Sending>();

/** Notes for the call that is being sent from here whether the server refused it for its token. */
export function noteRefused(isRefused: boolean): void {
  const call = sending.getStore();
  if (call !== undefined) call.isRefused = isRefused;
}

/** Sends a call. Rejects with {@link NotSent} if it fails while its token is refreshed: then nothing was done. */
export async function sendingCall<T>(send: () => Promise<T>): Promise<T> {
  const call: Sending = { isRefused: false };
  try {
    return await sending.run(call, send);
  } catch (error) {
    if (error instanceof NotSent || !call.isRefused) throw error;
    throw new NotSent('its token was not refreshed in time by the authorization server', { cause: error });
  }
}
