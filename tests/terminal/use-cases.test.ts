import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SandboxSelector } from '../../src/operations/confinement/sandbox-selector.ts';
import { confineTerminal } from '../../src/terminal/use-cases/start-terminal.ts';
import { Configuration } from '../../src/model/configuration/config.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { TerminalAnswer } from '../../src/model/terminals/terminal-answer.ts';
import { terminalSettings } from '../../src/model/terminals/terminal-settings.ts';
import type { LogEntry } from '../../src/ports/log.ts';
import { callTerminals } from '../../src/commands/terminals/terminal-call.ts';
import type { TerminalDialect } from '../../src/surfaces/mcp/dialects/terminal/dialects.ts';
import { readCall } from '../../src/surfaces/mcp/dialects/terminal/read-call.ts';
import { terminatorMessage } from '../../src/surfaces/mcp/dialects/terminal/terminal-words.ts';
import { terminalBusy } from '../../src/terminal/failures.ts';
import { createTerminalUseCases } from '../../src/terminal/use-cases/terminal-use-cases.ts';
import type { TerminalWindows } from '../../src/terminal/windows/terminal-windows.ts';
import { emptySandbox } from '../app/empty-sandbox.ts';
import { settingsWith } from './support/settings.ts';
import { FakeTerminals, factsOf, rowOf, screenOf } from './support/fake-terminals.ts';

