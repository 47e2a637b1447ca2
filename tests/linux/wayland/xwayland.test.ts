import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture, FixtureKind } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import { memoryStore } from '../../../scripts/proof/stage.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { CALL, WaylandStage } from './stage.ts';

const ON_X11 = { GDK_BACKEND: 'x11', QT_QPA_PLATFORM: 'xcb' };
const TEXT = 'zażółć Ab@{1} 日本 😀';
const KINDS: readonly FixtureKind[] = ['gtk4', 'qt6'];
const State = z.object({ text: z.string().nullish() });

let stage: WaylandStage;
let engine: Engine;
let native: Fixture;
beforeAll(async () => {
  stage = await WaylandStage.start('wayland', true);
  engine = await createEngine({ desktop: stage.desktop, session: memoryStore(), clock: createClock() });
  native = await stage.fixture('gtk3', 'Native');
});
afterAll(() => stage.stop());

// Verdicts are those of the applications' own records.
describe.each(KINDS)('%s on Xwayland, beside an application that is not', (kind) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await stage.fixture(kind, `${kind} on X11`, ON_X11);
  });
  afterAll(() => fixture?.stop());

  async function refOf(app: Fixture, id: string): Promise<string> {
    const widget = expectedWidgets(app.kind).find((each) => each.id === id);
    const { matches } = await engine.find({
      ...CALL,
      app: String(app.pid),
      query: widget?.name ?? '',
      by: 'exact',
      role: widget?.role,
      limit: 2,
      wholeTree: false,
    });
    return matches[0]?.ref ?? `no ${id}`;
  }

  /** Which buttons record a click because of an act; a busy machine may take its time. */
  async function clicksOf(app: Fixture, act: () => Promise<unknown>): Promise<readonly string[]> {
    const before = (await app.events()).length;
    await act();
    await app.waitForEvent(({ event, seq }) => event === 'clicked' && seq > before, 5000);
    const clicks = (await app.events()).slice(before).filter(({ event }) => event === 'clicked');
    return clicks.map(({ widget }) => widget);
  }

  const textOf = async (app: Fixture): Promise<string> =>
    State.parse(await app.control('get', { widget: 'name' })).text ?? '';

  it('uses X11', () => {
    expect(stage.sway('-t', 'get_tree').match(/"shell": "xwayland"/g)).toHaveLength(1);
  });

  it('is clicked by turns with the other one', async () => {
    for (const app of [fixture, native, fixture]) {
      const ref = await refOf(app, 'press');
      const click = () => engine.click({ ...CALL, ref, mode: 'pointer' });
      expect(await clicksOf(app, click)).toEqual(['press']);
    }
  });

  it('is typed into by turns with the other one', async () => {
    for (const app of [native, fixture]) {
      const ref = await refOf(app, 'name');
      await app.control('set', { widget: 'name', property: 'text', value: '' });
      await engine.type({ ...CALL, ref, text: TEXT, delayMs: 0, clearFirst: false, mode: 'focus' });
      expect(await textOf(app)).toBe(TEXT);
      await engine.press({ ...CALL, ref, keys: parseKeyCombination('ctrl+a') });
      await engine.press({ ...CALL, ref, keys: parseKeyCombination('Delete') });
      await expect.poll(() => textOf(app), { timeout: 5000 }).toBe('');
    }
  });

  it('is moved, resized, captured and minimized', async () => {
    const { id } = await stage.window(fixture);
    await stage.desktop.controlWindow(id, { kind: 'move', x: 20, y: 60 }, CALL);
    await stage.desktop.controlWindow(id, { kind: 'resize', width: 950, height: 710 }, CALL);
    await expect
      .poll(async () => (await stage.window(fixture)).bounds, { timeout: 5000 })
      .toEqual({ x: 20, y: 60, width: 950, height: 710 });
    const image = await stage.desktop.capture({ kind: 'window', windowId: id }, CALL);
    expect(image).toMatchObject({ width: 950, height: 710 });
    await stage.desktop.controlWindow(id, { kind: 'minimize' }, CALL);
    expect((await stage.window(fixture)).minimized).toBe(true);
    await stage.desktop.controlWindow(id, { kind: 'restore' }, CALL);
  });

  it.runIf(kind === 'qt6')('is not clicked where Xwayland has no place', async () => {
    stage.addScreens();
    const { id } = await stage.window(fixture);
    await stage.desktop.controlWindow(id, { kind: 'move', x: -100, y: 50 }, CALL);
    const ref = await refOf(fixture, 'press');
    const refused = engine.click({ ...CALL, ref, mode: 'pointer' });
    await expect(refused).rejects.toMatchObject({
      code: 'NOT_ACTIONABLE',
      message: expect.stringContaining('Xwayland has no place -36,'),
      delivered: false,
    });
    expect(await clicksOf(fixture, () => engine.click({ ...CALL, ref, mode: 'background' }))).toEqual([
      'press',
    ]);
    await stage.desktop.controlWindow(id, { kind: 'move', x: 1300, y: 340 }, CALL);
    expect(await clicksOf(fixture, () => engine.click({ ...CALL, ref, mode: 'pointer' }))).toEqual(['press']);
  });
});
