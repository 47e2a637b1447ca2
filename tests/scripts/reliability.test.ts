import { describe, expect, it } from 'vitest';
import { changesOf } from '../../fixtures/calc/driver.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { partsOf } from '../../scripts/proof/reliability/parts.ts';
import { recordedRow, Tally, totalOf } from '../../scripts/proof/reliability/tally.ts';
import { sharesOf, TOOLKITS, WAVES, widgetOf } from '../../scripts/proof/reliability/toolkits.ts';
import { untold } from '../../scripts/proof/reliability/told-astray.ts';

describe('rows to run', () => {
  it('are chosen by toolkit and by words', () => {
    const parts = partsOf(['qt5', 'minimized']);
    expect(parts.kinds).toEqual(['qt5']);
    expect(parts.hasKills).toBe(false);
    expect(parts.isChosen('toggle, its window minimized')).toBe(true);
    expect(parts.isChosen('toggle')).toBe(false);
    expect(partsOf()).toMatchObject({ hasKills: true, kinds: { length: 8 } });
  });

  it('are those of a browser, too', () => {
    const parts = partsOf(['firefox', 'toggle']);
    expect(parts.kinds).toEqual(['firefox']);
    expect([parts.isChosen('toggle'), parts.isChosen('press')]).toEqual([true, false]);
  });
});

describe('toolkits', () => {
  it('run in waves, each toolkit once, the four of most attempts first', () => {
    expect(WAVES[0]).toEqual(['gtk3', 'gtk4', 'qt5', 'qt6']);
    expect(WAVES.flat()).toEqual([...TOOLKITS]);
  });

  it('share the time by the attempts that are left', () => {
    expect(sharesOf(600, [300, 100])).toEqual([450, 150]);
    expect(sharesOf(600, [0, 100])).toEqual([0, 600]);
    expect(sharesOf(600, [0, 0])).toEqual([0, 0]);
  });

  it('have widgets of their own names', () => {
    expect(widgetOf('chromium', 'odd')).toMatchObject({ role: 'button', name: 'Odd' });
    expect(widgetOf('swing', 'fruits').role).toBe('list');
    expect(() => widgetOf('firefox', 'fruits')).toThrow('no widget fruits in firefox');
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

  it('holds in all only for enough attempts at one build', () => {
    const row = (at: string, repeats: number, build = at) => ({
      row: at,
      repeats,
      passes: repeats,
      at,
      build,
    });
    expect(totalOf('all', [row('a', 10_000)], { attempts: 10_000 }).holds).toBe(true);
    expect(totalOf('all', [row('a', 9_999)], { attempts: 10_000 }).holds).toBe(false);
    expect(totalOf('all', [row('a', 9_999), row('b', 9_999)], { attempts: 10_000 }).holds).toBe(false);
    const two = [row('a', 9_999, 'same'), row('b', 1, 'same')];
    expect(totalOf('all', two, { attempts: 10_000 }).holds).toBe(true);
  });
});

describe('what is recorded beside the target', () => {
  const at = (event: string, widget: string, value: unknown, isElsewhere = true) => ({
    event: { seq: 1, time_ms: 1, widget, event, value },
    isElsewhere,
  });
  const error = (delivered: boolean) =>
    new DeskterityError(
      'NOT_ACTIONABLE',
      '5 of 9 characters had been typed. The last 2 of them may have gone to what took the focus.',
      { suggestion: '', delivered },
    );
  const spilt = (...values: string[]) => values.map((value) => at('text-changed', 'name', value));
  const told = (beside: ReturnType<typeof spilt>, isDelivered = true) =>
    untold(beside, { own: [], answer: error(isDelivered), typed: 'abcdefghi' }).length === 0;

  it('is forgiven if it is the end of what was typed, as the error tells', () => {
    expect(told(spilt('d', 'de'))).toBe(true);
    expect(told(spilt('e'))).toBe(true);
  });

  it.each([
    ['more than that', spilt('cde')],
    ['as much, but other text', spilt('ab')],
    ['text that lacks its end', spilt('d')],
    ['text in two places', [...spilt('de'), at('text-changed', 'notes', 'de')]],
    ['text and a click', [...spilt('de'), at('clicked', 'press', null)]],
  ])('is not forgiven if it is %s', (_what, beside) => {
    expect(told(beside)).toBe(false);
  });

  it('is not forgiven if the error denies it', () => {
    expect(told(spilt('de'), false)).toBe(false);
  });

  const receipt = {
    target: { role: 'button' },
    effect: 'unverified' as const,
    evidence: ['something else came under the pointer while the button was being pressed'],
    via: 'pointer:left button 2 times at 1,1',
    delivered: true,
    retry_safe: false,
    cursor: '',
    duration_ms: 1,
  };
  const click = (widget: string) => at('clicked', widget, null, false);

  it.each([
    ['one press of a told double click', [click('odd')], ['press'], 0],
    ['both of them', [click('odd'), click('odd')], [], 2],
    ['one besides two that hit', [click('odd')], ['press', 'press'], 1],
  ])('counts %s', (_what, beside, hits, left) => {
    const own = hits.map((widget) => click(widget).event);
    expect(untold(beside, { own, answer: receipt, typed: undefined })).toHaveLength(left);
  });

  const right = { ...receipt, via: 'pointer:right button at 1,1' };
  const menu = (widget: string) => at('context-menu', widget, null, false);

  it.each([
    ['a told press of the right button', right, [], 0],
    ['one that nothing tells of', { ...right, evidence: ['nothing visible changed'] }, [], 1],
    ['one that is said to have worked', { ...right, effect: 'confirmed' as const }, [], 1],
    ['one besides a press that hit', right, [menu('press').event], 1],
    ['a left press', { ...right, via: 'pointer:left button at 1,1' }, [], 1],
  ])('counts %s', (_what, answer, own, left) => {
    expect(untold([menu('odd')], { own, answer, typed: undefined })).toHaveLength(left);
  });
});

describe('a spreadsheet', () => {
  it('has a record of the cells that changed between two readings', () => {
    expect(changesOf({ A1: 'a', B1: 'b' }, { A1: 'a', B1: 'c' })).toEqual([
      { widget: 'B1', event: 'text-changed', value: 'c' },
    ]);
    expect(changesOf({}, { A1: '' })).toHaveLength(1);
  });
});
