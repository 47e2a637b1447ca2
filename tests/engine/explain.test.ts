import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, stage, WHOLE, windowWith } from './support/stage.ts';

const SCREEN = { ...WHOLE, wholeTree: false };

const question: SimulatedNode = {
  id: 'question',
  role: 'dialog',
  name: 'Question',
  states: ['modal'],
  children: [
    { id: 'text', role: 'text', name: 'Discard the draft?' },
    button('yes', 'Discard'),
    button('no', 'Cancel'),
  ],
};

async function asked(nodes: SimulatedNode[] = [question]) {
  return stage([app({ windows: [windowWith(nodes)] })]);
}

describe('an explained snapshot', () => {
  it('explains only if asked to', async () => {
    const { engine } = await asked();
    expect((await engine.snapshot({ ...DEADLINE, ...SCREEN })).explanation).toBeUndefined();
  });

  it('uses the references of the tree', async () => {
    const { engine } = await asked();
    const { explanation, tree } = await engine.snapshot({ ...DEADLINE, ...SCREEN, explain: true });
    expect(explanation).toMatchObject({
      state: 'modal_dialog',
      patterns: [{ pattern: 'confirmation_dialog' }],
      suggestions: [
        { action: 'Click "Discard" to answer.', command: 'click' },
        { action: 'Click "Cancel" to leave things as they are.', command: 'click' },
      ],
    });
    const known = JSON.stringify(tree);
    for (const { input } of explanation?.suggestions ?? [])
      expect(known).toContain(`"ref":"${input['ref']}"`);
  });

  it('is the same, whatever the tree shows', async () => {
    const { engine } = await asked();
    const whole = await engine.snapshot({ ...DEADLINE, ...SCREEN, explain: true });
    const shallow = await engine.snapshot({ ...DEADLINE, ...SCREEN, explain: true, maxDepth: 0 });
    expect(shallow.explanation).toEqual(whole.explanation);
  });

  it('tells that its application is busy if it does not answer for half a second', async () => {
    const { engine, world } = await asked();
    world.freeze('app', 1500);
    const { explanation } = await engine.snapshot({ ...DEADLINE, ...SCREEN, explain: true });
    expect(explanation?.state).toBe('busy');
  });

  it('counts towards the budget of the answer', async () => {
    const many = Array.from({ length: 60 }, (_, index) => button(`b${index}`, `Button number ${index}`));
    const { engine } = await asked([question, ...many]);
    const frame = (rest: object) => JSON.stringify(rest);
    const limited = { ...DEADLINE, ...SCREEN, maxTokens: 900, frame };
    const [plain, explained] = [
      await engine.snapshot(limited),
      await engine.snapshot({ ...limited, explain: true }),
    ];
    expect(explained.elided).toBeGreaterThan(plain.elided);
  });
});
