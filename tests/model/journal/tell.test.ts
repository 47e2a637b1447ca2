import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOURNAL_KINDS, JournalEntry } from '../../../src/model/journal/entry.ts';
import type { Happening } from '../../../src/model/journal/happening.ts';
import { outlineEntry } from '../../../src/model/journal/outline.ts';
import { summarise } from '../../../src/model/journal/summarise.ts';
import { tell } from '../../../src/model/journal/tell.ts';
import { ROLES } from '../../../src/model/tree/role.ts';
import { attributed } from './support.ts';

const timeOf = (atMs: number): string => new Date(atMs).toISOString();
const told = (more: Partial<Happening>): string => tell(attributed(more), { timeOf }).what;

describe('an entry', () => {
  it('says in one sentence what happened', () => {
    expect(told({ before: '3', after: '40' })).toBe('value of slider "Volume" changed, 3 → 40');
    expect(told({ before: '3', after: '40', count: 12 })).toBe(
      '12 changes of value of slider "Volume", 3 → 40',
    );
    expect(told({ after: '40' })).toBe('value of slider "Volume" changed, now 40');
    expect(told({ kind: 'focus_changed', count: 3 })).toBe('focus moved 3 times, last to slider "Volume"');
    expect(told({ kind: 'dialog_appeared', subject: { key: 'window 1', name: 'Save' } })).toBe(
      'dialog "Save" appeared',
    );
    const box = { key: 'k', role: 'checkbox', name: 'Wrap' } as const;
    expect(told({ kind: 'state_changed', subject: box, detail: 'checked=0' })).toBe(
      'checkbox "Wrap" is not checked',
    );
    const label = { key: 'k', role: 'text', name: 'Done' } as const;
    expect(told({ kind: 'name_changed', subject: label, before: 'Busy', after: 'Done' })).toBe(
      'name of text changed, "Busy" → "Done"',
    );
    expect(
      told({ kind: 'notification_appeared', subject: { key: 'n', name: 'Mail' }, detail: 'From Ada' }),
    ).toBe('notification "Mail": "From Ada"');
  });

  it('is one line that says by whom', () => {
    const { happening: one } = attributed({ before: '3', after: '40' });
    const entry = tell({ happening: one, by: 'own', command: 'set-value' }, { timeOf, ref: '@e4' });
    expect(outlineEntry(entry)).toBe(
      '00:00:01.000 own act (set-value): value of slider "Volume" changed, 3 → 40, in mixer @e4',
    );
  });

  it('never has a value of a masked or typed text, whatever it is about', () => {
    const subject = fc.record({
      key: fc.constant('k'),
      role: fc.constantFrom(...ROLES),
      isMasked: fc.boolean(),
      isEditable: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.constantFrom(...JOURNAL_KINDS), subject, (kind, about) => {
        const { before, after, what } = JournalEntry.parse(
          tell(attributed({ kind, subject: about, before: 'SECRET1', after: 'SECRET2' }), { timeOf }),
        );
        const isTyped = about.isEditable && !['spinbutton', 'slider'].includes(about.role);
        const isSecret = about.isMasked || isTyped || kind === 'text_changed';
        const isShown = [before, after, what].join().includes('SECRET');
        expect(isSecret && isShown).toBe(false);
      }),
    );
  });
});

describe('a summary', () => {
  it('joins what cursors divided, by source, and counts what a toolkit says in two ways once', () => {
    const label = { key: 'k', role: 'text', name: 'Done' } as const;
    const all = summarise([
      attributed({ kind: 'name_changed', subject: label, fromMs: 1, before: 'a' }),
      attributed({ kind: 'text_changed', subject: label, fromMs: 2 }),
      attributed({ kind: 'name_changed', subject: label, fromMs: 3, after: 'c' }),
      attributed({ kind: 'name_changed', subject: label, fromMs: 4 }, 'user'),
    ]);
    expect(all.map(({ by, happening: { kind, count, fromMs } }) => [by, kind, count, fromMs])).toEqual([
      ['application', 'name_changed', 2, 1],
      ['user', 'name_changed', 1, 4],
    ]);
  });

  it('tells each window by itself, and the focus of an application once', () => {
    const window = { kind: 'window_opened', subject: { key: 'window 1', name: 'A' } } as const;
    const focus = (key: string, fromMs: number) =>
      attributed({ kind: 'focus_changed', subject: { key, pid: 7, name: key, role: 'button' }, fromMs });
    const all = summarise([attributed(window), attributed(window), focus('a', 2000), focus('b', 2001)]);
    expect(all.map(({ happening: { kind, count } }) => [kind, count])).toEqual([
      ['window_opened', 1],
      ['window_opened', 1],
      ['focus_changed', 2],
    ]);
    expect(all.at(-1)?.happening.subject.name).toBe('b');
  });

  it('leaves out what elements get while their window is built', () => {
    const opened = {
      kind: 'dialog_appeared',
      subject: { key: 'window 1', windowId: '1' },
      fromMs: 1000,
    } as const;
    const label = { key: 'k', windowId: '1', role: 'text' } as const;
    const at = (fromMs: number) => attributed({ kind: 'name_changed', subject: label, fromMs, toMs: fromMs });
    expect(summarise([at(900), attributed(opened), at(1200)])).toHaveLength(1);
    expect(summarise([attributed(opened), at(3000)])).toHaveLength(2);
  });

  it('keeps the number of changes', () => {
    const one = fc.record({
      key: fc.constantFrom('a', 'b'),
      by: fc.constantFrom('user' as const, 'own' as const),
    });
    fc.assert(
      fc.property(fc.array(one), (given) => {
        const all = given.map(({ key, by }, index) => attributed({ subject: { key }, fromMs: index }, by));
        const total = summarise(all).reduce((sum, { happening: { count } }) => sum + count, 0);
        expect(total).toBe(given.length);
        expect(summarise(all).length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
