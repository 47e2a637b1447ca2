import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { JOURNAL_KINDS, type JournalEntry } from '../../../src/model/journal/entry.ts';
import { fitEntries } from '../../../src/model/journal/fit.ts';

const entry = (kind: JournalEntry['kind'], what: string): JournalEntry => ({
  time: '2026-01-01T00:00:00.000Z',
  kind,
  what,
  by: 'application',
});

it('keeps dialogs before values, and new entries before old ones', () => {
  const entries = [
    entry('value_changed', 'old'),
    entry('dialog_appeared', 'dialog'),
    entry('value_changed', 'new'),
  ];
  const fitted = fitEntries(entries, (shown) => shown.length <= 2);
  expect(fitted?.shown.map(({ what }) => what)).toEqual(['dialog', 'new']);
  expect(fitted?.leftOut).toEqual({ count: 1, kinds: { value_changed: 1 } });
});

it('has no answer where not even an empty one fits', () => {
  expect(fitEntries([entry('app_exited', 'a')], () => false)).toBeUndefined();
});

it('shows in order what fits, and counts the rest', () => {
  const kinds = fc.array(fc.constantFrom(...JOURNAL_KINDS), { maxLength: 40 });
  fc.assert(
    fc.property(kinds, fc.nat(40), (given, most) => {
      const entries = given.map((kind, index) => entry(kind, String(index)));
      const fitted = fitEntries(entries, (shown) => shown.length <= most);
      const shown = fitted?.shown ?? [];
      expect(shown).toHaveLength(Math.min(most, given.length));
      expect(shown).toEqual(entries.filter((one) => shown.includes(one)));
      expect(fitted?.leftOut?.count ?? 0).toBe(given.length - shown.length);
      const kindsLeftOut = Object.values(fitted?.leftOut?.kinds ?? {});
      expect(kindsLeftOut.reduce((sum, count) => sum + count, 0)).toBe(given.length - shown.length);
    }),
  );
});
