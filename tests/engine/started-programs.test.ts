import { describe, expect, it } from 'vitest';
import type { SimulatedApp, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, pressing } from './support/acting.ts';
import { app, oneWindow, stage, windowWith } from './support/stage.ts';

/** Another program shows a window after `afterMs`. */
function show(world: SimulatedWorld, afterMs: number, startedBy: SimulatedApp['startedBy']): void {
  world.clock.after(afterMs, () => {
    const windows = [windowWith([], { id: 'viewer', title: 'Manual', root: undefined })];
    world.apps.push(
      app({ id: 'viewer', name: 'Viewer', pid: 200, windows, ...(startedBy ? { startedBy } : {}) }),
    );
  });
}

async function pressed(startedBy: (nowMs: number) => SimulatedApp['startedBy'], afterMs = 400) {
  const run = (world: SimulatedWorld): void => show(world, afterMs, startedBy(world.clock.now()));
  const receipt = await click(await stage(oneWindow([pressing(run)])));
  return [receipt.effect, receipt.evidence.join()] as const;
}

describe('a window of another program', () => {
  it('confirms an act if the application started that program since', async () => {
    const [effect, evidence] = await pressed((atMs) => ({ pid: 100, atMs }));
    expect(effect).toBe('confirmed');
    expect(evidence).toContain('window opened: "Manual" of Viewer, which the application started');
  });

  it('does not confirm it if somebody else started it, or the application did so before', async () => {
    const cases: readonly ((nowMs: number) => SimulatedApp['startedBy'])[] = [
      () => undefined,
      (atMs) => ({ pid: 300, atMs }),
      (atMs) => ({ pid: 100, atMs: atMs - 1000 }),
    ];
    for (const startedBy of cases)
      expect(await pressed(startedBy)).toEqual(['unverified', expect.anything()]);
  });
});
