import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture, FixtureKind } from '../../../fixtures/driver.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { CALL, WaylandStage, worksOnWayland } from './stage.ts';

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];
const Text = z.object({ text: z.string() });
const TEXT = 'héllo wörld – 你好 😀 €µ {[]}|\\~^ "quotes" ABC';

describe.each(KINDS.map((kind) => [kind] as const))('typing into %s', (kind) => {
  let stage: WaylandStage;
  let fixture: Fixture;
  beforeEach(async () => {
    if (!worksOnWayland(kind)) return;
    stage = await WaylandStage.start();
    fixture = await stage.fixture(kind);
  });
  afterEach(() => stage?.stop());

  async function text(): Promise<string> {
    return Text.parse(await fixture.control('get', { widget: 'notes' })).text;
  }

  it.skipIf(!worksOnWayland(kind))('any text arrives whole, and shortcuts work', async () => {
    await fixture.control('set', { widget: 'notes', property: 'focused', value: true });
    const { id } = await stage.window(fixture);
    const lease = await stage.desktop.input.take('typist', CALL);
    const options = { ...CALL, delayMs: 0, into: id, check: async () => undefined };
    await lease.type(TEXT, options);
    await expect.poll(text, { timeout: 5000 }).toBe(TEXT);
    // More characters than there are spare keys.
    const many = Array.from({ length: 450 }, (_, index) => String.fromCodePoint(0x4e00 + index * 3)).join('');
    await lease.press(parseKeyCombination('ctrl+a'), CALL);
    await lease.type(many, options);
    await expect.poll(text, { timeout: 10_000 }).toBe(many);
    await lease.press(parseKeyCombination('ctrl+a'), CALL);
    await lease.press(parseKeyCombination('Delete'), CALL);
    await expect.poll(text, { timeout: 5000 }).toBe('');
    await lease.endLease();
  });
});

describe('an application that does not read its keys', () => {
  let stage: WaylandStage;
  let fixture: Fixture;
  beforeEach(async () => {
    stage = await WaylandStage.start();
    fixture = await stage.fixture('gtk4');
    await fixture.control('set', { widget: 'notes', property: 'focused', value: true });
  });
  afterEach(() => stage?.stop());

  /** Ended a GTK 4 application that did not read. */
  const LONG = 'abcdefghij'.repeat(200);

  async function type(deadlineMs: number): Promise<void> {
    const { id } = await stage.window(fixture);
    const lease = await stage.desktop.input.take('typist', CALL);
    process.kill(fixture.pid, 'SIGSTOP');
    const resumed = sleep(1000).then(() => process.kill(fixture.pid, 'SIGCONT'));
    try {
      // The text is sent to the window: nothing asks the application.
      await lease.type(LONG, { deadlineMs, delayMs: 0, into: id, check: async () => undefined });
    } finally {
      await resumed;
      await lease.endLease();
    }
  }

  it('gets the rest once it does', async () => {
    await type(20_000);
    const notes = async () => Text.parse(await fixture.control('get', { widget: 'notes' })).text;
    await expect.poll(notes, { timeout: 20_000 }).toBe(LONG);
  });

  it('is not sent so much that its desktop disconnects it', async () => {
    await expect(type(500)).rejects.toMatchObject({ code: 'APP_UNRESPONSIVE', delivered: false });
    const notes = async () => Text.parse(await fixture.control('get', { widget: 'notes' })).text;
    await expect.poll(notes, { timeout: 20_000 }).toMatch(/^abcdefghij/);
  });
});
