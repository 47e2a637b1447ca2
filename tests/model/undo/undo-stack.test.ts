import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MOST_ACTS,
  readUndoDocument,
  withAct,
  withoutActs,
  type UndoDocument,
} from '../../../src/model/undo/undo-stack.ts';
import { LONGEST_KEPT_TEXT } from '../../../src/model/undo/reversal.ts';

const EMPTY = readUndoDocument(undefined);
const act = (before = 'a') => ({
  command: 'set-value',
  about: 'textbox @e1',
  at: '2026-01-01T00:00:00.000Z',
  call: 'c1',
  reversal: { kind: 'value', ref: '@e1', before, after: 'b' } as const,
});

describe('the stack of acts', () => {
  it('counts every act, and keeps the newest ones in order, whatever is removed meanwhile', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant('push'), fc.nat(200)), { maxLength: 300 }), (steps) => {
        let document: UndoDocument = EMPTY;
        let pushed = 0;
        for (const step of steps) {
          if (typeof step === 'string') {
            pushed += 1;
            document = withAct(document, act());
          } else document = withoutActs(document, new Set([step]));
          const ids = document.acts.map(({ id }) => id);
          expect(document.actions).toBe(pushed);
          expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
          expect(ids.length).toBeLessThanOrEqual(MOST_ACTS);
        }
        expect(readUndoDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
      }),
    );
  });

  it('drops the oldest acts when their texts become too long together', () => {
    let document: UndoDocument = EMPTY;
    for (let at = 0; at < 40; at += 1) document = withAct(document, act('x'.repeat(LONGEST_KEPT_TEXT)));
    expect(document.actions).toBe(40);
    expect(document.acts.length).toBeLessThanOrEqual(16);
    expect(document.acts.at(-1)?.id).toBe(40);
  });

  it('is empty where what is stored is not one', () => {
    const stored = [
      null,
      'x',
      { version: 2 },
      { version: 1, actions: -1, acts: [] },
      { acts: [{ __proto__: null }] },
    ];
    for (const data of stored) expect(readUndoDocument(data)).toEqual(EMPTY);
  });
});
