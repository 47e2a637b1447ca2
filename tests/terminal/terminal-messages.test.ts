import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { attachCommand } from '../../src/model/terminals/session-name.ts';
import type { SessionEntry, TerminalOutcome } from '../../src/model/terminals/terminal-answer.ts';
import type { TerminalDialect } from '../../src/surfaces/mcp/dialects/terminal/dialects.ts';
import { describeTool } from '../../src/surfaces/mcp/dialects/terminal/descriptions.ts';
import {
  errorMessage,
  describeFailure,
  terminatorMessage,
} from '../../src/surfaces/mcp/dialects/terminal/terminal-words.ts';
import {
  busyProcessStays,
  noSuchTerminal,
  processSurvives,
  secretRequested,
  terminalBusy,
} from '../../src/terminal/failures.ts';
import {
  completed,
  done,
  informed,
  linesRead,
  listed,
  started,
  timedOut,
  waiting,
} from '../../src/terminal/use-cases/outcomes.ts';
import type { CommandOutcome } from '../../src/terminal/use-cases/outcomes.ts';
import { settingsWith } from './support/settings.ts';
import { spelled } from '../spelled.ts';

function cancelled(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The call was cancelled.', { suggestion: 'Look at it.' });
}

const session = { projectPath: '/srv/MyProject', tag: 'api' };

/** With the parameters of the terminator tool. */
function s2(outcome: TerminalOutcome): string {
  return terminatorMessage(outcome);
}

/** With the parameters of the desk tool. */
function ours({ answer }: TerminalOutcome): string {
  return answer.message;
}

function failure(dialect: TerminalDialect, error: DeskterityError) {
  return describeFailure(dialect, 'execute', error);
}

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

