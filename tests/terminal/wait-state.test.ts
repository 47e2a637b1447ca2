import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WAIT_STATES, type WaitState } from '../../src/model/terminals/terminal-state.ts';
import type { ForegroundProcess } from '../../src/ports/terminals/pseudo-terminal.ts';
import { classify, EXITED, mayBeSecret, screenFacts } from '../../src/terminal/sessions/held/wait-state.ts';
import type { ScreenFacts, WaitFacts } from '../../src/terminal/sessions/held/wait-state.ts';
import { untilSteadyMs, addReading } from '../../src/terminal/sessions/held/steady-state.ts';
import type { ObservedState } from '../../src/terminal/sessions/held/steady-state.ts';
import { waitingSpanMs } from '../../src/terminal/sessions/held/state-sampler.ts';
import type { WaitReading } from '../../src/terminal/sessions/held/wait-state.ts';

const SHELL_GROUP = 10;
const PROGRAM_GROUP = 20;

type Waiting = ForegroundProcess['waitsIn'];

/** `echo line read`; a missing word means that it does not hold. */
function facts(
  modes: string,
  waitsIn: Waiting,
  more: {
    readonly screen?: Partial<ScreenFacts>;
    readonly shell?: boolean | null;
    readonly inShell?: boolean;
    readonly isPlain?: boolean;
  } = {},
): WaitFacts {
  const group = more.inShell === true ? SHELL_GROUP : PROGRAM_GROUP;
  return {
    terminal: {
      foregroundGroup: group,
      isEchoing: modes.includes('echo'),
      isLineMode: modes.includes('line'),
      processes: [{ pid: group, program: 'prog', waitsIn }],
    },
    screen: {
      isAlternate: false,
      isCursorAfterText: false,
      isPasteBracketed: false,
      takesKeys: false,
      ...more.screen,
    },
    shell:
      more.shell === null
        ? undefined
        : { group: SHELL_GROUP, isCommandRunning: more.shell, hasLineEditor: more.isPlain !== true },
  };
}

const text = { isCursorAfterText: true };
const drawing = { takesKeys: true };
const alternate = { isAlternate: true };
const bracketed = { isPasteBracketed: true };