let root: string;
let project: string;
let port: FakeTerminals;
let notes: LogEntry[];
let focused: string[];
let focusFailure: DeskterityError | undefined;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-terminals-')));
  project = join(root, 'MyProject');
  for (const folder of ['MyProject', 'other/MyProject', 'cache', 'config', 'state'])
    await mkdir(join(root, folder), { recursive: true });
  await symlink(project, join(root, 'link'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => {
  port = new FakeTerminals();
  notes = [];
  focused = [];
  focusFailure = undefined;
});

const SHOWING = { application: 'Konsole', via: 'wm', evidence: ['a window of its title is active'] } as const;

const windows: TerminalWindows = {
  application: async () => 'Konsole',
  placeOf: async ({ name }) =>
    name.tag === 'seen' ? { windowIdentifier: '0x1', tabIdentifier: null } : undefined,
  focus: async ({ name }) => {
    if (focusFailure !== undefined) throw focusFailure;
    focused.push(name.tag);
    return SHOWING;
  },
  attach: async () => SHOWING,
  requireShowing: async () => {
    if (focusFailure !== undefined) throw focusFailure;
  },
};

interface Setting {
  readonly dialect?: TerminalDialect;
  readonly configuration?: Partial<Configuration>;
  readonly settings?: ReturnType<typeof settingsWith>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What is done is only tried. */
  readonly isTrial?: boolean;
}

/** A call as a model makes it, with the answer of its tool. */
async function call(
  given: Readonly<Record<string, unknown>>,
  setting: Setting = {},
): Promise<TerminalAnswer> {
  const { dialect = 'terminal', cwd = project, environment = { HOME: root, PATH: '/bin' } } = setting;
  const configuration = Configuration.parse(setting.configuration ?? {});
  const { settings = terminalSettings({ values: configuration, entries: [] }) } = setting;
  const sandboxed = {
    caller: { environment, cwd },
    configuration,
    folders: { state: join(root, 'state'), cache: join(root, 'cache'), config: join(root, 'config') },
    sandbox: async () => emptySandbox,
    environment: async () => environment,
  };
  const useCases = createTerminalUseCases({
    terminals: async () => port,
    cwd,
    start: {
      callerEnvironment: environment,
      environment: sandboxed.environment,
      confine: confineTerminal({ ...sandboxed, sandboxes: new SandboxSelector(sandboxed.sandbox) }),
      budgetBytes: configuration.operations.output_mb * 1024 * 1024,
    },
    refs: async (ids) => ids.map((_id, index) => `@t${index + 1}`),
    windows,
    settings,
    version: '9.9.9',
    log: async () => ({ write: (entry) => void notes.push(entry) }),
  });
  const outcome = await callTerminals(
    {
      terminals: async () => ({
        ...useCases,
        focus: (request, options) => useCases.focus(request, { ...options, isTrial: setting.isTrial }),
      }),
      signal: new AbortController().signal,
    },
    readCall(given, dialect),
  );
  return dialect === 'terminal' ? outcome.answer : { ...outcome.answer, message: terminatorMessage(outcome) };
}

const failureOf = async (given: Readonly<Record<string, unknown>>, setting?: Setting) =>
  call(given, setting).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a session', () => {
  it('starts in the project folder, with its own terminal type and not the caller’s', async () => {
    await call(
      { command: 'true' },
      {
        environment: {
          HOME: root,
          KEPT: 'yes',
          TMUX: '/tmp/x',
          COLUMNS: '80',
          TERM: 'dumb',
          PWD: '/x',
          DESKTERITY_HTTP_TOKEN: 'of a server',
        },
      },
    );
    expect(port.started).toMatchObject([
      {
        name: { projectPath: project, tag: 'MyProject' },
        cwd: project,
        size: { columns: 120, rows: 40 },
        confinement: { by: 'none', network: true },
        budgetBytes: Configuration.parse({}).operations.output_mb * 1024 * 1024,
      },
    ]);
    expect(port.started[0]?.environment).toEqual({
      HOME: root,
      KEPT: 'yes',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    });
    expect(port.started[0]?.shell).toMatch(/^\//);
  });

  it('is the same for every path to the project and differs for another project of that name', async () => {
    await call({ command: 'true', tag: 'a' });
    await call({ command: 'true', tag: 'a', project_path: join(root, 'link') });
    await call({ command: 'true', tag: 'a', project_path: `${project}/` });
    expect(port.started).toHaveLength(1);
    await call({ command: 'true', tag: 'a', project_path: join(root, 'other/MyProject') });
    expect(port.started).toHaveLength(2);
    const { message, sessions } = await call({ action: 'list' });
    expect(message).toBe(
      'Terminator: Found 2 sessions.\n1. 🤖💥 MyProject / a (Idle)\n2. 🤖💥 MyProject / a (Idle)',
    );
    expect(sessions?.map((one) => one.project_path)).toEqual([join(root, 'other/MyProject'), project]);
    const some = await call({ action: 'list', project_path: join(root, 'link') });
    expect(some.sessions).toHaveLength(1);
  });

  it('gets the requested size, also if it already exists', async () => {
    await call({ command: 'true', columns: 100 });
    expect(port.started[0]?.size).toEqual({ columns: 100, rows: 40 });
    await call({ command: 'true', rows: '50' });
    expect(port.asked).toContainEqual(['resize', 'term-MyProject', { columns: 100, rows: 50 }]);
  });

  it('starts without a command and is cleared only on request', async () => {
    expect((await call({})).message).toBe(
      "Terminator: Action 'execute' completed successfully for session 'MyProject / MyProject'.",
    );
    expect(port.asked).toEqual([]);
    await call({ clear: true });
    expect(port.asked).toEqual([['clear', 'term-MyProject']]);
  });

  it('is not started in a folder that does not exist', async () => {
    expect(await failureOf({ command: 'true', project_path: join(root, 'nowhere') })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('which is not an accessible folder.'),
    });
    expect(await failureOf({ command: 'true' }, { cwd: '/' })).toMatchObject({
      message: "The parameter 'project_path' is missing.",
    });
  });

  it.each(['read', 'kill', 'send', 'screen', 'resize', 'output', 'close', 'focus'])(
    'that is not there is said so by %s, and none is made',
    async (action) => {
      const given = { action, tag: 'x', text: 'x', columns: 80 };
      expect(await failureOf(given)).toMatchObject({
        code: 'TERMINAL_NOT_FOUND',
        message: "Session with project 'MyProject' and tag 'x' not found.",
      });
      expect(port.started).toEqual([]);
    },
  );

  it('is started again if it ends between being found and being used', async () => {
    await call({});
    const [first] = port.terminals;
    const run = port.run.bind(port);
    let tries = 0;
    port.run = async (id, request) => {
      tries += 1;
      if (tries > 1) return run(id, request);
      port.terminals = [factsOf({ projectPath: project, tag: 'MyProject' }, { id: 'term-second' })];
      throw new DeskterityError('TERMINAL_NOT_FOUND', 'x', { suggestion: 'x' });
    };
    expect(first?.id).toBe('term-MyProject');
    expect((await call({ command: 'true' })).success).toBe(true);
    expect(port.asked.map(([, id]) => id)).toEqual(['term-second']);
  });
});

