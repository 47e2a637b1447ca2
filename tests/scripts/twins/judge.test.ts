import { describe, expect, it } from 'vitest';
import { judge, type Outcome, type Verdict } from '../../../scripts/proof/twins/run/judge.ts';
import type { Difference } from '../../../scripts/proof/twins/look/compare.ts';
import { pictured } from './seen.ts';

const NONE = { only: [], other: [] };
const same: Difference = { tree: NONE, windows: NONE, files: NONE, picture: undefined };

function changed(...lines: string[]): Difference {
  return { ...same, tree: { only: [], other: lines } };
}

function verdict(
  effect: Outcome['answer']['effect'],
  ours: Difference,
  twins: Difference,
  between: Difference,
  twinChangedMs: number | undefined = 50,
): Verdict {
  return judge({ answer: { effect, route: '', words: '' }, ours, twins, between, twinChangedMs });
}

describe('judging an act', () => {
  const done = changed('saved');

  it.each([
    ['confirmed', 'agree'],
    ['unverified', 'unverified_visible'],
    ['failed', 'false_failure'],
  ] as const)('%s, and both sides show the same effect: %s', (effect, expected) => {
    expect(verdict(effect, done, done, same)).toBe(expected);
  });

  it('confirmed, and not a pixel changed on either side: false success, unless that is what it says, or what is not drawn', () => {
    const told = (words: string, isUntouched = true): Verdict =>
      judge({
        answer: { effect: 'confirmed', route: '', words },
        ours: same,
        twins: same,
        between: same,
        twinChangedMs: undefined,
        isUntouched,
      });
    expect(told('label "Time" changed')).toBe('false_success');
    expect(told('label "Time" changed', false)).toBe('agree');
    expect(told('already; fresh read: checked')).toBe('agree');
    expect(told('the keyboard focus moved to button "OK"')).toBe('agree');
    expect(told('label "Time" changed; application events: focus-changed, selection-changed')).toBe(
      'false_success',
    );
  });

  it('failed, and only the picture changed: agree, if a state was promised', () => {
    const drawn: Difference = { ...same, picture: pictured([0, 0, 20, 20]) };
    const outcome = {
      answer: { effect: 'failed', route: '', words: '' },
      ours: drawn,
      twins: drawn,
      between: same,
      twinChangedMs: 50,
    } as const;
    expect(judge({ ...outcome, isPromised: true })).toBe('agree');
    expect(judge(outcome)).toBe('false_failure');
    const partly = { ...outcome, answer: { ...outcome.answer, isPartial: true } };
    expect(judge(partly)).toBe('agree');
  });

  it('failed in part, and the field took as much of the text from the mouse: agree, unless more than the picture differs', () => {
    const took = changed('text "twin "');
    const answer = { effect: 'failed', route: '', words: '', isPartial: true } as const;
    const outcome = { answer, ours: took, twins: took, twinChangedMs: 50 };
    const drawn: Difference = { ...same, picture: pictured([0, 0, 20, 20]) };
    expect(judge({ ...outcome, between: drawn, isSameText: true })).toBe('agree');
    expect(judge({ ...outcome, between: drawn, isSameText: false })).toBe('false_failure');
    expect(judge({ ...outcome, between: changed('another row'), isSameText: true })).toBe('false_failure');
    const told = { ...answer, isPartial: false };
    expect(judge({ ...outcome, answer: told, between: drawn, isSameText: true })).toBe('false_failure');
  });

  it('failed, nothing happened on our side, and what the mouse did left no difference that counts: a gap', () => {
    expect(verdict('failed', same, done, same)).toBe('gap');
  });

  it.each(['confirmed', 'unverified', 'failed'] as const)(
    '%s, and nothing happened on either side: agree',
    (effect) => {
      expect(verdict(effect, same, same, same, undefined)).toBe('agree');
    },
  );

  it.each([
    ['confirmed', 'false_success'],
    ['unverified', 'unverified_visible'],
    ['failed', 'gap'],
  ] as const)('%s, and only the mouse did something: %s', (effect, expected) => {
    expect(verdict(effect, same, done, done)).toBe(expected);
  });

  it.each(['confirmed', 'unverified', 'failed'] as const)(
    '%s, and something else changed: wrong target',
    (effect) => {
      expect(verdict(effect, changed('deleted'), done, changed('deleted', 'saved'))).toBe('wrong_target');
    },
  );

  it.each(['confirmed', 'unverified', 'failed'] as const)(
    '%s, and only our side changed: wrong target',
    (effect) => {
      expect(verdict(effect, changed('deleted'), same, changed('deleted'))).toBe('wrong_target');
    },
  );

  it('confirmed, and the result is only a part of the mouse’s: false success', () => {
    expect(
      verdict('confirmed', changed('bold'), changed('bold', 'text is bold'), changed('text is bold')),
    ).toBe('false_success');
  });

  it('a difference of the picture alone is a difference', () => {
    expect(
      verdict(
        'confirmed',
        same,
        { ...same, picture: pictured([0, 0, 8, 8]) },
        { ...same, picture: pictured([0, 0, 8, 8]) },
      ),
    ).toBe('false_success');
  });

  it('unverified, and only our side looks otherwise: a visible effect that was not told', () => {
    const drawn: Difference = { ...same, picture: pictured([0, 0, 8, 8]) };
    expect(verdict('unverified', drawn, same, drawn, undefined)).toBe('unverified_visible');
    expect(verdict('unverified', same, same, drawn, undefined)).toBe('agree');
  });

  it('what the twin showed too late is no visible effect', () => {
    expect(verdict('unverified', done, done, same, 1500)).toBe('agree');
  });

  it('unverified, and a file was written: agree, as nothing of it is to be seen', () => {
    const written: Difference = { ...same, files: { only: [], other: ['file a 1'] } };
    expect(verdict('unverified', written, written, same)).toBe('agree');
    // What only the mouse wrote is missing on our side.
    expect(verdict('unverified', same, written, written)).toBe('unverified_visible');
    expect(verdict('confirmed', same, written, written)).toBe('false_success');
  });

  it('unverified, and the twin differs from what both showed before by the mark of the focus: agree', () => {
    const drawn: Difference = { ...same, picture: pictured([0, 0, 20, 20]) };
    const outcome = {
      answer: { effect: 'unverified', route: '', words: '' },
      ours: same,
      twins: drawn,
      between: same,
      twinChangedMs: 50,
    } as const;
    expect(judge({ ...outcome, isFocusApart: true })).toBe('agree');
    expect(judge(outcome)).toBe('unverified_visible');
    expect(judge({ ...outcome, ours: drawn, isFocusApart: true })).toBe('unverified_visible');
  });
});
