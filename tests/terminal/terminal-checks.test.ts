import { describe, expect, it } from 'vitest';
import { Trials } from '../../src/engine/doctor/trials.ts';
import {
  tryApplication,
  tryShell,
  tryTerminal,
  tryTerminalLog,
} from '../../src/terminal/doctor/terminal-checks.ts';
import type { TerminalCheckParts } from '../../src/terminal/doctor/terminal-checks.ts';
import { LINUX_TERMINAL_APPLICATIONS } from '../../src/platform/linux/terminal-applications/linux-terminal-applications.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { RunOutcome, TerminalFactsView, TerminalsPort } from '../../src/ports/terminals.ts';
import { spelled } from '../spelled.ts';

const FACTS: TerminalFactsView = {
  id: 'term-k3f7x2',
  name: { projectPath: '/project', tag: 'doctor' },
  pid: 7,
  ttyPath: '/dev/pts/3',
  shell: '/bin/zsh',
  startedAt: new Date(0),
  isConfined: false,
  size: { columns: 80, rows: 24 },
  title: '',
  cwd: '/project',
  state: 'waiting_for_line',
  restsOn: [],
  prompt: undefined,
  running: undefined,
  exitCode: 0,
  attached: 0,
};

function unexpected(): never {
  throw new Error('was not expected');
}

function stage(changes: Partial<TerminalCheckParts> = {}, ran: Partial<RunOutcome> = {}) {
  const closed: string[] = [];
  const port: TerminalsPort = {
    ownerOf: unexpected,
    list: unexpected,
    find: unexpected,
    remains: unexpected,
    open: unexpected,
    facts: unexpected,
    lines: unexpected,
    output: unexpected,
    bytes: unexpected,
    kill: unexpected,
    clear: unexpected,
    view: unexpected,
    attach: unexpected,
    onCommandEnd: unexpected,
    run: async (_, { command }) => ({
      kind: 'completed',
      exitCode: 0,
      output: `${command.replace('echo ', '')}\n`,
      leftOut: [],
      durationMs: 1,
      range: undefined,
      terminal: FACTS,
      ...ran,
    }),
    close: async (id) => void closed.push(id),
  };
  const parts: TerminalCheckParts = {
    terminals: async () => port,
    start: async (_, tag) => ({ ...FACTS, name: { ...FACTS.name, tag } }),
    shell: '/bin/zsh',
    environment: { PATH: '/usr/bin', DISPLAY: ':1' },
    clock: createClock(),
    app: 'auto',
    applications: LINUX_TERMINAL_APPLICATIONS,
    findProgram: (name) => (name === 'xterm' ? '/usr/bin/xterm' : undefined),
    isExecutable: () => true,
    logLevel: 'info',
    logFolder: async () => '/cache/logs',
    memoryOf: async () => (closed.length > 0 ? undefined : 1),
    ...changes,
  };
  return { parts, closed };
}

type Check = (parts: TerminalCheckParts, trial: Parameters<typeof tryShell>[1]) => Promise<string>;

async function outcomeOf(check: Check, parts: TerminalCheckParts) {
  const trials = new Trials(createClock(), { deadlineMs: 5000 });
  await trials.run('it', (trial) => check(parts, trial));
  return trials.checks[0];
}

describe('the login shell', () => {
  it.each([
    ['/bin/bash', '"/bin/bash" is bash: hooks loaded after your own start files'],
    ['/usr/bin/zsh', 'is zsh: '],
    ['/usr/bin/fish', 'is fish: '],
    ['/bin/dash', 'is a POSIX shell: it has no hooks, so a line typed at its first prompt'],
  ])('%s works', async (shell, detail) => {
    const found = await outcomeOf(tryShell, stage({ shell }).parts);
    expect(found).toMatchObject({ outcome: 'works', detail: expect.stringContaining(detail) });
  });

  it('that does not exist is reported with a suggestion', async () => {
    const found = await outcomeOf(tryShell, stage({ shell: '/bin/bash', isExecutable: () => false }).parts);
    expect(found).toMatchObject({
      outcome: 'broken',
      detail: expect.stringContaining('is not an executable program'),
      fix: expect.stringContaining('chsh'),
    });
  });

  it('without command marks is replaced by another', async () => {
    const found = await outcomeOf(tryShell, stage({ shell: '/bin/sh', inPlaceOf: '/usr/bin/nu' }).parts);
    expect(found).toMatchObject({
      outcome: 'works',
      detail: expect.stringContaining('It replaces your login shell "/usr/bin/nu"'),
    });
  });
});

