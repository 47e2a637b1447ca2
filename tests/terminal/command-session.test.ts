import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import {
  BEGIN_WITHIN_MS,
  advance,
  commandOf,
  nextDeadline,
  requireIdle,
} from '../../src/terminal/shells/command-session.ts';
import type {
  CommandOutcome,
  SessionCommand,
  SessionEvent,
  SessionState,
} from '../../src/terminal/shells/command-session.ts';
import type { Mark } from '../../src/terminal/shells/command-marks.ts';

const STARTING: SessionState = { kind: 'starting', sinceMs: 0 };

function command(sequence: number, more: Partial<SessionCommand> = {}): SessionCommand {
  return {
    sequence,
    text: 'make test',
    isBackground: false,
    typedMs: 100,
    waitMs: 5000,
    isAnswered: false,
    ...more,
  };
}
const at = (atMs: number, mark: Mark): SessionEvent => ({ kind: 'mark', mark, atMs });
const prompt = (sequence: number, exitCode = 0): Mark => ({
  kind: 'prompt',
  sequence,
  exitCode,
  cwd: '/p',
});

function play(
  events: readonly SessionEvent[],
  from: SessionState = STARTING,
): { readonly state: SessionState; readonly outcomes: CommandOutcome[] } {
  let state = from;
  const outcomes: CommandOutcome[] = [];
  for (const event of events) {
    const step = advance(state, event);
    state = step.state;
    if (step.outcome !== undefined) outcomes.push(step.outcome);
  }
  return { state, outcomes };
}

function refusal(state: SessionState): DeskterityError | undefined {
  try {
    requireIdle(state, 65_000);
    return undefined;
  } catch (error) {
    if (error instanceof DeskterityError) return error;
    throw error;
  }
}

const TYPED: readonly SessionEvent[] = [at(50, prompt(0)), { kind: 'typed', command: command(1) }];
const RUNNING = [...TYPED, at(110, { kind: 'line', sequence: 0 }), at(120, { kind: 'begin', sequence: 1 })];

describe('a command', () => {
  it('runs to its end, and the next prompt allows another', () => {
    const ended = play([...RUNNING, at(220, { kind: 'end', sequence: 1, exitCode: 3, cwd: '/q' })]);
    expect(ended.outcomes).toEqual([{ kind: 'completed', sequence: 1, exitCode: 3, durationMs: 100 }]);
    expect(ended.state).toEqual({ kind: 'returning', cwd: '/q', exitCode: 3 });
    expect(play([at(230, prompt(1, 3))], ended.state).state).toEqual({
      kind: 'idle',
      cwd: '/p',
      exitCode: 3,
      isTouched: false,
    });
  });

  it('ends with the prompt if its own end mark is missing', () => {
    const { state, outcomes } = play([...RUNNING, at(300, prompt(1, 130))]);
    expect(state.kind).toBe('idle');
    expect(outcomes).toMatchObject([{ kind: 'completed', exitCode: 130, durationMs: 180 }]);
  });

  it('is not ended by marks of another command, such as replayed output', () => {
    const { state, outcomes } = play([
      ...RUNNING,
      at(130, { kind: 'end', sequence: 0, exitCode: 0 }),
      at(130, prompt(0)),
      at(130, { kind: 'end', sequence: 2, exitCode: 0 }),
      at(130, { kind: 'begin', sequence: 1 }),
    ]);
    expect(outcomes).toEqual([]);
    expect(state).toMatchObject({ kind: 'running', sinceMs: 120 });
  });

  it('is reported when its time is over and again when it ends', () => {
    const { state, outcomes } = play([
      ...RUNNING,
      { kind: 'time', atMs: 5099 },
      { kind: 'time', atMs: 5100 },
      { kind: 'time', atMs: 9000 },
    ]);
    expect(outcomes).toEqual([{ kind: 'timed_out', sequence: 1, durationMs: 4980 }]);
    expect(nextDeadline(state)).toBeUndefined();
    const later = play([at(9500, { kind: 'end', sequence: 1, exitCode: 0 })], state);
    expect(later.outcomes).toMatchObject([{ kind: 'completed', durationMs: 9380 }]);
  });

  it('is reported as started in the background', () => {
    const events: SessionEvent[] = [
      at(50, prompt(0)),
      { kind: 'typed', command: command(1, { isBackground: true, waitMs: 1000 }) },
      at(120, { kind: 'begin', sequence: 1 }),
    ];
    const { state } = play(events);
    expect(nextDeadline(state)).toBe(1100);
    expect(play([{ kind: 'time', atMs: 1100 }], state).outcomes).toMatchObject([{ kind: 'started' }]);
  });

  it('that does not begin is given up, and the next prompt is usable', () => {
    const typed = play(TYPED);
    expect(nextDeadline(typed.state)).toBe(5100);
    const { state, outcomes } = play(
      [
        { kind: 'time', atMs: 5100 },
        { kind: 'time', atMs: 100 + BEGIN_WITHIN_MS },
      ],
      typed.state,
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['timed_out', 'not_begun']);
    expect(state).toMatchObject({ kind: 'running', command: undefined });
    expect(play([at(20_000, prompt(0))], state).state.kind).toBe('idle');
  });

  it('is given up with its line if ctrl-c brings back the prompt', () => {
    const late = play([...TYPED, at(105, prompt(0))]);
    expect(late).toMatchObject({ state: { kind: 'typed' }, outcomes: [] });
    const taken = play([{ kind: 'touched' }, at(110, prompt(0))], late.state);
    expect(taken.outcomes).toEqual([]);
    expect(nextDeadline(taken.state)).toBe(1610);
    expect(play([{ kind: 'time', atMs: 1610 }], taken.state)).toMatchObject({
      state: { kind: 'idle', isTouched: false },
      outcomes: [{ kind: 'not_begun', sequence: 1, durationMs: 1510 }],
    });
    expect(play([at(120, { kind: 'begin', sequence: 1 })], taken.state).state.kind).toBe('running');
  });

  it('ends with the shell', () => {
    const { state, outcomes } = play([
      ...RUNNING,
      { kind: 'shell_ended', exit: { exitCode: 3, signal: undefined }, atMs: 200 },
      at(210, prompt(1)),
    ]);
    expect(outcomes).toEqual([{ kind: 'shell_ended', sequence: 1, exitCode: 3, durationMs: 80 }]);
    expect(state).toEqual({ kind: 'gone', exit: { exitCode: 3, signal: undefined } });
  });
});

