import { expect, it } from 'vitest';
import { CommandEvents } from '../../src/terminal/sessions/command-events.ts';
import type { FinishedCommand } from '../../src/model/terminals/finished-command.ts';
import type { TerminalNotify } from '../../src/model/terminals/terminal-app.ts';
import type { LogEntry } from '../../src/ports/log.ts';
import type { RunOutcome, RunRequest, TerminalFactsView } from '../../src/ports/terminals.ts';

const TERMINAL: TerminalFactsView = {
  id: 'term-k3f7x2',
  name: { projectPath: '/project', tag: 'build' },
  pid: 7,
  ttyPath: '/dev/pts/3',
  shell: '/bin/bash',
  startedAt: new Date(0),
  isConfined: false,
  size: { columns: 80, rows: 24 },
  title: '',
  cwd: '/project',
  state: 'running',
  restsOn: [],
  prompt: undefined,
  running: 'make',
  exitCode: undefined,
  attached: 0,
};
const FINISHED: FinishedCommand = {
  terminal: 'term-k3f7x2',
  tag: 'build',
  project_path: '/project',
  command: 'make',
  exit_code: 2,
};

function request(command = 'make'): RunRequest {
  return { command, isBackground: true, waitMs: 1, lines: 1, interrupt: undefined, clear: false };
}

function outcome(kind: RunOutcome['kind']): RunOutcome {
  return {
    kind,
    exitCode: undefined,
    output: '',
    leftOut: [],
    durationMs: 1,
    range: undefined,
    terminal: TERMINAL,
  };
}

interface Doing {
  readonly session: string;
  readonly notify: TerminalNotify;
  readonly command: string;
  readonly within: () => void;
}

function stage() {
  const noted: LogEntry[] = [];
  const log = { write: (entry: LogEntry) => void noted.push(entry) };
  const shown: unknown[] = [];
  const events = new CommandEvents({
    log,
    showNotice: async (environment, notice) => void shown.push([environment, notice]),
  });
  /** `within` happens while the command is being run. */
  const run = async (
    kind: RunOutcome['kind'],
    { session = 'one', notify = 'none', command = 'make', within = () => undefined }: Partial<Doing> = {},
  ) => {
    const by = { session, notify, environment: { HOME: '/home/me' }, log };
    const follow = events.tracking(async () => {
      within();
      return outcome(kind);
    }, by);
    return follow('term-k3f7x2', request(command), new AbortController().signal);
  };
  const ends = (command = 'make', exitCode: number | undefined = 2) =>
    events.ended({ terminal: TERMINAL, command, exitCode });
  return { events, run, ends, shown, noted };
}

it('reports the end of a command once, to the session that left it running', async () => {
  const { events, run, ends, shown, noted } = stage();
  await run('started');
  expect(events.take('one')).toEqual([]);
  ends();
  ends();
  expect(events.take('other')).toEqual([]);
  expect(events.take('one')).toEqual([FINISHED]);
  expect(events.take('one')).toEqual([]);
  expect(shown).toEqual([]);
  expect(noted.map(({ fields }) => fields)).toEqual([
    { action: 'command ended', terminal: 'term-k3f7x2', exit_code: 2 },
  ]);
});

it('reports an end that came before the answer, but not one that was part of the answer', async () => {
  const { events, run, ends } = stage();
  await run('timed_out', { within: () => ends() });
  expect(events.take('one')).toEqual([FINISHED]);
  await run('completed', { within: () => ends() });
  ends();
  expect(events.take('one')).toEqual([]);
});

it('reports no commands that were started elsewhere', () => {
  const { events, ends } = stage();
  ends();
  expect(events.take('one')).toEqual([]);
});

it('notifies MCP listeners of the session and the desktop if configured', async () => {
  const { events, run, ends, shown } = stage();
  const heard: FinishedCommand[] = [];
  const end = events.watch('one', (told) => heard.push(told));
  events.watch('other', () => expect.unreachable());
  for (const notify of ['none', 'mcp', 'desktop'] as const) {
    await run('started', { notify });
    ends();
  }
  expect(heard).toEqual([FINISHED]);
  expect(shown).toEqual([
    [{ HOME: '/home/me' }, { summary: 'A command has failed', body: 'terminal build: make, exit code 2' }],
  ]);
  end();
  await run('started', { notify: 'mcp' });
  ends();
  expect(heard).toHaveLength(1);
});

it('reports a command that the next one interrupted', async () => {
  const { events, run, ends } = stage();
  await run('started', { command: 'first' });
  await run('started', { command: 'second', within: () => ends('first', 130) });
  expect(events.take('one').map(({ command, exit_code: code }) => [command, code])).toEqual([['first', 130]]);
  ends('second', 0);
  expect(events.take('one').map(({ command }) => command)).toEqual(['second']);
});

it('drops reports that nobody collects', async () => {
  const { events, run, ends } = stage();
  for (let index = 0; index < 300; index += 1) {
    await run('started', { command: `c${index}` });
    ends(`c${index}`);
  }
  const told = events.take('one');
  expect(told).toHaveLength(200);
  expect(told.at(-1)?.command).toBe('c299');
});
