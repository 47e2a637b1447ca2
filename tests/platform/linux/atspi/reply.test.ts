import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { replyOrLoop } from '../../../../src/platform/linux/atspi/actions/reply.ts';
import { BusError } from '../../../../src/platform/linux/dbus/index.ts';

const never = (): Promise<never> => new Promise(() => undefined);

it('a reply that comes soon is the reply, and nothing else is asked', async () => {
  let asked = 0;
  const ask = async (): Promise<number> => ++asked;
  expect(await replyOrLoop(Promise.resolve(true), ask)).toBe(true);
  expect(await replyOrLoop(Promise.resolve(false), ask)).toBe(false);
  expect(asked).toBe(0);
});

it('an application that answers a later request first waits inside the action', async () => {
  const started = performance.now();
  expect(await replyOrLoop(never(), async () => 1)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1000);
  const refusal = new BusError('org.freedesktop.DBus.Error.UnknownObject', 'it is gone');
  expect(await replyOrLoop(never(), () => Promise.reject(refusal))).toBeUndefined();
});

it('a busy application answers nothing: its own reply is waited for', async () => {
  expect(await replyOrLoop(sleep(300, true), never)).toBe(true);
  const timeout = new BusError('local.Timeout', 'no reply');
  const late = sleep(400).then(() => Promise.reject(timeout));
  await expect(replyOrLoop(late, () => Promise.reject(timeout))).rejects.toBe(timeout);
});

it('a reply that another one overtook still counts', async () => {
  expect(await replyOrLoop(sleep(120, true), async () => 1)).toBe(true);
});
