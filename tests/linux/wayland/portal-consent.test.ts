import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Fixture } from '../../../fixtures/driver.ts';
import { CALL, WaylandStage } from './stage.ts';

const SCREEN = { kind: 'screen', consent: 'portal' } as const;

let stage: WaylandStage;
let fixture: Fixture;
let portal: ChildProcess;
let answers: string;
beforeAll(async () => {
  stage = await WaylandStage.start();
  fixture = await stage.fixture('gtk3');
  answers = join(stage.place.home, 'answers');
  portal = await startPortal('allow');
});
afterAll(async () => {
  portal?.kill();
  await stage?.stop();
});

async function startPortal(answer: string): Promise<ChildProcess> {
  writeFileSync(answers, answer);
  const program = join(import.meta.dirname, 'portal-stand-in.py');
  const started = spawn('/usr/bin/python3', [program, answers], { env: stage.environment });
  await once(started.stdout, 'data');
  return started;
}

/** Also if it has ended, as when this file's last test is tried again. */
async function endPortal(): Promise<void> {
  if (portal.exitCode !== null || portal.signalCode !== null) return;
  portal.kill();
  await once(portal, 'exit');
}

const take = (deadlineMs: number = CALL.deadlineMs) => stage.desktop.capture(SCREEN, { deadlineMs });
const pictures = () => readdirSync(stage.place.home).filter((name) => name.endsWith('.png'));

it('the portal takes what the compositor would give as well, and no file of it stays', async () => {
  const [asked, direct] = [await take(), await stage.desktop.capture({ kind: 'screen' }, CALL)];
  expect(asked).toMatchObject({ width: 1280, height: 800, origin: { x: 0, y: 0 }, scale: 1 });
  expect(shares(asked.bgrx, direct.bgrx)).toBeGreaterThan(0.99);
  const { id, bounds } = await stage.window(fixture);
  const window = await stage.desktop.capture({ kind: 'window', windowId: id, consent: 'portal' }, CALL);
  expect(window).toMatchObject({ width: bounds?.width, height: bounds?.height });
  expect(pictures()).toEqual([]);
});

it('a dialog that nobody answers holds no call up, and a covered window is not shown', async () => {
  writeFileSync(answers, 'wait');
  const begin = performance.now();
  await expect(take(1000)).rejects.toMatchObject({ code: 'PERM_DENIED', retryable: true });
  expect(performance.now() - begin).toBeLessThan(2500);
  const { id } = await stage.window(fixture);
  await stage.fixture('gtk3', 'In front of it');
  await expect(
    stage.desktop.capture({ kind: 'window', windowId: id, consent: 'portal' }, CALL),
  ).rejects.toMatchObject({ code: 'NOT_ACTIONABLE' });
});

it('what the person denies, and what is revoked later, is an error; the next call works once it is allowed', async () => {
  // Its dialog is still open.
  await endPortal();
  portal = await startPortal('deny');
  await expect(take()).rejects.toMatchObject({ code: 'PERM_DENIED', delivered: false });
  writeFileSync(answers, 'allow');
  expect(await take()).toMatchObject({ width: 1280 });
  writeFileSync(answers, 'fail');
  await expect(take()).rejects.toMatchObject({ code: 'ACTION_FAILED', retryable: true });
  writeFileSync(answers, 'allow');
  expect(await take()).toMatchObject({ width: 1280 });
  // Without it, pictures of a private desktop are nobody's to allow.
  await endPortal();
  // The bus notices a moment later.
  await vi.waitFor(async () => expect(await take()).toMatchObject({ width: 1280 }), 5000);
});

function shares(one: Uint8Array, other: Uint8Array): number {
  return one.filter((value, at) => at % 4 === 3 || value === other[at]).length / one.length;
}