describe('the wording of the terminator tool', () => {
  it.each([
    [
      'a command that has ended',
      s2(completed(outcome({ exitCode: 3, leftOut: ['Much.'] }))),
      "Terminator: Command completed in session 'MyProject / api'. Output:\none\ntwo\n",
    ],
    [
      'a background command',
      s2(started(outcome({ state: 'running', exitCode: undefined }))),
      "Terminator: Command started in background in session 'MyProject / api'. Initial output (up to 'lines' limit):\none\ntwo\n",
    ],
    [
      'a command that takes too long',
      s2(timedOut(outcome({ state: 'running', exitCode: undefined }), 60)),
      "Terminator: Command timed out after 60 seconds in session 'MyProject / api'. Output may be incomplete. Output:\none\ntwo\n",
    ],
    [
      'what is there',
      s2(linesRead(outcome())),
      "Terminator: Content from session 'MyProject / api':\none\ntwo\n",
    ],
    ['no sessions', s2(listed([])), 'Terminator: No active sessions found.'],
    [
      'sessions',
      s2(listed([entry('api', true), entry('ui_tests', false)])),
      'Terminator: Found 2 sessions.\n1. 🤖💥 MyProject / api (Busy)\n2. 🤖💥 MyProject / ui_tests (Idle)',
    ],
    [
      'everything',
      s2(
        informed({ version: '0.1.0', app: 'kitty', grouping: 'smart', logLevel: 'info' }, {}, [
          entry('api', true),
        ]),
      ),
      'Terminator v0.1.0. Config: App=kitty, Grouping=smart, LogLevel=info. Active Sessions:\n1. 🤖💥 MyProject / api (Busy)',
    ],
    [
      'everything without sessions',
      s2(informed({ version: '0.1.0', app: 'kitty', grouping: 'off', logLevel: 'none' }, {}, [])),
      'Terminator v0.1.0. Config: App=kitty, Grouping=off, LogLevel=none. No active sessions.',
    ],
    [
      'an end',
      s2(done('kill', session)),
      "Terminator: Process in session 'MyProject / api' successfully terminated.",
    ],
    ['a focus', s2(done('focus', session)), "Terminator: Session 'MyProject / api' is now focused."],
    [
      'any other action',
      s2(done('resize', session)),
      "Terminator: Action 'resize' completed successfully for session 'MyProject / api'.",
    ],
    [
      'a session that is not there',
      failure('terminator', noSuchTerminal(session)).message,
      "Terminator Error: Session with project 'MyProject' and tag 'api' not found.",
    ],
    [
      'a session without a project',
      failure('terminator', noSuchTerminal({ projectPath: undefined, tag: 'x' })).message,
      "Terminator Error: Session with project 'none' and tag 'x' not found.",
    ],
    [
      'a request that was cancelled',
      failure('terminator', cancelled()).message,
      'Terminator action cancelled by request.',
    ],
    [
      'a failure',
      failure('terminator', new DeskterityError('TIMEOUT', 'It was late.', { suggestion: 'Try again.' }))
        .message,
      'Terminator Error: It was late. Try again.',
    ],
  ])('for %s', (_, message, words) => {
    expect(message).toBe(words);
  });

  it('end with one punctuation mark', () => {
    expect(errorMessage('It was late')).toBe('Terminator Error: It was late.');
    expect(errorMessage('It was late...')).toBe('Terminator Error: It was late.');
    expect(errorMessage('Late. Did you mean soon?')).toBe('Terminator Error: Late. Did you mean soon?');
  });

  it('come with their meaning as data', () => {
    expect(completed(outcome({ exitCode: 3, leftOut: ['Much.'] })).answer).toMatchObject({
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
    expect(timedOut(outcome({ exitCode: undefined }), 1).answer).toMatchObject({
      success: false,
      timed_out: true,
    });
    expect(timedOut(outcome({ exitCode: undefined }), 1).answer).not.toHaveProperty('exit_code');
    expect(listed([entry('api', true)]).answer.sessions).toEqual([entry('api', true).entry]);
    expect(failure('terminator', noSuchTerminal(session))).toMatchObject({
      success: false,
      error_code: 'TERMINAL_NOT_FOUND',
    });
    expect(failure('terminal', cancelled())).toMatchObject({ success: false, error_code: 'CANCELLED' });
  });
});

describe('the desk tool', () => {
  it('adds remarks below that wording', () => {
    expect(ours(completed(outcome({ exitCode: 3, leftOut: ['Lines 1 to 9 are left out.'] })))).toBe(
      "Terminator: Command completed in session 'MyProject / api'. Output:\none\ntwo\n\nExit code 3.\nLines 1 to 9 are left out.",
    );
    expect(ours(completed(outcome()))).toBe(s2(completed(outcome())));
    expect(spelled(failure('terminal', noSuchTerminal(session)).message)).toContain('desk terminal list');
  });

  it('reports that a background command has ended', () => {
    expect(ours(started(outcome({ exitCode: 1 })))).toContain('ended with exit code 1.');
  });
});

describe('a command that waits', () => {
  const awaiting = { exitCode: undefined, output: 'Name: ' } as const;

  it('for a line shows its prompt', () => {
    const told = outcome({ ...awaiting, state: 'waiting_for_line', prompt: 'Name:\u202E' });
    const { message, state } = waiting(told).answer;
    expect(message).toBe(
      `Terminator: In session 'MyProject / api': It is waiting for a line of input after "Name:\\u{202E}". Answer with action "send". Output so far:\nName: `,
    );
    expect(state).toBe('waiting_for_line');
    const theirs = s2(waiting(told));
    expect(theirs).toContain('the user runs desk terminal attach --project-path /srv/MyProject --tag api');
    expect(theirs).not.toContain('"send"');
  });

  it('for a secret refers to the user', () => {
    for (const words of [s2, ours]) {
      const message = words(waiting(outcome({ ...awaiting, state: 'waiting_for_secret' })));
      expect(message).toContain('for a secret');
      expect(message).toContain('desk terminal attach --project-path /srv/MyProject --tag api');
    }
    expect(secretRequested(session, 'sudo')).toMatchObject({ code: 'POLICY_DENIED', delivered: false });
  });

  it('in a full-screen program names the actions for it', () => {
    expect(ours(waiting(outcome({ ...awaiting, state: 'full_screen' })))).toContain('action "screen"');
  });
});

describe('a failure', () => {
  it('of a busy session names the running command and every option', () => {
    const error = terminalBusy(session, { command: 'npm run dev', program: 'node' });
    expect(error.code).toBe('TERMINAL_BUSY');
    expect(error.message).toBe(
      'Session \'MyProject / api\' is busy with "npm run dev"; the command was not run.',
    );
    for (const way of ['read', 'send', 'kill', 'tag', '--interrupt'])
      expect(spelled(error.suggestion)).toContain(way);
    expect(terminalBusy(session, { command: undefined, program: 'node' }).message).toContain('"node"');
    expect(terminalBusy(session, { command: undefined, program: undefined }).message).toContain(
      'is busy; the command was not run',
    );
    expect(
      terminalBusy(session, { command: 'x'.repeat(9999), program: undefined }).message.length,
    ).toBeLessThan(300);
  });

  it('of stopping a command has the wording of the terminator tool', () => {
    expect(busyProcessStays(session)).toMatchObject({
      code: 'ACTION_FAILED',
      exitCode: 4,
      message: 'Failed to stop busy process before execution.',
    });
  });

  it('of ending a command names the surviving processes', () => {
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

describe('the terminator tool', () => {
  const facts = { settings: settingsWith(), app: 'kitty', version: '0.1.0', system: 'Linux' };
  const parametersWith = (settings: typeof facts.settings) =>
    describeTool('terminator', '', { ...facts, settings }).parameters;

  it('describes what it uses', () => {
    expect(describeTool('terminator', '', facts).description).toMatch(
      /^Manages Linux terminal sessions using the `kitty` application\. Ideal for/,
    );
    expect(describeTool('terminator', '', facts).description).toMatch(
      /defaults to 'execute'\. \nTerminator MCP 0\.1\.0 using kitty$/,
    );
    expect(describeTool('terminator', '', { ...facts, app: undefined }).description).toMatch(
      /using no terminal application$/,
    );
  });

  it('shows the effective defaults and always has the same parameters', () => {
    const usual = parametersWith(settingsWith());
    const other = parametersWith(
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
