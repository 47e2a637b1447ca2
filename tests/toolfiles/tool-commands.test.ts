import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { toolFacts } from '../../src/app/tool-facts.ts';
import { toolSpeller } from '../../src/surfaces/mcp/tools/client-spelling.ts';
import { spellMentions } from '../../src/model/text/mention.ts';
import { commandLineSpeller } from '../../src/registry/command-line-speller.ts';
import { createFiles } from '../../src/platform/node/files.ts';
import type { OperationsPort, OperationView } from '../../src/ports/operations.ts';
import type { RunRequest, RunsPort } from '../../src/ports/runs.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry, type RegisteredCommand } from '../../src/registry/registry.ts';
import { createToolCatalogue, type ToolCatalogue } from '../../src/toolfiles/tool-catalogue.ts';
import { toolCommand, type ToolCommandOptions } from '../../src/toolfiles/tool-commands.ts';
import { Configuration } from '../../src/model/configuration/config.ts';
import type { CommandContext } from '../../src/registry/define.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';
import { policy } from '../policy/policy-of.ts';
import { openStage, type CatalogueStage } from './support/catalogue-stage.ts';
import { spelled, spelledFailure } from '../spelled.ts';

let stage: CatalogueStage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const NODE = process.execPath;
/** Writes what it was started with, and where, to the file that is its first argument. */
const NOTE =
  'require("fs").appendFileSync(process.argv[1], JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) }) + "\\n")';
const FILE = {
  name: 'note',
  description: 'Notes what it is given',
  command: NODE,
  timeout_seconds: 20,
  options: [{ name: 'dry-run', type: 'boolean', description: 'x', flag: '--expose-gc' }],
  sandbox: { read: ['~/x'], environment: { set: { NOTE: '~' } } },
  subcommand: [
    {
      name: 'take',
      description: 'Takes things.',
      words: ['-e'],
      positional_args: [
        { name: 'code', type: 'string', description: 'x', required: true },
        { name: 'out', type: 'string', description: 'x', required: true, format: 'path' },
        { name: 'rest', type: 'array', description: 'x' },
      ],
    },
    { name: 'sync', description: 'At the end.', synchronous: true, read_only: true, words: ['--version'] },
    { name: 'narrow', description: 'Kept in.', words: ['--version'], sandbox: { scope: 'packages/app' } },
    {
      name: 'both',
      description: 'Two.',
      sequence: [{ subcommand: 'sync' }, { subcommand: 'narrow' }],
      step_delay_ms: 20,
    },
    { name: 'wipe', description: 'Loses.', words: ['--version'], destructive: true },
    { name: 'spare', description: 'Keeps.', words: ['--version'], destructive: false },
    { name: 'renew', description: 'Two.', sequence: [{ subcommand: 'sync' }, { subcommand: 'wipe' }] },
  ],
};

interface World {
  readonly catalogue: ToolCatalogue;
  /** With whether the call waited for the end. */
  readonly requests: (RunRequest & { isSynchronous?: boolean })[];
  readonly command: (name: string, options?: Partial<ToolCommandOptions>) => RegisteredCommand;
  readonly call: (
    name: string,
    input: object,
    cwd?: string,
    options?: Partial<ToolCommandOptions>,
    changes?: Partial<CommandContext>,
  ) => Promise<Record<string, unknown>>;
}

