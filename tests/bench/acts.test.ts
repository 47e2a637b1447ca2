import { describe, expect, it } from 'vitest';
import { actFigures } from '../../bench/acts/act-figures.ts';
import type { WayResult } from '../../bench/acts/rounds.ts';

const result = (way: string, more: Partial<WayResult>): WayResult => ({
  way,
  tried: 3,
  recordedMs: [50, 40, 60],
  confirmed: 3,
  falselyConfirmed: 0,
  via: [],
  ...more,
});

describe('figures of an act', () => {
  it('compare ours with the script and with the peer', () => {
    const [script, peer] = actFigures('gtk3', 'press', [
      result('deskterity', {}),
      result('xdotool', { recordedMs: [10] }),
      result('cua-driver', { recordedMs: [200] }),
    ]);
    expect(script).toMatchObject({ value: 50, baseline: 10, beside: 'xdotool script', met: true });
    expect(peer).toMatchObject({ value: 50, baseline: 200, ratio: 0.25, goal: '<= 0.4', met: true });
  });

  it('are not met if the application has not recorded every act', () => {
    const [figure] = actFigures('gtk3', 'press', [result('deskterity', { tried: 4, falselyConfirmed: 1 })]);
    expect(figure).toMatchObject({ goal: '<= 60 ms', met: false });
    expect(figure?.note).toContain('recorded by the application 3 of 4, confirmed 3, 1 falsely confirmed');
  });

  it('have no ratio to a peer that never succeeded, and say why', () => {
    const [, peer] = actFigures('gtk3', 'press', [
      result('deskterity', {}),
      result('cua-driver', { recordedMs: [], confirmed: 0, problem: 'click: stale' }),
    ]);
    expect(peer).not.toHaveProperty('ratio');
    expect(peer).not.toHaveProperty('met');
    expect(peer?.note).toBe('cua-driver: recorded by the application 0 of 3, confirmed 0 (click: stale)');
  });

  it('have no goal for a value that only the keyboard can set, nor beside the peer on GTK 4', () => {
    const [byKeyboard] = actFigures('gtk4', 'set-value', [result('deskterity', { via: ['keyboard'] })]);
    expect(byKeyboard).not.toHaveProperty('goal');
    const [, beside] = actFigures('gtk4', 'press', [result('deskterity', {}), result('cua-driver', {})]);
    expect(beside).not.toHaveProperty('goal');
  });
});
