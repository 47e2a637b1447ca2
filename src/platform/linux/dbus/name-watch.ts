import type { Batch } from './batch.ts';
import { type CallSettings, remaining } from './deadline.ts';
import type { MatchRule } from './marshalling/match-rule.ts';
import type { SignalMessage } from './message.ts';
import { BUS, nameOwnerCall } from './standard-calls.ts';

/** Receives the unique name behind a bus name; `undefined` while nobody owns it. */
export type OwnerListener = (owner: string | undefined) => void;

/** What watching a name needs from its host. */
interface NameWatchHost {
  addMatch(rule: MatchRule, settings: CallSettings): Promise<() => Promise<void>>;
  onSignal(handler: (message: SignalMessage) => void): () => void;
  batch(settings: CallSettings): Batch;
}

/**
 * Reports the owner of a bus name and every change, see `BusConnection.watchName`. A NameOwnerChanged signal that arrives
 * before the reply to GetNameOwner is older and is ignored; both arrive in wire order, so no change is lost in between.
 */
export async function watchName(
  host: NameWatchHost,
  name: string,
  listener: OwnerListener,
  settings: CallSettings,
): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  const member = 'NameOwnerChanged';
  const rule = { type: 'signal', sender: BUS.name, member, args: [name] } as const;
  const removeMatch = await host.addMatch(rule, settings);
  let isStarted = false;
  const ignore = host.onSignal((message) => {
    if (!isStarted || message.sender !== BUS.name || message.member !== member) return;
    const [changed, , owner] = message.body;
    if (changed === name && typeof owner === 'string') listener(owner === '' ? undefined : owner);
  });
  const stop = async (): Promise<void> => {
    ignore();
    await removeMatch();
  };
  try {
    const batch = host.batch(remaining(settings, startedAt));
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