describe('a single reading', () => {
  // The facts were measured on these programs.
  it.each<[string, WaitFacts, WaitState]>([
    ['read -p of a script', facts('echo line', 'terminal-read', { screen: text }), 'waiting_for_line'],
    ['read -s of a script', facts('line', 'terminal-read', { screen: text }), 'waiting_for_secret'],
    [
      'ssh-keygen asking for a passphrase',
      facts('line', 'terminal-read', { screen: text }),
      'waiting_for_secret',
    ],
    ['sudo, which hides from us', facts('line', 'unknown'), 'waiting_for_secret'],
    ['a question of one that hides', facts('echo line', 'unknown', { screen: text }), 'waiting_for_line'],
    ['one that hides and asks nothing', facts('echo line', 'unknown'), 'running'],
    ["another user's shell", facts('', 'unknown', { screen: { ...text, ...bracketed } }), 'waiting_for_line'],
    ['sleep without echo behind a text', facts('line', 'elsewhere', { screen: text }), 'running'],
    ['cat', facts('echo line', 'terminal-read'), 'waiting_for_line'],
    ['sleep', facts('echo line', 'elsewhere'), 'running'],
    ['sleep behind a text', facts('echo line', 'elsewhere', { screen: text }), 'running'],
    ['a loop', facts('echo line', 'running'), 'running'],
    ['a loop that has turned off the echo', facts('line', 'running', { screen: text }), 'running'],
    ['a server that listens for keys', facts('echo line', 'poll'), 'running'],
    ['a node prompt in line mode', facts('echo line', 'poll', { screen: text }), 'waiting_for_line'],
    ['python', facts('', 'poll', { screen: { ...text, ...bracketed } }), 'waiting_for_line'],
    ['npm init', facts('', 'poll', { screen: text }), 'waiting_for_line'],
    ['gdb', facts('', 'terminal-read', { screen: { ...text, ...bracketed } }), 'waiting_for_line'],
    ['read -n 1', facts('', 'terminal-read'), 'waiting_for_line'],
    ['ssh while something runs there', facts('', 'poll'), 'running'],
    ['vim', facts('', 'poll', { screen: { ...alternate, ...bracketed } }), 'full_screen'],
    ['vim while it computes', facts('', 'running', { screen: alternate }), 'full_screen'],
    ['less', facts('', 'terminal-read', { screen: { ...alternate, ...drawing, ...text } }), 'full_screen'],
    ['the pager of git', facts('', 'terminal-read', { screen: { ...drawing, ...text } }), 'full_screen'],
    ['top', facts('', 'poll', { screen: drawing }), 'full_screen'],
    ['top while it counts', facts('', 'running', { screen: drawing }), 'full_screen'],
    ['sleep after a killed vim', facts('echo line', 'elsewhere', { screen: alternate }), 'running'],
    [
      'a password on the alternate screen',
      facts('line', 'terminal-read', { screen: alternate }),
      'waiting_for_secret',
    ],
  ])('at %s', (_, given, state) => {
    expect(classify(given).state).toBe(state);
  });

  it.each<[string, WaitFacts, WaitState]>([
    ['bash or zsh without marks', facts('', 'poll', { inShell: true }), 'idle'],
    ['dash without marks', facts('echo line', 'terminal-read', { inShell: true, isPlain: true }), 'idle'],
    [
      'the builtin read of bash without marks',
      facts('echo line', 'terminal-read', { inShell: true }),
      'waiting_for_line',
    ],
    ['bash at its prompt', facts('', 'poll', { inShell: true, shell: false }), 'idle'],
    ['dash at its prompt', facts('echo line', 'terminal-read', { inShell: true, shell: false }), 'idle'],
    [
      'bash after a killed vim',
      facts('', 'poll', { inShell: true, shell: false, screen: alternate }),
      'idle',
    ],
    ['bash that makes its prompt', facts('echo line', 'running', { inShell: true, shell: false }), 'running'],
    [
      'its builtin read',
      facts('echo line', 'terminal-read', { inShell: true, shell: true }),
      'waiting_for_line',
    ],
    [
      'its builtin read -s',
      facts('line', 'terminal-read', { inShell: true, shell: true }),
      'waiting_for_secret',
    ],
    [
      'its builtin read -s without marks',
      facts('line', 'terminal-read', { inShell: true }),
      'waiting_for_secret',
    ],
    ['its builtin loop', facts('echo line', 'running', { inShell: true, shell: true }), 'running'],
    [
      'a program in its place',
      facts('', 'poll', { inShell: true, shell: null, screen: text }),
      'waiting_for_line',
    ],
  ])('at the shell: %s', (_, given, state) => {
    expect(classify(given).state).toBe(state);
  });

  it('finds the reading process in a pipeline', () => {
    const given = facts('echo line', 'elsewhere');
    const processes = [
      { pid: 21, program: 'cat', waitsIn: 'elsewhere' },
      { pid: 20, program: 'head', waitsIn: 'terminal-read' },
    ] as const;
    const reading = classify({ ...given, terminal: { ...given.terminal, processes } });
    expect(reading).toMatchObject({ state: 'waiting_for_line', process: { pid: 20, program: 'head' } });
    expect(reading.restsOn).toEqual([
      'head (20) reads the terminal',
      '1 more in its group',
      'input is read by line',
      'typed text is echoed',
    ]);
  });

  it('reports only what is known', () => {
    const given = facts('line', 'terminal-read');
    const nobody = { ...given.terminal, foregroundGroup: undefined };
    expect(classify({ ...given, terminal: nobody })).toEqual({
      state: 'running',
      process: { pid: 20, program: 'prog', waitsIn: 'terminal-read' },
      restsOn: ['no process group has the terminal'],
    });
    // A program of another user may be hidden: without echo and by line, it asks for a secret.
    const hidden = (modes: string) => {
      const { terminal, ...rest } = facts(modes, 'terminal-read');
      return classify({ ...rest, terminal: { ...terminal, processes: [] } }).state;
    };
    expect(hidden('line')).toBe('waiting_for_secret');
    expect(hidden('echo line')).toBe('running');
    expect(hidden('')).toBe('running');
  });
});