describe('an assumed prompt', () => {
  const ASSUMED: SessionEvent = { kind: 'prompt-assumed' };

  it('is accepted if only hooks are missing', () => {
    const ended = [...RUNNING, at(220, { kind: 'end', sequence: 1, exitCode: 3 })] as const;
    expect(play([...ended, ASSUMED]).state).toMatchObject({ kind: 'idle', exitCode: 3, cwd: '/p' });
    expect(play([at(1, prompt(0)), { kind: 'touched' }, ASSUMED]).state).toMatchObject({ isTouched: false });
    expect(play([at(1, prompt(0)), at(2, { kind: 'line', sequence: 0 }), ASSUMED]).state.kind).toBe('idle');
  });

  it('is ignored while our command runs and before the hooks are loaded', () => {
    expect(play([...RUNNING, ASSUMED]).state.kind).toBe('running');
    expect(play([...TYPED, ASSUMED]).state.kind).toBe('typed');
    expect(play([ASSUMED]).state.kind).toBe('starting');
  });
});

describe('requireIdle', () => {
  it('allows a command only at an empty prompt', () => {
    expect(refusal(play([at(50, prompt(0))]).state)).toBeUndefined();
    expect(refusal(play([at(50, prompt(0)), { kind: 'touched' }]).state)).toMatchObject({
      code: 'TERMINAL_BUSY',
      message: 'The terminal is busy: somebody is typing at its prompt.',
    });
    expect(refusal(play([at(50, prompt(0)), { kind: 'touched' }, at(60, prompt(0))]).state)).toBeUndefined();
  });

  it('names the running command', () => {
    expect(refusal(play(RUNNING).state)?.message).toBe(
      'The terminal is busy: "make test" has been running for 65 s.',
    );
    expect(refusal(play([at(50, prompt(0)), at(5000, { kind: 'line', sequence: 0 })]).state)?.message).toBe(
      'The terminal is busy: a command typed by hand has been running for 60 s.',
    );
    const hostile = command(1, { text: `\u{1B}[2J${'x'.repeat(100)}` });
    expect(refusal(play([at(50, prompt(0)), { kind: 'typed', command: hostile }]).state)?.message).toMatch(
      /^The terminal is busy: the shell has not started "[ -~]{80}…" yet\.$/u,
    );
    expect(refusal(STARTING)?.code).toBe('TERMINAL_BUSY');
    expect(refusal({ kind: 'gone', exit: { exitCode: 0, signal: undefined } })?.code).toBe(
      'TERMINAL_NOT_FOUND',
    );
  });
});

it('reports at most one final outcome per command, in any order of events', () => {
  const mark = fc.record({
    kind: fc.constantFrom('prompt', 'line', 'begin', 'end'),
    sequence: fc.nat(4),
    exitCode: fc.nat(255),
  });
  const event = fc.oneof(
    mark.map((mark): SessionEvent => ({ kind: 'mark', mark, atMs: 0 })),
    fc.constantFrom<SessionEvent>({ kind: 'touched' }, { kind: 'prompt-assumed' }),
    fc.nat(20_000).map((atMs): SessionEvent => ({ kind: 'time', atMs })),
    fc.constant('run' as const),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let state: SessionState = STARTING;
      let clock = 0;
      let sequence = 0;
      /** Commands that ended without an outcome. */
      const lost: number[] = [];
      const final = new Map<number, number>();
      for (const event of events) {
        clock += 1;
        let next: SessionEvent;
        if (event === 'run') {
          if (refusal(state) !== undefined) continue;
          sequence += 1;
          next = { kind: 'typed', command: command(sequence, { typedMs: clock }) };
        } else if (event.kind === 'time') {
          clock += event.atMs;
          next = { kind: 'time', atMs: clock };
        } else next = event.kind === 'mark' ? { ...event, atMs: clock } : event;
        const step = advance(state, next);
        const before = commandOf(state);
        state = step.state;
        if (step.outcome === undefined) {
          if (before !== undefined && commandOf(state)?.sequence !== before.sequence)
            lost.push(before.sequence);
          continue;
        }
        expect(step.outcome.durationMs).toBeGreaterThanOrEqual(0);
        expect(step.outcome.sequence).toBe(before?.sequence);
        if (!['started', 'timed_out'].includes(step.outcome.kind))
          final.set(step.outcome.sequence, (final.get(step.outcome.sequence) ?? 0) + 1);
      }
      expect(lost).toEqual([]);
      expect([...final.values()].every((count) => count === 1)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
