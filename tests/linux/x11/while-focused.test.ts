import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { whileFocused } from '../../../src/platform/linux/display/x11/input/keyboard/while-focused.ts';
import type { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { KeyboardStage } from './keyboard-stage.ts';

let stage: KeyboardStage;
let other: X11Wire;
let window: number;

beforeAll(async () => {
  stage = await KeyboardStage.start();
  other = await stage.connect();
  window = other.allocateId();
  await Promise.all([
    other.call('CreateWindow', window, other.root, 0, 0, 50, 50, 0, 0, 0, 0, {
      overrideRedirect: 1,
      eventMask: 0,
    }),
    other.call('MapWindow', window),
  ]);
  stage.run('xdotool', 'windowfocus', '--sync', String(window));
});

afterAll(async () => {
  other.close();
  await stage.stop();
});

it('sends keys while the window has the focus, and not when it has not', async () => {
  let sent = 0;
  const send = (): void => void sent++;
  const { signal } = new AbortController();
  await whileFocused(stage.wire, window, send, signal);
  expect(sent).toBe(1);
  await expect(whileFocused(stage.wire, window + 1, send, signal)).rejects.toMatchObject({
    code: 'NOT_ACTIONABLE',
  });
  expect(sent).toBe(1);
});

it('sends nothing once its call has ended, whenever the server answers', async () => {
  let sent = 0;
  const ended = new AbortController();
  await other.tryCall('GrabServer');
  const sending = whileFocused(stage.wire, window, () => void sent++, ended.signal);
  const outcome = sending.then(
    () => 'sent',
    () => 'ended',
  );
  await sleep(50);
  ended.abort();
  await other.tryCall('UngrabServer');
  expect(await outcome).toBe('ended');
  expect(sent).toBe(0);
  // The server is free again.
  await other.sync();
});
