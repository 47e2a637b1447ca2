import { describe, expect, it } from 'vitest';
import { checkCommandLine, type CommandLineCheckParts } from '../../src/app/check-command-line.ts';
import { Configuration } from '../../src/model/configuration/config.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { OperationsPort, OperationView } from '../../src/ports/operations.ts';
import type { RunRequest } from '../../src/ports/runs.ts';
import type { SandboxFinding, SandboxLevel } from '../../src/ports/sandbox.ts';
import type { ToolFileFacts } from '../../src/ports/tools.ts';
import { spelled } from '../spelled.ts';

const LANDLOCK: SandboxFinding = {
  name: 'landlock',
  title: 'Landlock',
  works: true,
  detail: 'Landlock ABI 7, a system call filter, no capabilities: a test program inside could not read.',
  leavesOpen: 'Not restricted: chmod, chown, timestamps and stat of files outside.',
};
const BUBBLEWRAP: SandboxFinding = {
  name: 'bubblewrap',
  title: 'bubblewrap',
  works: true,
  detail: 'bubblewrap (/usr/bin/bwrap) starts a program in its own namespaces.',
  leavesOpen: 'Not restricted: the use of CPU.',
};
const LEVEL: SandboxLevel = {
  sandboxes: [
    LANDLOCK,
    {
      ...BUBBLEWRAP,
      works: false,
      reason: 'bubblewrap is not installed.',
      instruction: 'Install bubblewrap.',
    },
  ],
  system: 'Linux 6.18.44, Landlock ABI 7',
  isNested: false,
};
const OLD: SandboxLevel = {
  ...LEVEL,
  sandboxes: [
    { ...LANDLOCK, works: false, reason: 'Landlock ABI 4 is too old.', instruction: 'Use Linux 6.12.' },
    BUBBLEWRAP,
  ],
};
const FILE: ToolFileFacts = {
  path: '/project/.deskterity/tools/x.json',
  origin: 'project',
  name: 'x',
  state: 'ready',
  hasChanged: false,
  problems: [],
  tools: [{ name: 'x_run', description: 'Runs.', state: 'ready', parameters: [] }],
};

const started: OperationView = {
  format: 1,
  operation_id: 'op-aaaaaa',
  tool: 'check',
  status: 'succeeded',
  steps: [],
  cwd: '/project',
  scope: '/project',
  sandbox: 'landlock',
  session: 'default',
  started_at: '2026-01-31T23:59:58.123Z',
  exit_code: 0,
  output: 'merged',
  budget_bytes: 1,
  holder: { socket: '/s', pid: 77, start_time: '1', boot_id: 'b' },
  written: {},
};

interface World {
  readonly level?: SandboxLevel | (() => Promise<SandboxLevel>);
  readonly mode?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ended?: Partial<OperationView>;
  readonly wrote?: string;
  readonly files?: readonly Partial<ToolFileFacts>[];
  readonly runs?: CommandLineCheckParts['runs'];
}

const NO_TERMINALS = new DeskterityError('DAEMON_UNAVAILABLE', 'There is no holder.', {
  suggestion: 'Wait.',
});

function expectUnused(): never {
  throw new Error('was not expected');
}

async function checked(world: World, deadlineMs = 5000) {
  const asked: RunRequest[] = [];
  const { level = LEVEL, ended = {}, wrote = 'deskterity\n', files = [{}] } = world;
  const operations: OperationsPort = {
    prepare: expectUnused,
    start: expectUnused,
    status: expectUnused,
    list: expectUnused,
    cancel: expectUnused,
    onEnd: expectUnused,
    wait: async () => ({ ...started, ...ended }),
    read: async () => ({ text: wrote, left_out: [], next_cursor: 0, total_bytes: 0, total_lines: 0 }),
  };
  const checks = await checkCommandLine(
    {
      caller: { environment: world.environment ?? {}, cwd: '/project' },
      configuration: Configuration.parse({ sandbox: { mode: world.mode ?? 'auto' } }),
      clock: createClock(),
      sandbox: async () => ({
        preferred: 'landlock',
        isSystemFolder: () => false,
        environment: expectUnused,
        programs: expectUnused,
        level: async () => (typeof level === 'function' ? level() : level),
      }),
      runs:
        world.runs ??
        (async () => ({
          scope: '/project',
          home: '/home/someone',
          guarded: [],
          prepare: expectUnused,
          start: async (request) => {
            asked.push(request);
            return started;
          },
        })),
      operations: async () => operations,
      tools: async () => ({
        folder: '/project/.deskterity/tools',
        list: async () => ({ files: files.map((file) => ({ ...FILE, ...file })), problems: [] }),
        validate: expectUnused,
        trust: expectUnused,
        draft: expectUnused,
      }),
      memoryOf: async (pid) => (pid === 77 ? 45 * 1024 * 1024 : undefined),
      // Terminals have their own tests.
      terminal: {
        terminals: () => Promise.reject(NO_TERMINALS),
        start: expectUnused,
        shell: '/bin/bash',
        applications: { choose: () => undefined },
        findProgram: () => undefined,
        isExecutable: () => true,
        logFolder: async () => '/logs',
      },
    },
    { deadlineMs },
  );
  return { byName: new Map(checks.map((check) => [check.name, check])), asked };
}