describe('a terminal', () => {
  it('is opened, typed into and ended without a trace', async () => {
    const { parts, closed } = stage();
    expect(await outcomeOf(tryTerminal, parts)).toMatchObject({
      outcome: 'works',
      detail: expect.stringContaining('/dev/pts/3'),
    });
    expect(closed).toEqual(['term-k3f7x2']);
  });

  it.each<[string, Partial<RunOutcome>]>([
    ['not begun', { kind: 'not_begun' }],
    ['waiting for line', { kind: 'waiting' }],
    ['exit code 127', { exitCode: 127 }],
    ['"desk" was read', { output: 'desk' }],
  ])('is broken if the command is: %s; it is ended nevertheless', async (detail, ran) => {
    const { parts, closed } = stage({}, ran);
    expect(await outcomeOf(tryTerminal, parts)).toMatchObject({
      outcome: 'broken',
      step: 'check how it ended',
      detail: expect.stringContaining(detail),
      fix: expect.stringMatching(/./),
    });
    expect(closed).toEqual(['term-k3f7x2']);
  });

  it('is broken if its shell outlives it', async () => {
    let now = 0;
    const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) };
    const { parts } = stage({ memoryOf: async () => 1, clock });
    expect(await outcomeOf(tryTerminal, parts)).toMatchObject({
      outcome: 'broken',
      step: 'end the terminal',
      detail: expect.stringContaining('process 7, is still running'),
    });
  });
});

describe('the application that shows terminals', () => {
  const kitty = { findProgram: (name: string) => (name === 'kitty' ? '/usr/bin/kitty' : undefined) };

  it.each<[string, Partial<TerminalCheckParts>]>([
    ['xterm shows terminals: each terminal has its own window', {}],
    ['kitty shows terminals: terminals share windows', kitty],
  ])('%s', async (detail, changes) => {
    const found = await outcomeOf(tryApplication, stage(changes).parts);
    expect(found).toMatchObject({ outcome: 'works', detail: expect.stringContaining(detail) });
  });

  it.each<[string, Partial<TerminalCheckParts>, string]>([
    ['none is there', { findProgram: () => undefined }, 'desk terminal attach'],
    ['there is no display', { environment: { PATH: '/usr/bin' } }, 'desk terminal attach'],
    ['the one that was named is not there', { app: 'kitty' }, 'xterm'],
  ])('is refused if %s, with a suggestion', async (_, changes, fix) => {
    const found = await outcomeOf(tryApplication, stage(changes).parts);
    expect(spelled(found)).toMatchObject({ outcome: 'refused', fix: expect.stringContaining(fix) });
  });
});

describe('the log of terminals', () => {
  it.each([
    ['info', 'of level info or above are logged in "/cache/logs".'],
    ['debug', 'It contains commands'],
    ['none', 'The log is off'],
  ])('at %s is reported', async (logLevel, detail) => {
    const found = await outcomeOf(tryTerminalLog, stage({ logLevel }).parts);
    expect(found).toMatchObject({ outcome: 'works', detail: expect.stringContaining(detail) });
  });

  it('is broken if no folder is writable', async () => {
    const logFolder = () => Promise.reject(new Error('/x can be written by other users.'));
    expect(await outcomeOf(tryTerminalLog, stage({ logFolder }).parts)).toMatchObject({
      outcome: 'broken',
      detail: expect.stringContaining('other users'),
      fix: expect.stringContaining('terminal.log_dir'),
    });
  });
});
