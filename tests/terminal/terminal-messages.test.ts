import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import {
  completedAnswer,
  doneAnswer,
  failureAnswer,
  infoAnswer,
  listAnswer,
  readAnswer,
  startedAnswer,
  timedOutAnswer,
  waitingAnswer,
} from '../../src/terminal/use-cases/terminal-answer.ts';
import type { SessionEntry } from '../../src/model/terminals/terminal-answer.ts';
import type { CommandOutcome } from '../../src/terminal/use-cases/terminal-answer.ts';
import {
  terminatorDescription,
  terminatorParameters,
} from '../../src/terminal/use-cases/terminal-description.ts';
import {
  actionCancelled,
  attachCommand,
  busyProcessStays,
  noSuchTerminal,
  processSurvives,
  secretIsTheUsers,
  terminalBusy,
} from '../../src/terminal/use-cases/terminal-failures.ts';
import { errorMessage } from '../../src/terminal/use-cases/terminal-messages.ts';
import { settingsWith } from './support/settings.ts';

const session = { projectPath: '/srv/MyProject', tag: 'api' };
const S2 = { dialect: 'terminator', action: 'execute' } as const;
const OURS = { dialect: 'terminal', action: 'execute' } as const;

function outcome(more: Partial<CommandOutcome> = {}): CommandOutcome {
  return {
    session,
    output: 'one\ntwo\n',
    state: 'idle',
    restsOn: ['a fact'],
    exitCode: 0,
    leftOut: [],
    prompt: undefined,
    ...more,
  };
}

function entry(tag: string, isBusy: boolean) {
  const identity = { projectPath: '/srv/MyProject', tag };
  const entry: SessionEntry = {
    session_identifier: `🤖💥 MyProject / ${tag}`,
    project_path: '/srv/MyProject',
    tag,
    full_tab_title: '::',
    tty: '/dev/pts/1',
    is_busy: isBusy,
    state: isBusy ? 'running' : 'idle',
    is_confined: false,
    attached: 0,
    window_identifier: null,
    tab_identifier: null,
  };
  return { identity, isBusy, entry };
}

