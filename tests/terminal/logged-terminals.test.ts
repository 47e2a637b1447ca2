import { expect, it } from 'vitest';
import { loggedTerminals } from '../../src/terminal/sessions/logged-terminals.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { LogEntry } from '../../src/ports/log.ts';
import type { RunOutcome, RunRequest, TerminalFactsView, TerminalsPort } from '../../src/ports/terminals.ts';

const FACTS: TerminalFactsView = {
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
  state: 'idle',
  restsOn: [],
  prompt: undefined,
  running: undefined,
  exitCode: 0,
  attached: 0,
};
const RAN: RunOutcome = {
  kind: 'completed',
  exitCode: 3,
  output: 'what it says',
  leftOut: [],
  durationMs: 5,
  range: { from: 10, to: 22 },
  terminal: FACTS,
};
const REQUEST: RunRequest = {
  command: 'make secret',
  isBackground: false,
  waitMs: 1,
  lines: 1,
  interrupt: undefined,
  clear: false,
};

function unexpected(): never {
  throw new Error('was not expected');
}

function stage(changes: Partial<TerminalsPort>) {
  const port: TerminalsPort = {
    ownerOf: unexpected,
    list: unexpected,
    find: unexpected,
    remains: unexpected,
    open: unexpected,
    facts: unexpected,
    run: unexpected,
    lines: unexpected,
    output: unexpected,
    bytes: unexpected,
    kill: unexpected,
    clear: unexpected,
    close: unexpected,
    view: unexpected,
    attach: unexpected,
    onCommandEnd: unexpected,
    ...changes,
  };
  const entries: LogEntry[] = [];
  let now = 100;
  const clock = { now: () => (now += 25) };
  return { entries, terminals: loggedTerminals(port, { write: (entry) => entries.push(entry) }, clock) };
}

it('logs the result of a command, and the command itself only at debug', async () => {
  const { entries, terminals } = stage({ run: async () => RAN });
  expect(await terminals.run('term-k3f7x2', REQUEST, new AbortController().signal)).toBe(RAN);
  expect(entries).toEqual([
    {
      level: 'debug',
      message: 'terminal command',
      fields: { terminal: 'term-k3f7x2', command: 'make secret' },
    },
    {
      level: 'info',
      message: 'terminal',
      fields: {
        action: 'run',
        terminal: 'term-k3f7x2',
        background: false,
        outcome: 'completed',
        exit_code: 3,
        output_bytes: 12,
        duration_ms: 25,
      },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('what it says');
});

it('logs failures by their code and rethrows them', async () => {
  const busy = new DeskterityError('TERMINAL_BUSY', 'make secret runs.', { suggestion: 'Wait.' });
  const { entries, terminals } = stage({
    kill: () => Promise.reject(busy),
    clear: () => Promise.reject(new TypeError('a fault')),
  });
  await expect(terminals.kill('t', { interruptMs: 1, terminateMs: 1 })).rejects.toBe(busy);
  await expect(terminals.clear('t')).rejects.toThrow('a fault');
  expect(entries.map(({ level, fields }) => [level, fields?.['action'], fields?.['error']])).toEqual([
    ['warn', 'kill', 'TERMINAL_BUSY'],
    ['error', 'clear', 'INTERNAL'],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/secret|fault/);
});

it('logs paths only at debug', async () => {
  const { entries, terminals } = stage({ open: async () => FACTS });
  await terminals.open({
    name: FACTS.name,
    shell: '/bin/bash',
    environment: { TOKEN: 'hush' },
    cwd: '/project/sub',
    confinement: {
      by: 'none',
      scope: '/project',
      read: [],
      write: [],
      network: true,
      unixSockets: true,
      denyReport: false,
    },
    size: FACTS.size,
    budgetBytes: 1,
  });
  const at = (level: string) => JSON.stringify(entries.filter((entry) => entry.level === level));
  expect(at('debug')).toContain('/project/sub');
  expect(at('info')).toContain('"tag":"build"');
  expect(at('info')).not.toContain('/project');
  expect(JSON.stringify(entries)).not.toContain('hush');
});
