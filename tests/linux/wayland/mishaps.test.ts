import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Fixture } from '../../../fixtures/driver.ts';
import { befall } from '../../../scripts/proof/chaos/mishaps.ts';
import { CALL, WaylandStage } from './stage.ts';

const State = z.object({ pressed: z.number() });
/** For an application to record a click that reached it. */
const LATE_MS = 300;

let stage: WaylandStage;
let fixture: Fixture;
beforeAll(async () => {
  stage = await WaylandStage.start();
  fixture = await stage.fixture('gtk3');
});
afterAll(() => stage?.stop());

const pressed = async () => State.parse(await fixture.control('state')).pressed;

async function screen(): Promise<string> {
  const { width, height, origin } = await stage.desktop.capture({ kind: 'screen' }, CALL);
  return `${width}x${height} at ${origin.x},${origin.y}`;
}

async function click(): Promise<void> {
  const lease = await stage.desktop.input.take('test', CALL);
  try {
    await lease.moveTo(await stage.middleOf(fixture, { role: 'button', name: 'Press' }), CALL);
    await lease.click('left', 1, CALL);
  } finally {
    await lease.endLease();
  }
}

it('a screen that shrinks and begins elsewhere is known at once, and what is not on it is not clicked', async () => {
  const before = (await pressed()) + 1;
  await click();
  await expect.poll(pressed, { timeout: 5000 }).toBe(before);
  expect(await screen()).toBe('1280x800 at 0,0');
  const undo = await befall('screen changed', fixture.pid);
  onTestFinished(undo);
  await expect.poll(screen, { timeout: 5000 }).toBe('600x400 at -300,-200');
  await click().catch(() => undefined);
  await sleep(LATE_MS);
  expect(await pressed()).toBe(before);
  await undo();
  await expect.poll(screen, { timeout: 5000 }).toBe('1280x800 at 0,0');
  // Sway has put it into the middle of the screen that was there, and leaves it where that was.
  const { id } = await stage.window(fixture);
  await stage.desktop.controlWindow(id, { kind: 'move', x: 100, y: 60 }, CALL);
  await click();
  await expect.poll(pressed, { timeout: 5000 }).toBe(before + 1);
});

it('a session that is locked takes neither clicks nor keys for its applications, and does afterwards', async () => {
  const before = await pressed();
  const unlock = await befall('session locked', fixture.pid);
  onTestFinished(unlock);
  const { id } = await stage.window(fixture);
  await vi.waitFor(() => expect(stage.sway('-t', 'get_tree')).not.toMatch(/"focused": true[^}]*"pid"/), 5000);
  const lease = await stage.desktop.input.take('test', CALL);
  const typing = { ...CALL, delayMs: 0, check: async () => undefined, into: id };
  await expect(lease.type('abc', typing)).rejects.toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  await lease.endLease();
  await click().catch(() => undefined);
  await sleep(LATE_MS);
  expect(await pressed()).toBe(before);
  await unlock();
  await click();
  await expect.poll(pressed, { timeout: 5000 }).toBe(before + 1);
});