describe('a confined session', () => {
  it('reaches only its project, with an environment without secrets', async () => {
    const answer = await call({ command: 'true', confined: true });
    expect(answer.is_confined).toBe(true);
    expect(port.started).toMatchObject([
      {
        confinement: { by: 'landlock', scope: project, network: false, unixSockets: false },
        environment: { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
      },
    ]);
    expect(port.started[0]?.environment).not.toHaveProperty('HOME');
  });

  it('serves requests without a sandbox, but an unconfined one serves none that ask for a sandbox', async () => {
    await call({ command: 'true', confined: true });
    await call({ command: 'true' });
    expect(port.started).toHaveLength(1);
    port.terminals = [factsOf({ projectPath: project, tag: 'MyProject' })];
    await call({ command: 'true', confined: true });
    // The port refuses.
    expect(port.started).toHaveLength(2);
  });

  it('is followed by a confined one if it ends before it gets the command', async () => {
    const name = { projectPath: project, tag: 'MyProject' };
    port.terminals = [factsOf(name, { id: 'term-first', isConfined: true })];
    const run = port.run.bind(port);
    port.run = async (id, request) => {
      if (id !== 'term-first') return run(id, request);
      port.terminals = [];
      throw new DeskterityError('TERMINAL_NOT_FOUND', 'x', { suggestion: 'x' });
    };
    await call({ command: 'true' });
    expect(port.started).toMatchObject([{ confinement: { by: 'landlock', scope: project } }]);
  });

  it('that has ended is not followed by an unconfined one before it is closed', async () => {
    port.outcome = { kind: 'shell_ended' };
    const ended = await call({ command: 'exit', confined: true });
    expect(ended.message).toContain('The next command must request confinement again');
    port.terminals = [];
    port.left = { id: 'term-left', isConfined: true };
    expect(await failureOf({ command: 'true' })).toMatchObject({
      code: 'CONFLICT',
      delivered: false,
      message: expect.stringContaining('nothing was run'),
    });
    expect(port.started).toHaveLength(1);
    await call({ command: 'true', confined: true });
    expect(port.started).toHaveLength(2);
    port.terminals = [];
    expect(await call({ action: 'close' })).toMatchObject({ success: true });
    expect(port.asked.at(-1)?.slice(0, 2)).toEqual(['close', 'term-left']);
    port.left = undefined;
    await call({ command: 'true' });
    expect(port.started[2]).toMatchObject({ confinement: { by: 'none' } });
  });

  it('stays in the folder that the user confines all commands to', async () => {
    const configuration = { sandbox: { scope: join(root, 'other') } } as Partial<Configuration>;
    expect(await failureOf({ command: 'true', confined: true }, { configuration })).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('is outside'),
    });
  });

  it('reports that the user has turned the sandbox off', async () => {
    const configuration = { sandbox: { mode: 'off' } } as Partial<Configuration>;
    const answer = await call({ command: 'true', confined: true }, { configuration });
    expect(answer.message).toContain('NOT CONFINED: the sandbox is off.');
    expect(answer.is_confined).toBe(false);
  });
});

