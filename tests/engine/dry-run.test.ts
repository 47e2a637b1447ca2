import { describe, expect, it } from 'vitest';
import { sealedDesktop } from '../../src/engine/dry-run/sealed-desktop.ts';
import { Planned } from '../../src/model/effects/planned.ts';
import { app, button, DEADLINE, stage, windowWith } from './support/stage.ts';

const NODE = { app: 'app', path: 'ok' };

async function world() {
  const pressed: string[] = [];
  const made = await stage([
    app({
      windows: [
        windowWith([
          button('ok', 'OK', { onPress: () => pressed.push('OK') }),
          button('off', 'Off', { states: ['disabled'], onPress: () => pressed.push('Off') }),
        ]),
      ],
    }),
  ]);
  return { ...made, pressed };
}

describe('a sealed desktop', () => {
  it('ends with a plan wherever something would have an effect', async () => {
    const { desktop, pressed } = await world();
    const sealed = sealedDesktop(desktop);
    const effects: readonly (() => Promise<unknown>)[] = [
      () => sealed.press(NODE, DEADLINE),
      () => sealed.perform(NODE, 'focus', DEADLINE),
      () => sealed.setValue(NODE, 'x', DEADLINE),
      () => sealed.choose(NODE, NODE, DEADLINE),
      () => sealed.insertText(NODE, 'x', DEADLINE),
      () => sealed.changeText(NODE, { text: '', at: 0, removed: '', inserted: 'x' }, DEADLINE),
      () => sealed.placeCaret(NODE, { offset: 0 }, DEADLINE),
      () => sealed.scrollIntoView(NODE, DEADLINE),
      () => sealed.openProbe(DEADLINE),
      () => sealed.closeApp(100, { ...DEADLINE, force: true }),
      () => sealed.controlWindow('win', { kind: 'close' }, DEADLINE),
      () => sealed.input.take('somebody', DEADLINE),
      () => sealed.clipboard.write({ ...DEADLINE, content: { kind: 'text', text: 'x' }, outlivesCall: true }),
      () => sealed.clipboard.clear(DEADLINE),
      () => sealed.stopSwitch.stop('somebody', DEADLINE),
      () => sealed.stopSwitch.resume(DEADLINE),
      () => sealed.stopSwitch.takeOver('somebody', DEADLINE),
      () => sealed.stopSwitch.handBack(DEADLINE),
    ];
    for (const effect of effects) await expect(effect()).rejects.toBeInstanceOf(Planned);
    expect(pressed).toEqual([]);
  });

  it('is read as the desktop is', async () => {
    const { desktop } = await world();
    const sealed = sealedDesktop(desktop);
    expect(await sealed.listWindows(DEADLINE)).toEqual(await desktop.listWindows(DEADLINE));
    expect(sealed.capabilities).toEqual(desktop.capabilities);
  });
});

describe('the engine of a dry run', () => {
  it('names what would be done to what, and does not do it', async () => {
    const { engine, pressed } = await world();
    const ref = 'role:button[name="OK"]';
    await expect(engine.dryRun().click({ ref, ...DEADLINE })).rejects.toMatchObject({
      name: 'Planned',
      via: 'accessibility',
      target: { role: 'button', name: 'OK' },
    });
    expect(pressed).toEqual([]);
    await engine.click({ ref, ...DEADLINE });
    expect(pressed).toEqual(['OK']);
  });

  it('refuses what the act refuses, at once', async () => {
    const { engine, world: simulated } = await world();
    const started = simulated.clock.now();
    await expect(
      engine.dryRun().click({ ref: 'role:button[name="Off"]', ...DEADLINE }),
    ).rejects.toMatchObject({ code: 'NOT_ACTIONABLE' });
    expect(simulated.clock.now() - started).toBeLessThan(200);
    await expect(
      engine.dryRun().click({ ref: 'role:button[name="None"]', ...DEADLINE }),
    ).rejects.toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });
});
