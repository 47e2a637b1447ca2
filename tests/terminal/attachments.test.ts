import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Attachments } from '../../src/terminal/sessions/attachments.ts';

it('waiting for a window that never attaches ends in time or when cancelled, and leaves no listener', async () => {
  const attachments = new Attachments(async () => {
    throw new Error('no terminals are needed');
  });
  const controller = new AbortController();
  const { signal } = controller;
  await expect(attachments.arrival('a', 1, signal)).resolves.toBeUndefined();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const cancelled = attachments.arrival('b', 60_000, signal);
  controller.abort();
  await expect(cancelled).resolves.toBeUndefined();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
