import { BusError } from './bus-error.ts';
import type { BusConnection } from './connection.ts';
import { type CallSettings, remaining } from './deadline.ts';
import { BUS, nameOwnerCall } from './standard-calls.ts';

/** Receives the unique name behind a bus name; `undefined` while nobody owns it. */
export type OwnerListener = (owner: string | undefined) => void;

/**
 * Reports the current owner of a bus name before this resolves, then every change until the returned function is called.
 * A NameOwnerChanged signal that arrives before the reply to GetNameOwner is older and is ignored; both arrive in wire
 * order, so no change is lost in between.
 */
export async function watchName(
  connection: BusConnection,
  name: string,
  listener: OwnerListener,
  settings: CallSettings,
): Promise<() => Promise<void>> {
  if (connection.uniqueName === undefined) {
    const message = 'a peer-to-peer connection has no bus names';
    throw new BusError('org.freedesktop.DBus.Error.NotSupported', message);
  }
  const startedAt = performance.now();
  const member = 'NameOwnerChanged';
  const rule = { type: 'signal', sender: BUS.name, member, args: [name] } as const;
  const removeMatch = await connection.addMatch(rule, settings);
  let isStarted = false;
  const ignore = connection.onSignal((message) => {
    if (!isStarted || message.sender !== BUS.name || message.member !== member) return;
    const [changed, , owner] = message.body;
    if (changed === name && typeof owner === 'string') listener(owner === '' ? undefined : owner);
  });
  const stop = async (): Promise<void> => {
    ignore();
    await removeMatch();
  };
  try {
    const batch = connection.batch(remaining(settings, startedAt));
    // In the reply's own handler, which runs before later messages are read.
    batch.request(nameOwnerCall(name), BUS.path, (error, owner) => {
      if (error !== undefined && error.errorName !== 'org.freedesktop.DBus.Error.NameHasNoOwner') throw error;
      isStarted = true;
      listener(owner);
    });
    await batch.settled;
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