it('reports what a confined command cannot do, what stays open, the sandbox, and the available tools', async () => {
  const docker: Partial<ToolFileFacts> = { name: 'docker', origin: 'ready', state: 'unavailable', tools: [] };
  const { byName, asked } = await checked({ files: [{}, docker] });
  for (const name of ['sandbox', 'operations', 'tools', 'login-shell', 'terminal-log'])
    expect(byName.get(name)).toMatchObject({ outcome: 'works', optional: true });
  expect(byName.get('terminals')).toMatchObject({ outcome: 'broken', optional: true, fix: 'Wait.' });
  expect(byName.get('terminal-application')).toMatchObject({ outcome: 'refused', optional: true });
  expect(byName.get('sandbox')?.detail).toMatch(/^Landlock ABI 7, .* no capabilities: /);
  expect(byName.get('sandbox')?.detail).toContain('Not restricted: chmod, chown, timestamps and stat');
  expect(byName.get('sandbox')?.detail).toContain('bubblewrap is not installed.');
  expect(byName.get('operations')?.detail).toMatch(/^A command ran in "\/project".* Process 77, 45 MiB runs/);
  expect(byName.get('tools')?.detail).toBe('2 tool files with 1 available tool. Not installed: docker.');
  expect(asked).toHaveLength(1);
  expect(asked[0]?.steps[0]?.sandbox).toMatchObject({ scope: '/project', write: [], network: false });
});

describe('a missing sandbox', () => {
  it.each<[string, World, string, string]>([
    [
      'is too old',
      { level: OLD, mode: 'landlock' },
      'ABI 4 is too old',
      'set sandbox.mode to "bubblewrap". Or: Use Linux 6.12.',
    ],
    ['is not installed', { mode: 'bubblewrap' }, 'bubblewrap is not installed', 'Or: Install bubblewrap.'],
    ['is switched off', { mode: 'off' }, 'everything that you can', 'Remove --no-sandbox'],
    ['is switched off by AHMA', { environment: { AHMA_NO_SANDBOX: '1' } }, 'turned off', 'AHMA_NO_SANDBOX'],
  ])('that %s is refused with a suggestion', async (_, world, detail, fix) => {
    const { byName } = await checked(world);
    expect(byName.get('sandbox')).toMatchObject({
      outcome: 'refused',
      optional: true,
      detail: expect.stringContaining(detail),
      fix: expect.stringContaining(fix),
    });
  });

  it('is covered by bubblewrap by default, and Landlock is reported as not working', async () => {
    const { byName } = await checked({ level: OLD });
    expect(byName.get('sandbox')).toMatchObject({
      outcome: 'works',
      detail: expect.stringMatching(/^bubblewrap \(\/usr\/bin\/bwrap\).* Landlock ABI 4 is too old\./),
    });
  });

  it('is covered by bubblewrap if that is configured', async () => {
    const { byName } = await checked({ level: OLD, mode: 'bubblewrap' });
    expect(byName.get('sandbox')).toMatchObject({
      outcome: 'works',
      detail: expect.stringMatching(/^bubblewrap \(\/usr\/bin\/bwrap\)(?!.*chmod)/),
    });
  });
});

it('does not wait for ever', async () => {
  const { byName } = await checked({ level: () => new Promise(() => undefined) }, 300);
  expect(byName.get('sandbox')).toMatchObject({
    outcome: 'broken',
    detail: expect.stringContaining('0.3 s'),
  });
});

describe('operations', () => {
  it('are refused without a folder for them, and tools are not tried', async () => {
    const refusal = new DeskterityError(
      'SANDBOX_UNAVAILABLE',
      'The sandbox would include the whole system.',
      {
        suggestion: 'Choose a project folder.',
      },
    );
    const { byName } = await checked({ runs: () => Promise.reject(refusal) });
    expect(byName.get('operations')).toMatchObject({
      outcome: 'refused',
      step: 'find the folder that commands are confined to',
      fix: 'Choose a project folder.',
    });
    expect(byName.get('tools')).toMatchObject({ outcome: 'skipped', optional: true });
  });

  it.each<[World, string]>([
    [{ ended: { status: 'timed_out' } }, 'wait for its end'],
    [{ ended: { status: 'failed', exit_code: 126 } }, 'wait for its end'],
    [{ wrote: 'something else' }, 'read what it wrote'],
    [{ wrote: '' }, 'read what it wrote'],
  ])('are broken at the failing step: %j', async (world, step) => {
    const { byName } = await checked(world);
    expect(byName.get('operations')).toMatchObject({ outcome: 'broken', step, optional: true });
  });
});

describe('tool files', () => {
  it('that are not trusted are refused by name', async () => {
    const { byName } = await checked({ files: [{ state: 'untrusted', hasChanged: true }] });
    expect(spelled(byName.get('tools'))).toMatchObject({
      outcome: 'refused',
      detail:
        '"/project/.deskterity/tools/x.json" is not trusted with its present content, so its tools do not run.',
      fix: expect.stringContaining('desk tools trust'),
    });
  });

  it('that are not valid are broken, with the first error', async () => {
    const problem = {
      file: 'x.json',
      line: 3,
      column: 1,
      pointer: '',
      message: '"name" is missing.',
      suggestion: 's',
    };
    const { byName } = await checked({ files: [{ state: 'invalid', problems: [problem], tools: [] }] });
    expect(spelled(byName.get('tools'))).toMatchObject({
      outcome: 'broken',
      detail: '"/project/.deskterity/tools/x.json": line 3, "name" is missing.',
      fix: expect.stringContaining('desk tools validate'),
    });
  });
});
