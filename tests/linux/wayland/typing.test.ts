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