describe('a command', () => {
  it('is run as requested', async () => {
    await call({
      cmd: 'npm test',
      background: 'yes',
      maxLines: '5.9',
      Timeout: '7',
      interrupt: 1 === 1,
      clear: 'on',
    });
    expect(port.asked).toEqual([
      [
        'run',
        'term-MyProject',
        {
          command: 'npm test',
          isBackground: true,
          waitMs: 7000,
          lines: 5,
          interrupt: { interruptMs: 2000, terminateMs: 2000 },
          clear: true,
        },
      ],
    ]);
  });

  it('uses the defaults of the settings', async () => {
    const configuration = {
      terminal: { default_lines: 7, foreground_completion_seconds: 9 },
    } as Partial<Configuration>;
    await call({ command: 'x' }, { configuration });
    expect(port.asked[0]?.[2]).toMatchObject({
      waitMs: 9000,
      lines: 7,
      isBackground: false,
      interrupt: undefined,
    });
  });

  it('uses configured values, and a configured focus applies to both tools', async () => {
    const settings = settingsWith({
      default_lines: 7,
      background_startup_seconds: 8,
      foreground_completion_seconds: 9,
      default_background_execution: true,
      default_focus_on_action: false,
    });
    await call({ command: 'x', project_path: project }, { settings, dialect: 'terminator' });
    expect(port.asked[0]?.[2]).toMatchObject({ lines: 7, waitMs: 8000, isBackground: true });
    expect(focused).toEqual([]);
    await call({ command: 'x', background: 'off' }, { settings });
    expect(port.asked[1]?.[2]).toMatchObject({ waitMs: 9000, isBackground: false });
    await call({ command: 'x' }, { settings: settingsWith({ default_focus_on_action: true }) });
    expect(focused).toEqual([basename(project)]);
  });

  it('that has ended returns its output, and its exit code unless it is 0', async () => {
    port.outcome = { exitCode: 3 };
    const answer = await call({ command: 'x' });
    expect(answer).toMatchObject({
      success: true,
      exit_code: 3,
      output: 'one\ntwo\n',
      state: 'idle',
      message:
        "Terminator: Command completed in session 'MyProject / MyProject'. Output:\none\ntwo\n\nExit code 3.",
    });
    const s2 = await call({ command: 'x', project_path: project }, { dialect: 'terminator' });
    expect(s2.message).toBe(
      "Terminator: Command completed in session 'MyProject / MyProject'. Output:\none\ntwo\n",
    );
  });

  it('that takes too long continues and is not a success', async () => {
    const terminal = factsOf({ projectPath: project, tag: 'MyProject' }, { state: 'running' });
    port.outcome = { kind: 'timed_out', exitCode: undefined, terminal };
    expect(await call({ command: 'x', timeout: 2 })).toMatchObject({
      success: false,
      timed_out: true,
      message:
        "Terminator: Command timed out after 2 seconds in session 'MyProject / MyProject'. Output may be incomplete. Output:\none\ntwo\n\nIt is still running.",
    });
  });

  it.each(['lost', 'shell_ended'] as const)(
    'that is %s with its session killed is no success, and is not sent again',
    async (kind) => {
      const terminal = factsOf({ projectPath: project, tag: 'MyProject' }, { state: 'exited' });
      port.outcome = { kind, exitCode: undefined, output: 'half', terminal };
      const answer = await call({ command: 'x' });
      expect(answer).toMatchObject({ success: false, lost: true, output: 'half', state: 'exited' });
      expect(answer.message).toContain('was not sent again. Output until then:\nhalf\n');
      expect(port.asked.filter(([action]) => action === 'run')).toHaveLength(1);
      expect(port.started).toHaveLength(1);
    },
  );

  it('sent to a terminal that ended then is not repeated', async () => {
    port.failure = new DeskterityError('TERMINAL_NOT_FOUND', 'It has ended.', {
      suggestion: 'Look.',
      delivered: true,
    });
    expect(await failureOf({ command: 'x' })).toBe(port.failure);
    expect(port.started).toHaveLength(1);
  });

  it('that waits reports for what, and who must answer', async () => {
    const waits = (state: 'waiting_for_line' | 'waiting_for_secret', prompt: string) => {
      const terminal = factsOf({ projectPath: project, tag: 'MyProject' }, { state, prompt });
      port.outcome = { kind: 'waiting', exitCode: undefined, output: prompt, terminal };
      return call({ command: 'x' });
    };
    expect((await waits('waiting_for_line', 'package name:')).message).toContain(
      'It is waiting for a line of input after "package name:". Answer with action "send".',
    );
    const secret = await waits('waiting_for_secret', 'Password:');
    expect(secret).toMatchObject({ success: true, state: 'waiting_for_secret' });
    expect(secret.message).toContain('Do not send one.');
    expect(secret.message).toContain('desk terminal attach --project-path');
  });

  it('that draws on the whole screen has its rows one below the other, however they were written', async () => {
    const name = { projectPath: project, tag: 'MyProject' };
    port.terminals = [factsOf(name, { state: 'full_screen' })];
    const joined = rowOf('status of the filelast row', 0, {
      height: 2,
      shown: ['status of the file', 'last row'],
    });
    port.screen = screenOf([joined, rowOf('end', 2)], { isAlternate: true });
    expect((await call({ action: 'screen' })).output).toBe('status of the file\nlast row\nend');
  });

  it('that draws on the whole screen returns the screen', async () => {
    const terminal = factsOf({ projectPath: project, tag: 'MyProject' }, { state: 'full_screen' });
    port.outcome = { kind: 'waiting', exitCode: undefined, output: '~    ~', leftOut: ['much'], terminal };
    port.screen = screenOf([rowOf('a', 0), rowOf('b', 1)], { isAlternate: true });
    expect(await call({ command: 'vim' })).toMatchObject({ output: 'a\nb', state: 'full_screen' });
  });

  it('that the shell did not start is a failure that may have had an effect', async () => {
    port.outcome = { kind: 'not_begun' };
    expect(await failureOf({ command: 'x' })).toMatchObject({ code: 'ACTION_FAILED', delivered: true });
  });

  it('that ends its shell reports it', async () => {
    port.outcome = { kind: 'shell_ended', exitCode: 0 };
    const answer = await call({ command: 'exit' });
    expect(answer.state).toBe('exited');
    expect(answer.message).toContain('The shell of this session has ended.');
  });

  it('is refused while another one runs', async () => {
    port.failure = terminalBusy(
      { projectPath: project, tag: 'MyProject' },
      { command: 'sleep 9', program: undefined },
    );
    expect(await failureOf({ command: 'x' })).toMatchObject({
      code: 'TERMINAL_BUSY',
      exitCode: 11,
      message: `Session 'MyProject / MyProject' is busy with "sleep 9"; the command was not run.`,
    });
  });
});

