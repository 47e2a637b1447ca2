import { describe, expect, it } from 'vitest';
import { GRACE_MS, judge, type Answer, type Asked } from '../../scripts/proof/chaos/judge.ts';
import { ChaosTally } from '../../scripts/proof/chaos/tally.ts';
import type { AppEvent } from '../../scripts/proof/session-app.ts';

const CLICKED: AppEvent = { widget: 'press', event: 'clicked', value: 1 };
const CLICK: Asked = {
  name: 'click',
  deadlineMs: 5000,
  happened: (events) => events.filter(({ event }) => event === 'clicked').length,
  isCounted: true,
};

function answer(exitCode: number | string, data: object | string, durationMs = 100): Answer {
  return { exitCode, stdout: typeof data === 'string' ? data : JSON.stringify(data), durationMs };
}

const success = (effect: string): Answer => answer(0, { version: '1.0', ok: true, command: 'click', effect });

const failure = (code: string, exitCode: number, more: object = {}): Answer => {
  const error = { code, message: 'It failed.', suggestion: 'Try again.', retryable: true, ...more };
  return answer(exitCode, { version: '1.0', ok: false, command: 'click', error });
};

const problem = (given: Answer, events: readonly AppEvent[] = []) => judge(CLICK, given, events).problem;

describe('an answer while processes are killed', () => {
  it('is right if the application recorded what was confirmed', () => {
    expect(judge(CLICK, success('confirmed'), [CLICKED])).toEqual({
      answer: 'confirmed',
      problem: undefined,
    });
    expect(problem(success('unverified'))).toBeUndefined();
  });

  it('is a false success if the application did not', () => {
    expect(problem(success('confirmed'))).toContain('did not record it');
  });

  it('is wrong if it happened twice, whatever was said', () => {
    expect(problem(success('unverified'), [CLICKED, CLICKED])).toContain('happened 2 times');
  });

  it('may be a typed error with its own exit code and the next step', () => {
    expect(problem(failure('APP_NOT_FOUND', 6))).toBeUndefined();
    expect(problem(failure('APP_NOT_FOUND', 4))).toContain('with exit code 4');
    expect(problem(failure('APP_NOT_FOUND', 6, { suggestion: '' }))).toContain('without the next step');
    expect(problem(failure('INTERNAL', 70))).toContain('of the program itself');
  });

  it('must show what was asked for, unless it says that it is incomplete', () => {
    const asked: Asked = { name: 'snapshot', deadlineMs: 5000, shows: 'Press' };
    const of = (data: object) => judge(asked, answer(0, { version: '1.0', ok: true, ...data }), []).problem;
    expect(of({ tree: 'Press', complete: true })).toBeUndefined();
    expect(of({ tree: 'nothing', complete: true })).toContain('a success without "Press"');
    expect(of({ tree: 'nothing', complete: false })).toBeUndefined();
  });

  it('must not deny what happened', () => {
    expect(problem(failure('APP_NOT_FOUND', 6, { delivered: false }), [CLICKED])).toContain(
      'but it happened',
    );
    expect(problem(failure('APP_NOT_FOUND', 6, { delivered: true }), [CLICKED])).toBeUndefined();
  });

  it('must come, in time, and in the usual form', () => {
    expect(problem(answer('SIGKILL', ''))).toContain('no answer within');
    expect(problem({ ...success('unverified'), durationMs: 5000 + GRACE_MS + 1 })).toContain(
      'answered after',
    );
    expect(problem(answer(1, 'Segmentation fault'))).toContain('without a typed error');
    expect(problem(answer(0, ''))).toContain('exit 0 without an answer');
  });
});

describe('a tally of rounds', () => {
  it('goes on from what an earlier run wrote down', () => {
    const first = new ChaosTally('a');
    first.add({ counts: { 'next: ok': 1 }, problems: [], said: ['process 12 is gone'] });
    const next = new ChaosTally('a', JSON.parse(JSON.stringify(first.result())));
    next.add({ counts: { 'next: ok': 1 }, problems: ['left behind: it'], said: ['process 34 is gone'] });
    expect(next.result()).toEqual({
      row: 'a',
      repeats: 2,
      passes: 1,
      counts: { 'next: ok': 2 },
      said: ['process N is gone'],
      failures: ['left behind: it'],
    });
  });
});
