import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { FIXTURE_KINDS, startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { Desk } from './support/desk.ts';
import { untilReadable } from './support/until-readable.ts';

/** One application's introduction may take 800 ms; two that never come must not take twice that. */
const TOGETHER_MS = 1500;
const Apps = z.looseObject({ apps: z.array(z.looseObject({ pid: z.number(), responsive: z.boolean() })) });

let desktop: PrivateDesktop;
let fixtures: Fixture[] = [];
beforeAll(async () => {
  desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
  const options = { environment: desktop.environment, deadlineMs: 30_000 };
  fixtures = await Promise.all(FIXTURE_KINDS.map((kind) => startFixture(kind, options)));
  const desk = new Desk(desktop);
  for (const { pid } of fixtures) await untilReadable(desk, pid);
  await desk.close();
});
afterAll(async () => {
  await Promise.all(fixtures.map((fixture) => fixture.stop()));
  await desktop.stop();
});

it.each([
  ['known before', true],
  ['met for the first time', false],
])('two frozen applications, %s, cost one wait', async (_when, isKnown) => {
  const desk = new Desk(desktop);
  await desk.call(isKnown ? 'list-apps' : 'version');
  const frozen = fixtures.slice(0, 2);
  const others = fixtures.slice(2);
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  try {
    const started = performance.now();
    const { apps } = await desk.parse('list-apps', { timeout_ms: 5000 }, Apps);
    expect(performance.now() - started).toBeLessThan(TOGETHER_MS);
    const responsive = new Map(apps.map((app) => [app.pid, app.responsive]));
    expect(frozen.map(({ pid }) => responsive.get(pid))).toEqual([false, false]);
    expect(others.map(({ pid }) => responsive.get(pid))).toEqual([true, true]);
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
    await desk.close();
  }
});