it('derives the screen facts', () => {
  const plain = {
    isAlternate: false,
    cursor: { row: 0, column: 0, isVisible: true },
    modes: {
      isBracketedPaste: false,
      isApplicationCursor: false,
      isApplicationKeypad: false,
      mouseTracking: 'none',
      isSgrMouse: false,
      isFocusReported: false,
    },
  } as const;
  const nothing = {
    isAlternate: false,
    isCursorAfterText: false,
    isPasteBracketed: false,
    takesKeys: false,
  };
  expect(screenFacts(plain, '  ')).toEqual(nothing);
  expect(screenFacts(plain, 'Name: ')).toEqual({ ...nothing, isCursorAfterText: true });
  for (const more of [
    { cursor: { ...plain.cursor, isVisible: false } },
    { modes: { ...plain.modes, isApplicationCursor: true } },
    { modes: { ...plain.modes, mouseTracking: 'vt200' as const } },
  ])
    expect(screenFacts({ ...plain, ...more }, '')).toEqual({ ...nothing, takesKeys: true });
  const pasting = { ...plain, isAlternate: true, modes: { ...plain.modes, isBracketedPaste: true } };
  expect(screenFacts(pasting, '')).toEqual({ ...nothing, isAlternate: true, isPasteBracketed: true });
});

const anyFacts: fc.Arbitrary<WaitFacts> = fc.record({
  terminal: fc.record({
    foregroundGroup: fc.constantFrom(undefined, SHELL_GROUP, PROGRAM_GROUP),
    isEchoing: fc.boolean(),
    isLineMode: fc.boolean(),
    processes: fc.array(
      fc.record({
        pid: fc.integer({ min: 1, max: 30 }),
        program: fc.string({ maxLength: 15 }),
        waitsIn: fc.constantFrom<Waiting>('terminal-read', 'poll', 'elsewhere', 'running', 'unknown'),
      }),
      { maxLength: 4 },
    ),
  }),
  screen: fc.record({
    isAlternate: fc.boolean(),
    isCursorAfterText: fc.boolean(),
    isPasteBracketed: fc.boolean(),
    takesKeys: fc.boolean(),
  }),
  shell: fc.option(
    fc.record({
      group: fc.constant(SHELL_GROUP),
      isCommandRunning: fc.constantFrom(undefined, true, false),
      hasLineEditor: fc.boolean(),
    }),
    { nil: undefined },
  ),
});

describe('any facts', () => {
  it('give a state with its reasons, in any order of the processes', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const reading = classify(given);
        expect(WAIT_STATES).toContain(reading.state);
        expect(reading.restsOn.length).toBeGreaterThan(0);
        const processes = given.terminal.processes.toReversed();
        expect(classify({ ...given, terminal: { ...given.terminal, processes } }).state).toBe(reading.state);
      }),
    );
  });

  it('give a secret only without echo and a line only with echo, except for single keys', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { state } = classify(given);
        const { terminal } = given;
        const holds: Readonly<Record<WaitState, boolean>> = {
          waiting_for_secret: mayBeSecret(terminal),
          waiting_for_line: !mayBeSecret(terminal),
          idle: terminal.foregroundGroup === given.shell?.group,
          full_screen: !terminal.isLineMode,
          running: true,
          exited: false,
        };
        expect(holds[state]).toBe(true);
      }),
    );
  });
});

const reading = (state: WaitState, pid = 1): WaitReading => ({
  state,
  process: { pid, program: 'prog', waitsIn: 'terminal-read' },
  restsOn: ['a fact'],
});

function watch(looks: readonly (readonly [number, WaitReading])[], spanMs = 100): ObservedState | undefined {
  let watched: ObservedState | undefined;
  for (const [atMs, one] of looks) watched = addReading(watched, one, atMs, spanMs);
  return watched;
}

