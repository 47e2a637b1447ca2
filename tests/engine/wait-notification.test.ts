import { expect, it } from 'vitest';
import { DEADLINE, failureOf, oneWindow, stage } from './support/stage.ts';

const told = (summary: string, body = '') => ({ app: 'Mail', summary, body, hasService: false });

it('a notification ends the wait for any, and is returned', async () => {
  const on = await stage(oneWindow([]));
  on.world.clock.after(300, () => on.world.notify(told('Hello', 'World')));
  expect(await on.engine.waitForNotification(DEADLINE)).toEqual(told('Hello', 'World'));
  expect(on.world.hearing.size).toBe(0);
});

it('one with a text is found by title, body or application, ignoring case; the others are told', async () => {
  const on = await stage(oneWindow([]));
  on.world.clock.after(100, () => on.world.notify(told('First')));
  on.world.clock.after(200, () => on.world.notify(told('Second', 'Backup DONE')));
  expect((await on.engine.waitForNotification({ ...DEADLINE, text: 'done' })).summary).toBe('Second');
  for (let n = 1; n <= 5; n++) on.world.clock.after(n * 10, () => on.world.notify(told(`Number ${n}`)));
  const error = await failureOf(on.engine.waitForNotification({ deadlineMs: 400, text: 'never' }));
  expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true });
  expect(error.message).toContain('No notification with "never" came within 400 ms.');
  expect(error.message).toContain('5 others sent, the last: "Number 3" from "Mail"; "Number 4"');
  expect(on.world.hearing.size).toBe(0);
});

it('a desktop that ends is no timeout, nor is a cancelled wait', async () => {
  const on = await stage(oneWindow([]));
  on.world.clock.after(100, () => on.world.hearing.forEach(({ lost }) => lost()));
  expect((await failureOf(on.engine.waitForNotification(DEADLINE))).code).toBe('BUS_UNAVAILABLE');
  const abort = new AbortController();
  on.world.clock.after(100, () => abort.abort());
  const waiting = on.engine.waitForNotification({ ...DEADLINE, signal: abort.signal });
  expect((await failureOf(waiting)).code).toBe('CANCELLED');
});
