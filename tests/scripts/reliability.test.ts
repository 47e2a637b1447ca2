import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { partsOf } from '../../scripts/proof/reliability/parts.ts';
import { recordedRow, Tally, totalOf } from '../../scripts/proof/reliability/tally.ts';
import { isToldSpill } from '../../scripts/proof/reliability/verdict.ts';

describe('rows to run', () => {
  it('are chosen by toolkit and by words', () => {
    const parts = partsOf(['qt5', 'minimized']);
    expect(parts.kinds).toEqual(['qt5']);
    expect(parts.hasKills).toBe(false);
    expect(parts.isChosen('toggle, its window minimized')).toBe(true);
    expect(parts.isChosen('toggle')).toBe(false);
    expect(partsOf()).toMatchObject({ hasKills: true, kinds: { length: 4 } });
  });
});

describe('a tally', () => {
  it('goes on from what an earlier run wrote down', () => {
    const first = new Tally();
    first.add({ verdict: 'right', detail: '', answer: 'confirmed' });
    first.add({ verdict: 'false success', detail: 'why', answer: 'confirmed' });
    const next = new Tally(recordedRow(JSON.parse(JSON.stringify(first.row('a')))));
    next.add({ verdict: 'right', detail: '', answer: 'confirmed' });
    expect(next.row('a')).toMatchObject({
      repeats: 3,
      passes: 2,
      holds: false,
      counts: { right: 2, 'false success': 1 },
    });
  });

  it('holds in all only for enough attempts at one revision', () => {
    const row = (at: string, repeats: number) => ({ row: at, repeats, passes: repeats, at });
    expect(totalOf('all', [row('a', 10_000)]).holds).toBe(true);
    expect(totalOf('all', [row('a', 9_999)]).holds).toBe(false);
    expect(totalOf('all', [row('a', 9_999), row('b', 9_999)]).holds).toBe(false);
  });
});

it('forgives keys that went astray only as far as the error tells them', () => {
  const error = (delivered: boolean) =>
    new DeskterityError('NOT_ACTIONABLE', 'The last 2 of them may have gone to what took the focus.', {
      suggestion: '',
      delivered,
    });
  const spilt = (value: string) => ({ seq: 1, time_ms: 1, widget: 'name', event: 'text-changed', value });
  expect(isToldSpill(spilt('ab'), error(true))).toBe(true);
  expect(isToldSpill(spilt('abc'), error(true))).toBe(false);
  expect(isToldSpill(spilt('ab'), error(false))).toBe(false);
});