describe('focus', () => {
  it('is not taken by the desk tool, but by the terminator tool unless it asks not to', async () => {
    await call({ command: 'x' });
    expect(focused).toEqual([]);
    await call({ command: 'x', project_path: project }, { dialect: 'terminator' });
    expect(focused).toEqual([basename(project)]);
    await call({ command: 'x', project_path: project, focus: 'no' }, { dialect: 'terminator' });
    expect(focused).toHaveLength(1);
  });

  it('that cannot be given fails the focus action but not a command', async () => {
    focusFailure = new DeskterityError('ACTION_NOT_SUPPORTED', 'No application shows it.', {
      suggestion: 'x',
    });
    const answer = await call({ command: 'x', focus: true });
    expect(answer.success).toBe(true);
    expect(answer.message).toContain('No application shows it.');
    const s2 = await call({ command: 'x', project_path: project }, { dialect: 'terminator' });
    expect(s2.message).not.toContain('No application');
    expect(await failureOf({ action: 'focus' })).toMatchObject({ code: 'ACTION_NOT_SUPPORTED' });
  });

  it('that is only tried shows nothing, and fails as it would', async () => {
    await call({ command: 'x' });
    await call({ action: 'focus' }, { isTrial: true });
    expect(focused).toEqual([]);
    focusFailure = new DeskterityError('POLICY_DENIED', 'The policy denies it.', { suggestion: 'x' });
    expect(await failureOf({ action: 'focus' }, { isTrial: true })).toMatchObject({ code: 'POLICY_DENIED' });
  });

  it('is reported in the wording of the terminator tool', async () => {
    await call({});
    const given = { action: 'focus', project_path: project };
    const told = "Terminator: Session 'MyProject / MyProject' is now focused.";
    expect((await call(given, { dialect: 'terminator' })).message).toBe(told);
    expect((await call(given)).message).toMatch(new RegExp(`^${told}\nShown by Konsole\\.`));
  });
});

