import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { click } from './support/acting.ts';
import { button, oneWindow, stage } from './support/stage.ts';

/** A page whose tab has another name once its button was pressed. */
async function pressed(from: string, to: string): Promise<Receipt> {
  const tab = button('tab', from, { role: 'tab' });
  const save = button('save', 'Save', { onPress: (world) => world.change('app', 'tab', { name: to }) });
  return click(await stage(oneWindow([tab, save])), 'Save');
}

describe('what a browser adds to the name of a tab for screen readers', () => {
  it.each([
    ['Page', 'Page - Memory usage - 22.7 MB'],
    ['Page - Memory usage - 22.7 MB', 'Page - Memory usage - 1.1 GB'],
    ['Page - Memory usage - 980 KB', 'Page'],
  ])('is no effect of an act: %j becomes %j', async (from, to) => {
    const { effect, evidence, changes } = await pressed(from, to);
    expect([effect, evidence.at(-1), changes]).toEqual(['unverified', 'nothing visible changed', undefined]);
  });

  it.each([
    ['Page', 'Other page - Memory usage - 22.7 MB'],
    ['Page', 'Page - Memory usage'],
  ])('hides no other change: %j becomes %j', async (from, to) => {
    expect(await pressed(from, to)).toMatchObject({ effect: 'confirmed', changes: [{ kind: 'changed' }] });
  });
});