describe('successive readings', () => {
  it('report a state that has lasted', () => {
    const line = reading('waiting_for_line');
    expect(watch([[0, line]])?.steady).toBeUndefined();
    expect(
      watch([
        [0, line],
        [99, line],
      ])?.steady,
    ).toBeUndefined();
    expect(
      watch([
        [0, line],
        [100, line],
      ])?.steady,
    ).toBe(line);
  });

  it('ignore a momentary state', () => {
    const [line, running] = [reading('waiting_for_line'), reading('running', 2)];
    const looks = [
      [0, running],
      [100, running],
      [150, line],
      [200, running],
      [240, running],
    ] as const;
    expect(watch(looks)?.steady?.state).toBe('running');
    expect(watch([...looks, [250, line], [340, line]])?.steady?.state).toBe('running');
    expect(watch([...looks, [250, line], [350, line]])?.steady?.state).toBe('waiting_for_line');
  });

  it('start over when another program waits', () => {
    const looks = [
      [0, reading('waiting_for_line', 1)],
      [100, reading('waiting_for_line', 1)],
    ] as const;
    expect(watch([...looks, [150, reading('waiting_for_line', 2)]])?.steady?.process?.pid).toBe(1);
    expect(
      watch([...looks, [150, reading('waiting_for_line', 2)], [250, reading('waiting_for_line', 2)]])?.steady
        ?.process?.pid,
    ).toBe(2);
  });

  it('treat a loop as running although each round is a new process', () => {
    const rounds = Array.from({ length: 20 }, (_, round) => [round * 50, reading('running', round)] as const);
    expect(watch(rounds)?.steady?.state).toBe('running');
  });

  it('drop a state that has not been seen for a while', () => {
    const idle = [
      [0, reading('idle')],
      [100, reading('idle')],
    ] as const;
    const flicker = Array.from(
      { length: 10 },
      (_, look) => [120 + look * 20, reading(look % 2 === 0 ? 'waiting_for_line' : 'full_screen')] as const,
    );
    expect(watch([...idle, ...flicker])?.steady).toEqual({
      state: 'running',
      restsOn: ['no state lasted long enough'],
    });
  });

  it('report the end at once and permanently', () => {
    const watched = watch([
      [0, reading('running')],
      [1, EXITED],
    ]);
    expect(watched?.steady).toBe(EXITED);
    expect(addReading(watched, reading('idle'), 1000, 100)).toBe(watched);
  });

  it('give the time of the next reading', () => {
    const line = reading('waiting_for_line');
    const watched = addReading(addReading(undefined, line, 0, 100), line, 30, 100);
    expect(untilSteadyMs(watched, 100)).toBe(70);
    expect(untilSteadyMs(addReading(watched, line, 100, 100), 100)).toBe(0);
  });
});

describe('any readings', () => {
  const looks = fc.array(
    fc.tuple(
      fc.integer({ min: -50, max: 120 }),
      fc.record({ state: fc.constantFrom(...WAIT_STATES), pid: fc.integer({ min: 1, max: 3 }) }),
    ),
    { minLength: 1, maxLength: 30 },
  );

  it('never report an unseen state and are stable if nothing changes', () => {
    fc.assert(
      fc.property(looks, (steps) => {
        let watched: ObservedState | undefined;
        let atMs = 0;
        const seen = new Set<WaitState>(['running']);
        for (const [stepMs, { state, pid }] of steps) {
          atMs += stepMs;
          seen.add(state);
          const before = watched?.steady;
          watched = addReading(watched, reading(state, pid), atMs, 100);
          expect(watched.steady === undefined || seen.has(watched.steady.state)).toBe(true);
          expect(watched.lastMs).toBeGreaterThanOrEqual(watched.seenSinceMs);
          // A change needs time: readings at the same moment never cause one.
          const again = addReading(watched, reading(state, pid), watched.lastMs, 100);
          expect(again.steady?.state).toBe(watched.steady?.state);
          expect(before === undefined || watched.steady !== undefined).toBe(true);
        }
        const last = watched;
        if (last === undefined) throw new Error('no look');
        const settled = addReading(last, last.seen, last.lastMs + 100, 100);
        const isOver = last.steady?.state === 'exited';
        expect(settled.steady?.state).toBe(isOver ? 'exited' : last.seen.state);
      }),
    );
  });
});

it('must last longer the less certain it is, and never longer than a prompt may take to be reported', () => {
  const spanOf = (waitsIn: Waiting, state: WaitState = 'waiting_for_line') =>
    waitingSpanMs({ state, process: { pid: 1, program: 'prog', waitsIn }, restsOn: [] });
  expect(spanOf('terminal-read')).toBeLessThan(spanOf('poll'));
  expect(spanOf('poll')).toBeLessThan(spanOf('unknown', 'waiting_for_secret'));
  expect(spanOf('unknown', 'waiting_for_secret')).toBeLessThan(spanOf('unknown'));
  expect(spanOf('poll')).toBeLessThanOrEqual(150);
});