describe('the words of S2', () => {
  it.each([
    [
      'a command that has ended',
      completedAnswer(S2, outcome({ exitCode: 3, leftOut: ['Much.'] })).message,
      "Terminator: Command completed in session 'MyProject / api'. Output:\none\ntwo\n",
    ],
    [
      'a background command',
      startedAnswer(S2, outcome({ state: 'running', exitCode: undefined })).message,
      "Terminator: Command started in background in session 'MyProject / api'. Initial output (up to 'lines' limit):\none\ntwo\n",
    ],
    [
      'a command that takes too long',
      timedOutAnswer(S2, outcome({ state: 'running', exitCode: undefined }), 60).message,
      "Terminator: Command timed out after 60 seconds in session 'MyProject / api'. Output may be incomplete. Output:\none\ntwo\n",
    ],
    [
      'what is there',
      readAnswer(S2, outcome()).message,
      "Terminator: Content from session 'MyProject / api':\none\ntwo\n",
    ],
    ['no sessions', listAnswer([]).message, 'Terminator: No active sessions found.'],
    [
      'sessions',
      listAnswer([entry('api', true), entry('ui_tests', false)]).message,
      'Terminator: Found 2 sessions.\n1. 🤖💥 MyProject / api (Busy)\n2. 🤖💥 MyProject / ui_tests (Idle)',
    ],
    [
      'everything',
      infoAnswer({ version: '0.1.0', app: 'kitty', grouping: 'smart', logLevel: 'info' }, {}, [
        entry('api', true),
      ]).message,
      'Terminator v0.1.0. Config: App=kitty, Grouping=smart, LogLevel=info. Active Sessions:\n1. 🤖💥 MyProject / api (Busy)',
    ],
    [
      'everything without sessions',
      infoAnswer({ version: '0.1.0', app: 'kitty', grouping: 'off', logLevel: 'none' }, {}, []).message,
      'Terminator v0.1.0. Config: App=kitty, Grouping=off, LogLevel=none. No active sessions.',
    ],
    [
      'an end',
      doneAnswer({ ...S2, action: 'kill' }, session).message,
      "Terminator: Process in session 'MyProject / api' successfully terminated.",
    ],
    [
      'a focus',
      doneAnswer({ ...S2, action: 'focus' }, session).message,
      "Terminator: Session 'MyProject / api' is now focused.",
    ],
    [
      'any other action',
      doneAnswer({ ...OURS, action: 'resize' }, session).message,
      "Terminator: Action 'resize' completed successfully for session 'MyProject / api'.",
    ],
    [
      'a session that is not there',
      failureAnswer(S2, noSuchTerminal(session)).message,
      "Terminator Error: Session with project 'MyProject' and tag 'api' not found.",
    ],
    [
      'a session without a project',
      failureAnswer(S2, noSuchTerminal({ projectPath: undefined, tag: 'x' })).message,
      "Terminator Error: Session with project 'none' and tag 'x' not found.",
    ],
    [
      'a request that was cancelled',
      failureAnswer(S2, actionCancelled()).message,
      'Terminator action cancelled by request.',
    ],
    [
      'a failure',
      failureAnswer(S2, new DeskterityError('TIMEOUT', 'It was late.', { suggestion: 'Try again.' })).message,
      'Terminator Error: It was late. Try again.',
    ],
  ])('for %s', (_, message, words) => {
    expect(message).toBe(words);
  });

  it('end with one mark', () => {
    expect(errorMessage('It was late')).toBe('Terminator Error: It was late.');
    expect(errorMessage('It was late...')).toBe('Terminator Error: It was late.');
    expect(errorMessage('Late. Did you mean soon?')).toBe('Terminator Error: Late. Did you mean soon?');
  });

  it('are told with what they mean as data', () => {
    expect(completedAnswer(S2, outcome({ exitCode: 3, leftOut: ['Much.'] }))).toMatchObject({
      success: true,
      action: 'execute',
      session_identifier: '🤖💥 MyProject / api',
      project_path: '/srv/MyProject',
      tag: 'api',
      output: 'one\ntwo\n',
      exit_code: 3,
      state: 'idle',
      left_out: ['Much.'],
    });
    expect(timedOutAnswer(S2, outcome({ exitCode: undefined }), 1)).toMatchObject({
      success: false,
      timed_out: true,
    });
    expect(timedOutAnswer(S2, outcome({ exitCode: undefined }), 1)).not.toHaveProperty('exit_code');
    expect(listAnswer([entry('api', true)]).sessions).toEqual([entry('api', true).entry]);
    expect(failureAnswer(S2, noSuchTerminal(session))).toMatchObject({
      success: false,
      error_code: 'TERMINAL_NOT_FOUND',
    });
    expect(failureAnswer(OURS, actionCancelled())).toMatchObject({ success: false, error_code: 'CANCELLED' });
  });
});

describe('our own tool', () => {
  it('says more below the words of S2', () => {
    const { message } = completedAnswer(
      OURS,
      outcome({ exitCode: 3, leftOut: ['Lines 1 to 9 are left out.'] }),
    );
    expect(message).toBe(
      "Terminator: Command completed in session 'MyProject / api'. Output:\none\ntwo\n\nExit code 3.\nLines 1 to 9 are left out.",
    );
    expect(completedAnswer(OURS, outcome()).message).toBe(completedAnswer(S2, outcome()).message);
    expect(failureAnswer(OURS, noSuchTerminal(session)).message).toContain('desk terminal list');
  });

  it('says of a background command that it has ended', () => {
    expect(startedAnswer(OURS, outcome({ exitCode: 1 })).message).toContain('ended with exit code 1.');
  });
});

