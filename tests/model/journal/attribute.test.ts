import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute, type ActNote, type KnownActs } from '../../../src/model/journal/attribute.ts';
import type { Happening } from '../../../src/model/journal/happening.ts';
import { happening } from './support.ts';

const CLICK: ActNote = { session: 's', command: 'click', fromMs: 1000, toMs: 1400 };
const NOTHING: KnownActs = { acts: [], explained: [] };
const KEY = happening().subject.key;
const EXPLAINED = { fromMs: 1010, toMs: 1390, keys: new Set([KEY]) };

function sourceOf(one: Happening, known: KnownActs = NOTHING, session = 's') {
  const [source] = attribute([one], known, session);
  return { by: source?.by, command: source?.command };
}

describe('who brought something about', () => {
  it('is the act whose receipt found it', () => {
    const known = { acts: [CLICK], explained: [EXPLAINED] };
    expect(sourceOf(happening({ fromMs: 1100 }), known)).toEqual({ by: 'own', command: 'click' });
    expect(sourceOf(happening({ fromMs: 1100 }), known, 'other')).toEqual({
      by: 'other_session',
      command: 'click',
    });
  });

  it('is the step and not the command that ran it', () => {
    const whole = { ...CLICK, command: 'do', fromMs: 500, toMs: 9000 };
    const known = { acts: [whole, CLICK], explained: [EXPLAINED] };
    expect(sourceOf(happening({ fromMs: 1100 }), known).command).toBe('click');
    // Between its steps, the command does nothing.
    expect(sourceOf(happening({ fromMs: 8000 }), known).by).toBe('application');
  });

  it('is unknown during an act that did not explain it, and shortly after', () => {
    const known = { acts: [CLICK], explained: [] };
    for (const fromMs of [1000, 1399, 2300])
      expect(sourceOf(happening({ fromMs }), known).by).toBe('unknown');
    expect(sourceOf(happening({ fromMs: 2500 }), known).by).toBe('application');
    expect(sourceOf(happening({ fromMs: 900 }), known).by).toBe('application');
  });

  it('is the application during an act, too, if the element does the same at other times', () => {
    const known = { acts: [CLICK], explained: [] };
    const ticks = [500, 1200, 3000].map((fromMs) => happening({ fromMs, toMs: fromMs }));
    expect(attribute(ticks, known, 's').map(({ by }) => by)).toEqual(Array(3).fill('application'));
  });

  it('is the user if keys or buttons were seen just before, and nobody knows whose another program’s are', () => {
    expect(sourceOf(happening({ input: { who: 'user', lastMs: 900 } })).by).toBe('user');
    expect(sourceOf(happening({ input: { who: 'unknown', lastMs: 900 } })).by).toBe('unknown');
  });

  it('is unknown just after an act that explains it, if somebody pressed keys', () => {
    const known = { acts: [CLICK], explained: [EXPLAINED] };
    const input = { who: 'user', lastMs: 1450 } as const;
    expect(sourceOf(happening({ fromMs: 1500, input }), known).by).toBe('unknown');
    expect(sourceOf(happening({ fromMs: 1500 }), known).by).toBe('own');
    const subject = { ...happening().subject, isEditable: false };
    expect(sourceOf(happening({ fromMs: 1200, input, subject }), known).by).toBe('own');
  });

  it('of a text is unknown during an act, too, if somebody pressed keys and it is not what the act wrote', () => {
    const input = { who: 'user', lastMs: 1150 } as const;
    const by = (explained: KnownActs['explained'], more: Parameters<typeof happening>[0] = {}) =>
      sourceOf(happening({ kind: 'text_changed', fromMs: 1200, input, ...more }), {
        acts: [CLICK],
        explained,
      }).by;
    const wrote = { keys: new Set([KEY]), untilMs: 1250 };
    expect(by([EXPLAINED])).toBe('unknown');
    expect(by([{ ...EXPLAINED, wrote }])).toBe('own');
    expect(by([{ ...EXPLAINED, wrote: { ...wrote, keys: new Set(['another']) } }])).toBe('unknown');
    // Typed after the reading that confirmed the act, or joined with what was.
    expect(by([{ ...EXPLAINED, wrote }], { fromMs: 1300 })).toBe('unknown');
    expect(by([{ ...EXPLAINED, wrote }], { toMs: 1300 })).toBe('unknown');
    expect(by([EXPLAINED], { kind: 'state_changed' })).toBe('own');
    expect(by([EXPLAINED], { input: undefined })).toBe('own');
  });

  it('is never an act that cannot bring such a thing about, nor write into such an element', () => {
    const kinds = new Set(['focus_changed', 'text_changed'] as const);
    const by = (leavesTyped: 'all' | ReadonlySet<string>, more: Parameters<typeof happening>[0]) =>
      sourceOf(happening({ fromMs: 1100, ...more }), {
        acts: [CLICK],
        explained: [{ ...EXPLAINED, reach: { kinds, leavesTyped } }],
      }).by;
    const field = { ...happening().subject, isEditable: true };
    const label = { ...field, isEditable: false };
    expect(by('all', { kind: 'focus_changed', subject: field })).toBe('own');
    expect(by('all', { kind: 'value_changed', subject: label })).toBe('unknown');
    expect(by('all', { kind: 'text_changed', subject: label })).toBe('own');
    expect(by('all', { kind: 'text_changed', subject: field })).toBe('unknown');
    expect(by('all', { kind: 'text_changed' })).toBe('unknown');
    expect(by(new Set([KEY]), { kind: 'text_changed', subject: field })).toBe('unknown');
    expect(by(new Set(['another']), { kind: 'text_changed', subject: field })).toBe('own');
  });

  it('is unknown where the display does not tell of input', () => {
    expect(sourceOf(happening({ isInputWatched: false })).by).toBe('unknown');
  });

  it('of a window and of the end of a program is what started it and what closed its last window', () => {
    const of = (kind: Happening['kind'], key: string, fromMs: number) =>
      happening({ kind, subject: { key, pid: 7 }, fromMs, toMs: fromMs });
    const known = {
      acts: [{ ...CLICK, command: 'launch' }],
      explained: [{ fromMs: 1000, toMs: 1400, keys: new Set(['process 7']) }],
    };
    const all = attribute(
      [of('app_started', 'process 7', 1200), of('window_opened', 'window 1', 1900)],
      known,
      's',
    );
    expect(all.map(({ by, command }) => [by, command])).toEqual([
      ['own', 'launch'],
      ['own', 'launch'],
    ]);
  });
});

it('never calls its own what no receipt explained', () => {
  const time = fc.integer({ min: 0, max: 10_000 });
  const act = fc.tuple(time, time, fc.constantFrom('s', 't')).map(([a, b, session]): ActNote => ({
    session,
    command: 'click',
    fromMs: Math.min(a, b),
    toMs: Math.max(a, b),
  }));
  const happened = fc.tuple(time, fc.constantFrom('a', 'b'), fc.boolean()).map(([fromMs, key, isSeen]) =>
    happening({
      fromMs,
      toMs: fromMs,
      subject: { key },
      ...(isSeen ? { input: { who: 'user', lastMs: fromMs } } : {}),
    }),
  );
  fc.assert(
    fc.property(fc.array(happened), fc.array(act), (all, acts) => {
      const told = attribute(all, { acts, explained: [] }, 's');
      expect(told).toHaveLength(all.length);
      for (const { by, happening: one } of told) {
        expect(by).not.toBe('own');
        expect(by === 'user' && one.input === undefined).toBe(false);
      }
    }),
  );
});
