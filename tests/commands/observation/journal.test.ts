import { describe, expect, it } from 'vitest';
import journal from '../../../src/commands/observation/journal.ts';
import type { JournalResult } from '../../../src/engine/requests/reading.ts';
import type { JournalEntry } from '../../../src/model/journal/entry.ts';
import { stringifyVisibly } from '../../../src/model/text/untrusted-text.ts';
import { success } from '../../../src/model/effects/envelope.ts';
import { estimateTokens } from '../../../src/model/tree/budget.ts';
import { fakeDesktop } from '../fake-engine.ts';

const entry = (index: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  time: '2026-01-31T12:00:00.000Z',
  kind: 'focus_changed',
  app: 'kate',
  what: `focus moved to button "${index}"`,
  by: 'user',
  ...more,
});

const RESULT: JournalResult = {
  entries: [
    entry(1),
    entry(2, {
      kind: 'dialog_appeared',
      what: 'dialog "Save" appeared',
      by: 'own',
      command: 'click',
      ref: '@w3',
    }),
  ],
  cursor: 'c9',
  since: 'c5',
  begin: '2026-01-31T11:00:00.000Z',
  notes: [],
};

async function run(result: JournalResult | undefined, input: Readonly<Record<string, unknown>> = {}) {
  const desktop = fakeDesktop({ journal: async () => result });
  const output = await journal.run(desktop.ctx, journal.input.parse(input));
  return { output, calls: desktop.calls, outline: journal.outline?.(output) };
}

describe('journal', () => {
  it('asks for what was asked for, and has one line for each entry', async () => {
    const { calls, outline } = await run(RESULT, { since: 'c5', app: 'kate', kind: ['dialog_appeared'] });
    expect(calls).toMatchObject([
      { method: 'journal', request: { since: 'c5', app: 'kate', kinds: ['dialog_appeared'] } },
    ]);
    expect(outline).toBe(
      [
        '12:00:00.000 user: focus moved to button "1", in kate',
        '12:00:00.000 own act (click): dialog "Save" appeared, in kate @w3',
        'cursor c9',
      ].join('\n'),
    );
  });

  it('says that nothing has happened', async () => {
    const { outline } = await run({ ...RESULT, entries: [] }, { since: 'c5' });
    expect(outline).toBe('nothing has happened since c5\ncursor c9');
  });

  it.each([300, 500, 1000, 5000])('stays within %i tokens and says how to get the rest', async (most) => {
    const entries = Array.from({ length: 200 }, (_, index) => entry(index));
    const result = { ...RESULT, entries: [...entries, ...RESULT.entries] };
    const { output } = await run(result, { max_tokens: most });
    expect(estimateTokens(stringifyVisibly(success('journal', output)))).toBeLessThanOrEqual(most);
    expect(output.entries.some(({ kind }) => kind === 'dialog_appeared')).toBe(true);
    expect(output.left_out?.count).toBe(202 - output.entries.length);
    expect(output.left_out?.how.length).toBeGreaterThan(0);
  });

  it('refuses a budget that not even the rest of the answer fits into', async () => {
    await expect(run(RESULT, { max_tokens: 5 })).rejects.toMatchObject({ code: 'BUDGET_TOO_SMALL' });
  });

  it('says that there is none without a daemon', async () => {
    const { output } = await run(undefined);
    expect(output).toMatchObject({ entries: [], notes: [expect.stringContaining('without a daemon')] });
  });
});