describe('reading', () => {
  it('reads the last lines', async () => {
    await call({});
    port.shown = { text: 'a\nb', leftOut: ['9 lines before'] };
    expect(await call({ action: 'read', lines: 2 })).toMatchObject({
      message: "Terminator: Content from session 'MyProject / MyProject':\na\nb\n\n9 lines before",
      output: 'a\nb',
      left_out: ['9 lines before'],
    });
    // One more than asked for, to know whether any are left out.
    expect(port.asked).toEqual([['lines', 'term-MyProject', 3]]);
  });

  it('says if earlier lines are left out, and reads the beginning if asked', async () => {
    await call({});
    port.shown = { text: 'a\nb\nc', leftOut: [] };
    const read = await call({ action: 'read', lines: 2 });
    expect(read.output).toBe('b\nc');
    expect(read.left_out).toEqual([expect.stringContaining('Earlier lines are left out')]);
    expect((await call({ action: 'read', lines: 3 })).left_out).toBeUndefined();
    expect(await call({ action: 'read', head: 5 })).toMatchObject({ output: 'part\n' });
    expect(port.asked.at(-1)).toMatchObject(['output', 'term-MyProject', { head: 5 }]);
    expect(await failureOf({ action: 'read', head: 5, lines: 3 })).toMatchObject({
      message: "Only one of 'head' and 'lines' is allowed.",
    });
  });

  it('reports a screen with rows and columns from 1', async () => {
    await call({});
    const part = { start: 0, end: 4, text: 'beta' };
    port.screen = screenOf([rowOf('  alpha', 0), rowOf('beta', 1, { parts: [part] }), rowOf('', 2)], {
      title: 'menu\u{202E}\u001B',
      isAlternate: true,
      cursor: { row: 1, column: 4, isVisible: false },
    });
    const { output, screen, message } = await call({ action: 'screen' });
    expect(output).toBe('  alpha\nbeta');
    expect(screen).toEqual({
      columns: 120,
      rows: 40,
      title: String.raw`menu\u{202E}\u{1B}`,
      is_alternate: true,
      cursor: { row: 2, column: 5, is_visible: false },
      highlighted: [{ row: 2, text: 'beta' }],
    });
    expect(message).toContain('120x40, cursor hidden at row 2, column 5, title "menu\\u{202E}\\u{1B}".');
    expect(message).toContain('Highlighted in row 2: "beta".');
  });

  it('returns the bytes of the output on request, in which nothing is escaped', async () => {
    await call({});
    const { raw, next_cursor } = await call({ action: 'output', raw: true });
    expect(Buffer.from(raw ?? '', 'base64').toString()).toBe('a\u{200B}b\u{202E}'.slice(0, 4));
    expect(next_cursor).toBe(9);
    const later = await call({ action: 'output', raw: true, cursor: 4 });
    expect(Buffer.from(later.raw ?? '', 'base64').toString()).toBe('b\u{202E}');
    expect(await failureOf({ action: 'output', raw: true, pattern: 'x' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('accepts one way of reading the output at a time', async () => {
    await call({});
    expect(await call({ action: 'output', cursor: 4 })).toMatchObject({
      output: 'part\n',
      next_cursor: 9,
      total_lines: 4,
      left_out: ['3 lines before'],
    });
    await call({ action: 'output', pattern: 'x', ignore_case: true, max_tokens: 200 });
    await call({ action: 'output', lines: 3 });
    expect(port.asked.map(([, , query]) => query)).toMatchObject([
      { cursor: 4, maxTokens: 4000 },
      { pattern: 'x', ignoreCase: true, maxTokens: 200 },
      { tail: 3 },
    ]);
    expect(await failureOf({ action: 'output', cursor: 4, lines: 3 })).toMatchObject({
      message: "Only one of 'cursor', 'lines' and 'pattern' is allowed; 'head' goes with 'cursor' or alone.",
    });
  });

  it('lists all sessions with their windows', async () => {
    port.terminals = [
      factsOf({ projectPath: project, tag: 'seen' }, { state: 'running', running: 'vim' }),
      factsOf({ projectPath: project, tag: 'gone' }, { state: 'exited' }),
    ];
    expect((await call({ action: 'list' })).sessions).toEqual([
      {
        ref: '@t1',
        session_identifier: '🤖💥 MyProject / seen',
        project_path: project,
        tag: 'seen',
        full_tab_title: expect.stringMatching(
          /^::TERMINATOR_SESSION::PROJECT_HASH=[0-9a-f]{64}::TAG=seen::TTY_PATH=%2Fdev%2Fpts%2F3::PID=4711::$/,
        ),
        tty: '/dev/pts/3',
        is_busy: true,
        state: 'running',
        running: 'vim',
        is_confined: false,
        attached: 0,
        window_identifier: '0x1',
        tab_identifier: null,
      },
    ]);
    const info = await call({ action: 'info' });
    expect(info.message).toBe(
      'Terminator v9.9.9. Config: App=Konsole, Grouping=smart, LogLevel=info. Active Sessions:\n1. 🤖💥 MyProject / seen (Busy)',
    );
    expect(info.configuration).toMatchObject({ default_lines: 100, app: 'auto' });
  });
});

describe('typing', () => {
  it('sends text, then keys in the program’s mode, and returns the new screen text', async () => {
    await call({});
    const prompt = rowOf('name: ', 7, { hasCursor: true });
    port.screen = screenOf([rowOf('old', 6), prompt]);
    port.onType = () => screenOf([rowOf('old', 6), rowOf('name: bob', 7), rowOf('$', 8)]);
    const answer = await call({ action: 'send', text: 'bob', keys: 'Enter ctrl+c' });
    expect(port.typed).toBe('bob\r\u0003');
    expect(answer).toMatchObject({
      output: 'name: bob\n$',
      message:
        "Terminator: Action 'send' completed successfully for session 'MyProject / MyProject'. Screen:\nname: bob\n$",
    });
  });

  it('shows a full-screen program whole', async () => {
    await call({});
    port.screen = screenOf([rowOf('a', 0), rowOf('b', 1, { hasCursor: true })], { isAlternate: true });
    port.onType = () => port.screen;
    expect((await call({ action: 'send', keys: 'Down' })).output).toBe('a\nb');
    expect(port.typed).toBe('\u001B[B');
  });

  it('is refused while a secret is read, without quoting the text', async () => {
    await call({});
    port.failure = new DeskterityError('POLICY_DENIED', 'It asks for a secret.', { suggestion: 'x' });
    const failure = await failureOf({ action: 'send', text: 'hunter2' });
    expect(failure).toMatchObject({ code: 'POLICY_DENIED', exitCode: 10 });
    expect(JSON.stringify(failure)).not.toContain('hunter2');
  });

  it('requires something to type and existing keys', async () => {
    await call({});
    expect(await failureOf({ action: 'send' })).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await failureOf({ action: 'send', keys: 'Entr' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      suggestion: expect.stringContaining('Enter'),
    });
    expect(port.typed).toBe('');
  });
});

describe('ending', () => {
  it('ends the running command with the configured waits and reports if nothing ran', async () => {
    await call({});
    const configuration = {
      terminal: { sigint_wait_seconds: 1, sigterm_wait_seconds: 3 },
    } as Partial<Configuration>;
    expect((await call({ action: 'kill' }, { configuration })).message).toBe(
      "Terminator: Process in session 'MyProject / MyProject' successfully terminated.",
    );
    expect(port.asked).toEqual([['kill', 'term-MyProject', { interruptMs: 1000, terminateMs: 3000 }]]);
    port.killed = 0;
    expect((await call({ action: 'kill' })).message).toBe(
      "Terminator: Action 'kill' completed successfully for session 'MyProject / MyProject'.\nNothing was running.",
    );
  });

  it('ends a session', async () => {
    await call({});
    await call({ action: 'close' });
    expect(port.asked).toMatchObject([['close', 'term-MyProject', {}]]);
  });

  it('resizes a session', async () => {
    await call({});
    expect((await call({ action: 'resize', columns: 90 })).message).toContain('The size is now 90x40.');
    expect(await failureOf({ action: 'resize' })).toMatchObject({ code: 'INVALID_ARGUMENT' });
    for (const given of [{ columns: 1 }, { columns: 1001 }, { rows: 0 }, { rows: 65_535 }])
      expect(await failureOf({ action: 'resize', ...given })).toMatchObject({ code: 'INVALID_ARGUMENT' });
    port.holdsSize = true;
    expect((await call({ action: 'resize', columns: 70 })).message).toContain('The size is now 90x40.');
  });
});

it('logs ignored parameters, only by name', async () => {
  await call({ comand: 'secret', timeout: 5, timeout_seconds: 6 });
  expect(notes.map(({ level, fields }) => [level, fields?.['note']])).toEqual([
    ['debug', "Ignoring unknown option 'comand' in terminal call."],
    ['debug', "Ignoring option 'timeout_seconds' in terminal call: 'timeout' already sets timeout."],
  ]);
});