describe('a command that waits', () => {
  const waiting = { exitCode: undefined, output: 'Name: ' } as const;

  it('for a line says what it asks', () => {
    const told = outcome({ ...waiting, state: 'waiting_for_line', prompt: 'Name:\u202E' });
    const { message, state } = waitingAnswer(OURS, told);
    expect(message).toBe(
      `Terminator: In session 'MyProject / api': It waits for a line of input after "Name:\\u{202E}". Answer with action "send". Output so far:\nName: `,
    );
    expect(state).toBe('waiting_for_line');
    const s2 = waitingAnswer(S2, told).message;
    expect(s2).toContain('the user runs desk terminal attach --project-path /srv/MyProject --tag api');
    expect(s2).not.toContain('"send"');
  });

  it('for a secret sends for the user', () => {
    for (const setting of [S2, OURS]) {
      const { message } = waitingAnswer(setting, outcome({ ...waiting, state: 'waiting_for_secret' }));
      expect(message).toContain('It waits for a secret');
      expect(message).toContain('desk terminal attach --project-path /srv/MyProject --tag api');
    }
    expect(secretIsTheUsers(session, 'sudo')).toMatchObject({ code: 'POLICY_DENIED', delivered: false });
  });

  it('in a full-screen program names the ways to it', () => {
    expect(waitingAnswer(OURS, outcome({ ...waiting, state: 'full_screen' })).message).toContain(
      'action "screen"',
    );
  });
});

describe('a failure', () => {
  it('of a busy session names what runs and every way on', () => {
    const error = terminalBusy(session, { command: 'npm run dev', program: 'node' });
    expect(error.code).toBe('TERMINAL_BUSY');
    expect(error.message).toBe('Session \'MyProject / api\' is busy with "npm run dev"; nothing was run.');
    for (const way of ['read', 'send', 'kill', 'tag', '--interrupt']) expect(error.suggestion).toContain(way);
    expect(terminalBusy(session, { command: undefined, program: 'node' }).message).toContain('"node"');
    expect(terminalBusy(session, { command: undefined, program: undefined }).message).toContain(
      'is busy; nothing',
    );
    expect(
      terminalBusy(session, { command: 'x'.repeat(9999), program: undefined }).message.length,
    ).toBeLessThan(300);
  });

  it('of a stop has the words of S2', () => {
    expect(busyProcessStays(session)).toMatchObject({
      code: 'ACTION_FAILED',
      exitCode: 4,
      message: 'Failed to stop busy process before execution.',
    });
  });

  it('of an end names who is left', () => {
    expect(processSurvives(session, [4, 5]).message).toContain('4, 5');
  });
});

it.each([
  [
    { projectPath: '/srv/a b', tag: "it's" },
    `desk terminal attach --project-path '/srv/a b' --tag 'it'\\''s'`,
  ],
  [
    { projectPath: '/srv/$(reboot)', tag: '-x' },
    `desk terminal attach --project-path '/srv/$(reboot)' --tag=-x`,
  ],
  [{ projectPath: undefined, tag: 'api' }, 'desk terminal attach --tag api'],
])('the command to attach can be pasted: %j', (identity, command) => {
  expect(attachCommand(identity)).toBe(command);
});

describe('the tool of S2', () => {
  const facts = { settings: settingsWith(), app: 'kitty', version: '0.1.0', system: 'Linux' };

  it('says what it uses', () => {
    expect(terminatorDescription(facts)).toMatch(
      /^Manages Linux terminal sessions using the `kitty` application\. Ideal for/,
    );
    expect(terminatorDescription(facts)).toMatch(
      /defaults to 'execute'\. \nTerminator MCP 0\.1\.0 using kitty$/,
    );
    expect(terminatorDescription({ ...facts, app: undefined })).toMatch(/using no terminal application$/);
  });

  it('shows the defaults that count, and always has the same parameters', () => {
    const usual = terminatorParameters(settingsWith());
    const other = terminatorParameters(
      settingsWith({
        default_lines: 7,
        default_focus_on_action: false,
        default_background_execution: true,
        background_startup_seconds: 11,
        foreground_completion_seconds: 222,
      }),
    );
    expect(Object.keys(usual)).toEqual([
      'action',
      'project_path',
      'tag',
      'command',
      'background',
      'lines',
      'timeout',
      'focus',
    ]);
    expect(Object.keys(other)).toEqual(Object.keys(usual));
    expect(usual).toMatchObject({
      lines: { default: 100 },
      focus: { default: true },
      background: { default: false },
    });
    expect(other).toMatchObject({
      lines: { default: 7 },
      focus: { default: false },
      background: { default: true },
    });
    expect(other['timeout']?.description).toContain('(11)');
    expect(other['background']?.description).toContain('222 seconds');
  });
});
