import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { JOURNAL_KINDS } from '../../../src/model/journal/entry.ts';
import { JournalLog } from '../../../src/model/journal/journal-log.ts';
import { happening } from './support.ts';

const totalOf = (log: JournalLog, since = 0): number =>
  log.since(since).reduce((sum, { count }) => sum + count, 0);

it('keeps a burst as one, with its first time and its number', () => {
  const log = new JournalLog();
  for (const fromMs of [1000, 1010, 1020]) log.add(happening({ fromMs, toMs: fromMs }));
  expect(log.since(0)).toMatchObject([{ fromMs: 1000, toMs: 1020, count: 3, position: 3 }]);
});

it('starts anew after a split, so that a cursor divides a burst', () => {
  const log = new JournalLog();
  log.add(happening());
  const cursor = log.position;
  log.split();
  log.add(happening());
  log.add(happening());
  expect(totalOf(log, cursor)).toBe(2);
  expect(totalOf(log)).toBe(3);
});

it('keeps what followed input apart from what did not', () => {
  const log = new JournalLog();
  log.add(happening());
  log.add(happening({ input: { who: 'user', lastMs: 990 } }));
  expect(log.size).toBe(2);
});

it('gives input that is heard late to what happened just before, and to nothing older', () => {
  const log = new JournalLog();
  const input = { who: 'user', lastMs: 1020 } as const;
  log.add(happening({ fromMs: 900 }));
  log.split();
  log.add(happening({ fromMs: 1000 }));
  log.noteInput(input, 970);
  expect(log.since(0).map((one) => one.input)).toEqual([undefined, input]);
});

it('keeps states of one element apart', () => {
  const log = new JournalLog();
  for (const detail of ['checked=1', 'enabled=0', 'checked=0'])
    log.add(happening({ kind: 'state_changed', detail }));
  expect(log.since(0).map(({ detail, count }) => [detail, count])).toEqual([
    ['checked=0', 2],
    ['enabled=0', 1],
  ]);
});

it('counts a state once that is reported twice, as GTK 4 does', () => {
  const log = new JournalLog();
  for (const detail of ['checked=1', 'checked=1', 'checked=0', 'checked=0'])
    log.add(happening({ kind: 'state_changed', detail }));
  expect(log.since(0)).toMatchObject([{ detail: 'checked=0', count: 2 }]);
});

it('drops what fills it, and not what others did', () => {
  const log = new JournalLog(100);
  const dialog = { key: 'window 1', pid: 1, name: 'Save' };
  log.add(happening({ kind: 'dialog_appeared', subject: dialog }));
  for (let index = 0; index < 1000; index++)
    log.add(
      happening({ kind: 'notification_appeared', subject: { key: `notification ${index}`, app: 'loud' } }),
    );
  expect(log.since(0)[0]?.kind).toBe('dialog_appeared');
  expect(log.droppedSince(0)).toBeDefined();
  expect(log.size).toBeLessThanOrEqual(100);
});

const Step = fc.oneof(
  fc.record({ kind: fc.constantFrom(...JOURNAL_KINDS), key: fc.constantFrom('a', 'b', 'c') }),
  fc.constant('split' as const),
);

it('is bounded, loses nothing that it does not admit, and every position divides it', () => {
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (steps, most) => {
      const log = new JournalLog(most);
      const marks: { readonly position: number; readonly added: number }[] = [];
      let added = 0;
      for (const step of steps) {
        if (step === 'split') {
          marks.push({ position: log.position, added });
          log.split();
        } else {
          added += 1;
          log.add(happening({ kind: step.kind, subject: { key: step.key }, fromMs: added, toMs: added }));
        }
        expect(log.size).toBeLessThanOrEqual(most);
      }
      for (const { position, added: before } of [{ position: 0, added: 0 }, ...marks])
        expect(log.droppedSince(position) !== undefined || totalOf(log, position) === added - before).toBe(
          true,
        );
    }),
  );
});