async function open(): Promise<World> {
  const path = await stage.write('scope/.deskterity/tools/note.json', FILE);
  await stage.trustFile(path, FILE);
  await mkdir(join(stage.scope, 'packages/app'), { recursive: true });
  const catalogue = await createToolCatalogue(stage.parts);
  const requests: World['requests'] = [];
  let output = '';
  let last: OperationView | undefined;
  const runs: RunsPort = {
    prepare: () => Promise.reject(new Error('prepared')),
    ...stage.parts.places,
    start: async (request) => {
      requests.push(request);
      output = '';
      for (const { command, cwd } of request.steps) output += await start(command, cwd);
      last = ended(request);
      return last;
    },
  };
  const operations: Pick<OperationsPort, 'wait' | 'read'> = {
    wait: async (_, { timeoutMs }) => {
      const request = requests.at(-1);
      if (request === undefined || last === undefined) throw new Error('nothing was run');
      request.isSynchronous = timeoutMs > Configuration.parse({}).operations.grace_ms;
      return last;
    },
    read: async () => ({
      text: output,
      left_out: [],
      next_cursor: output.length,
      total_bytes: output.length,
      total_lines: 1,
    }),
  };
  const command = (name: string, options: Partial<ToolCommandOptions> = {}) => {
    const registry = createRegistry([
      toolCommand(catalogue.require(name), {
        catalogue,
        graceSeconds: 5,
        group: 'system',
        toolsets: ['core'],
        ...options,
      }),
    ]);
    const found = registry.get(`run-tool ${name}`);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  return {
    catalogue,
    requests,
    command,
    call: (name, input, cwd = stage.scope, options = {}, changes = {}) =>
      invoke(
        command(name, options),
        fakeDesktop({}, { ...ports(runs, operations), cwd, files: createFiles(), ...changes }).ctx,
        input,
      ),
  };
}

function ports(
  runs: RunsPort,
  operations: Pick<OperationsPort, 'wait' | 'read'>,
): Pick<CommandContext, 'runs' | 'operations'> {
  const refuse = () => Promise.reject(new Error('was not expected'));
  const others = { prepare: refuse, start: refuse, status: refuse, list: refuse, cancel: refuse };
  return {
    runs: async () => runs,
    operations: async () => ({ ...others, ...operations, onEnd: () => () => undefined }),
  };
}

function ended({ tool, steps }: RunRequest): OperationView {
  return {
    format: 1,
    operation_id: 'op-aaaaaa',
    tool,
    status: 'succeeded',
    steps: steps.map(({ command }) => ({ command: [...command], status: 'succeeded', exit_code: 0 })),
    cwd: '/',
    scope: '/',
    sandbox: 'none',
    session: 'default',
    started_at: new Date().toISOString(),
    ended_at: new Date().toISOString(),
    exit_code: 0,
    output: 'merged',
    budget_bytes: 1,
    holder: { socket: '', pid: 1, start_time: '', boot_id: '' },
    written: {},
  };
}

function start([program, ...args]: readonly [string, ...string[]], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}

/** What the program has noted in a file. */
async function noted(path: string): Promise<unknown[]> {
  return (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

it('is a tool like all others', async () => {
  const { command } = await open();
  const facts = toolFacts(command('note_take'));
  expect(facts).toMatchObject({
    tool: 'note_take',
    title: 'note take',
    isReadOnly: false,
    isDestructive: true,
    toolsets: ['core'],
    inputSchema: { required: ['code', 'out'] },
  });
  expect(Object.keys(facts?.outputSchema['properties'] ?? {})).toEqual(
    expect.arrayContaining(['operation_id', 'status', 'output', 'left_out']),
  );
  expect(toolFacts(command('note_sync'))).toMatchObject({ isReadOnly: true, isDestructive: false });
});

describe('describes when it answers, and what to do meanwhile', () => {
  it.each<[string, Partial<ToolCommandOptions>, string]>([
    [
      'note_take',
      {},
      'Takes things. Returns the output if the tool ends within 5 seconds, otherwise with an operation_id while it continues. You are not notified when it ends: do other work meanwhile, then call "desk operation await" with the operation_id.',
    ],
    ['note_sync', {}, 'At the end. Returns when the tool has ended, after at most 20 seconds.'],
    [
      'note_take',
      { isAlwaysSynchronous: true },
      'Takes things. Returns when the tool has ended, after at most 20 seconds.',
    ],
  ])('%s %o', async (name, options, expected) => {
    const { command } = await open();
    expect(spelled(toolFacts(command(name, options))?.description)).toBe(expected);
  });

  it('in terms of tools', async () => {
    const { command } = await open();
    const facts = toolFacts(command('note_take'));
    const speller = toolSpeller({
      offered: facts === undefined ? [] : [facts],
      others: { 'operation await': 'operation_await' },
      commandLine: commandLineSpeller(createRegistry([])),
    });
    expect(spellMentions(facts?.description ?? '', speller)).toContain(
      'then call operation_await with the operation_id.',
    );
  });
});

describe('runs', () => {
  it('the program with its arguments, in the caller’s folder', async () => {
    const { call, requests } = await open();
    const out = join(stage.scope, 'out.txt');
    const answer = await call('note_take', {
      code: NOTE,
      out: 'out.txt',
      rest: ['a b', '', '$HOME'],
      dry_run: true,
    });
    expect(answer).toMatchObject({ operation_id: 'op-aaaaaa', status: 'succeeded' });
    expect(await noted(out)).toEqual([{ cwd: stage.scope, args: ['a b', '', '$HOME'] }]);
    expect(requests).toMatchObject([
      {
        tool: 'note_take',
        timeoutMs: 20_000,
        isSynchronous: false,
        steps: [
          {
            cwd: stage.scope,
            delayMs: 0,
            sandbox: {
              scope: stage.scope,
              read: [join(stage.root, 'home/x')],
              network: false,
              unixSockets: false,
              set: { NOTE: join(stage.root, 'home') },
            },
          },
        ],
      },
    ]);
  });

  it('in a working folder inside the scope', async () => {
    const { call } = await open();
    await call('note_take', { code: NOTE, out: '../out.txt', working_directory: 'packages' });
    await call('note_take', {
      code: NOTE,
      out: '../out.txt',
      working_directory: join(stage.scope, 'packages'),
    });
    expect(await noted(join(stage.scope, 'out.txt'))).toEqual([
      { cwd: join(stage.scope, 'packages'), args: [] },
      { cwd: join(stage.scope, 'packages'), args: [] },
    ]);
  });

  it('in the scope if the caller is outside, and in the caller’s folder below it', async () => {
    const { call, requests } = await open();
    await call('note_sync', {}, '/');
    await call('note_sync', {}, join(stage.scope, 'packages'));
    expect(requests.map(({ steps }) => steps[0]?.cwd)).toEqual([stage.scope, join(stage.scope, 'packages')]);
  });

  it('synchronously or not, as set by the file, the caller or the host', async () => {
    const { call, requests } = await open();
    await call('note_sync', {});
    await call('note_sync', { execution_mode: 'async' });
    await call('note_narrow', {});
    await call('note_narrow', { execution_mode: 'sync', timeout_seconds: 7 });
    await call('note_narrow', {}, stage.scope, { isAlwaysSynchronous: true });
    expect(requests.map(({ isSynchronous, timeoutMs }) => [isSynchronous, timeoutMs])).toEqual([
      [true, 20_000],
      [false, 20_000],
      [false, 20_000],
      [true, 7000],
      [true, 20_000],
    ]);
  });

  it('a tool with a narrower scope there, and each step of a sequence in its own', async () => {
    const { call, requests } = await open();
    const app = join(stage.scope, 'packages/app');
    await call('note_narrow', {});
    await call('note_both', {});
    await call('note_both', { working_directory: 'packages/app' });
    expect(
      requests.map(({ steps }) => steps.map(({ cwd, delayMs, sandbox }) => [cwd, delayMs, sandbox.scope])),
    ).toEqual([
      [[app, 0, app]],
      [
        [stage.scope, 0, stage.scope],
        [app, 20, app],
      ],
      [
        [app, 0, stage.scope],
        [app, 20, app],
      ],
    ]);
  });
});

describe('a tool that its file calls destructive', () => {
  const ASKED = { confirmation: { isNeeded: true } };
  const asked = async (call: Promise<unknown>): Promise<DeskterityError> =>
    call.then(
      () => Promise.reject(new Error('it was not asked about')),
      (error: unknown) => {
        if (error instanceof DeskterityError) return error;
        throw error;
      },
    );

  it('is told to clients, and so is one that is not', async () => {
    const { command } = await open();
    const told = ['note_wipe', 'note_spare', 'note_take'].map(
      (name) => toolFacts(command(name))?.isDestructive,
    );
    expect(told).toEqual([true, false, true]);
  });

  it('needs the consent of a person where acts do, also as a step of a sequence', async () => {
    const { call, requests } = await open();
    for (const name of ['note_wipe', 'note_renew']) {
      const error = await asked(call(name, { timeout_seconds: 7 }, stage.scope, {}, ASKED));
      expect(error).toMatchObject({ code: 'CONFIRMATION_REQUIRED', delivered: false });
      expect(error.message).toContain('the tool note_wipe');
      expect(error.message).toContain('its tool file says that it may lose something');
      expect(error.aside).toContain('{"timeout_seconds":7}');
      expect(requests).toEqual([]);
      const agreed = { confirmation: { isNeeded: true, given: error.consent } };
      // Consent is for this input.
      await asked(call(name, { timeout_seconds: 8 }, stage.scope, {}, agreed));
      await call(name, { timeout_seconds: 7 }, stage.scope, {}, agreed);
      expect(requests.splice(0)).toHaveLength(1);
    }
    for (const name of ['note_spare', 'note_take', 'note_sync'])
      await call(name, name === 'note_take' ? { code: '', out: 'x' } : {}, stage.scope, {}, ASKED);
    await call('note_wipe', {});
    expect(requests).toHaveLength(4);
  });

  it('is asked about in the mode safe, unless the user approved it; denied steps are not run', async () => {
    const { call, requests } = await open();
    const under = (name: string, table: Record<string, unknown>) =>
      call(name, {}, stage.scope, {}, { policy: policy(table) });
    const safe = (...allowed: string[]) => ({ mode: 'safe', tools: { allowed } });
    expect((await asked(under('note_wipe', safe('*')))).code).toBe('CONFIRMATION_REQUIRED');
    await under('note_wipe', safe('note_wipe'));
    expect((await asked(under('note_renew', safe('note_renew')))).code).toBe('POLICY_DENIED');
    expect((await asked(under('note_renew', { tools: { denied: ['note_wipe'] } }))).message).toContain(
      'The policy denies the tool note_wipe, a step of note_renew (tools.denied "note_wipe").',
    );
    expect((await asked(under('note_both', { tools: { confirm: ['note_narrow'] } }))).code).toBe(
      'CONFIRMATION_REQUIRED',
    );
    expect(requests).toHaveLength(1);
  });
});

describe('refuses before anything runs', () => {
  it.each<[string, string, object, object]>([
    [
      'a working folder outside',
      'note_sync',
      { working_directory: '..' },
      { code: 'INVALID_ARGUMENT', message: 'working_directory is "..", which is outside the sandbox.' },
    ],
    [
      'an absolute one outside',
      'note_sync',
      { working_directory: '/etc' },
      { code: 'INVALID_ARGUMENT', message: 'working_directory is "/etc", which is outside the sandbox.' },
    ],
    [
      'one that is not there',
      'note_sync',
      { working_directory: 'nowhere' },
      { code: 'INVALID_ARGUMENT', message: 'working_directory is "nowhere", which does not exist.' },
    ],
    [
      'one that is a file',
      'note_sync',
      { working_directory: '.deskterity/tools/note.json' },
      {
        code: 'INVALID_ARGUMENT',
        message: 'working_directory is ".deskterity/tools/note.json", which is not a folder.',
      },
    ],
    [
      'a link out of the scope',
      'note_sync',
      { working_directory: 'link' },
      {
        code: 'INVALID_ARGUMENT',
        message: 'working_directory is "link", which is outside the sandbox.',
      },
    ],
    [
      'a working folder outside of a narrower scope',
      'note_narrow',
      { working_directory: '..' },
      { code: 'INVALID_ARGUMENT' },
    ],
    [
      'a path that leads out',
      'note_take',
      { code: 'x', out: '../../etc/passwd' },
      { code: 'INVALID_ARGUMENT', message: expect.stringContaining('outside the scope') },
    ],
    [
      'a value like a flag',
      'note_take',
      { code: '--eval=x', out: 'x' },
      { code: 'INVALID_ARGUMENT', message: expect.stringContaining('could read as an option') },
    ],
    [
      'an unknown parameter',
      'note_take',
      { code: 'x', out: 'x', rst: [] },
      { code: 'INVALID_ARGUMENT', suggestion: 'Did you mean rest?' },
    ],
    [
      'a missing one',
      'note_take',
      { code: 'x' },
      { code: 'INVALID_ARGUMENT', message: expect.stringContaining('out is missing') },
    ],
  ])('%s', async (_, name, input, expected) => {
    const { call, requests } = await open();
    await symlink('/etc', join(stage.scope, 'link'));
    await expect(spelledFailure(call(name, input))).rejects.toMatchObject(expected);
    expect(requests).toEqual([]);
  });

  it('a tool that is no longer trusted or has changed', async () => {
    const { call, catalogue, requests, command } = await open();
    const old = command('note_take');
    const changed = { ...FILE, subcommand: [{ name: 'take', description: 'Other.', words: ['--version'] }] };
    const path = await stage.write('scope/.deskterity/tools/note.json', changed);
    await catalogue.refresh();
    const ctx = fakeDesktop(
      {},
      {
        runs: async () => ({
          ...stage.parts.places,
          start: () => Promise.reject(new Error('ran')),
          prepare: () => Promise.reject(new Error('prepared')),
        }),
        cwd: stage.scope,
        files: createFiles(),
      },
    ).ctx;
    await expect(invoke(old, ctx, { code: 'x', out: 'y' })).rejects.toMatchObject({ code: 'TOOL_UNTRUSTED' });
    await stage.trustFile(path, changed);
    await catalogue.refresh();
    await expect(invoke(old, ctx, { code: 'x', out: 'y' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await writeFile(path, '{');
    await catalogue.refresh();
    expect(() => call('note_take', {})).toThrow(expect.objectContaining({ code: 'TOOL_INVALID' }));
    expect(requests).toEqual([]);
  });
});
