import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolFiles, type ToolCaller } from '../../src/toolfiles/tool-files.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import { createDocuments } from '../../src/platform/node/documents/documents.ts';
import { createFiles } from '../../src/platform/node/files.ts';
import { createPlatform } from '../../src/platform/select.ts';
import { registerCommand } from '../../src/registry/registry.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';

let root: string;
const logged: unknown[] = [];
const at = (...names: string[]) => join(root, ...names);
const desk = () =>
  new ToolFiles({
    files: createFiles(),
    documents: async () => createDocuments(),
    clock: createClock(),
    log: { write: ({ fields }) => logged.push(fields), flush: async () => undefined },
    folders: () => ({ state: at('state'), cache: at('cache'), config: at('config') }),
    platform: createPlatform(),
    register: registerCommand,
    readyFolder: at('ready'),
    taken: new Set(),
  });

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-desk-')));
  await mkdir(at('scope/.deskterity/tools'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A caller whose checks are noted instead of run. */
function callerOf(more: Partial<ToolCaller> = {}, checks: string[] = []): ToolCaller {
  const unavailable = new DeskterityError('SANDBOX_UNAVAILABLE', 'No sandbox.', { suggestion: 'Get one.' });
  return {
    caller: { environment: {}, cwd: at('scope') },
    environment: async () => ({ PATH: process.env['PATH'] }),
    runs: {
      scope: at('scope'),
      home: at('home'),
      guarded: [],
      prepare: refuse,
      start: async ({ steps }) => {
        checks.push(steps.map(({ command }) => command.join(' ')).join('; '));
        throw unavailable;
      },
    },
    operations: () => Promise.resolve(never),
    moreTools: '',
    graceSeconds: 3,
    isAlwaysSynchronous: false,
    ...more,
  };
}

const refuse = () => Promise.reject(new Error('was not expected'));
const never = {
  prepare: refuse,
  start: refuse,
  status: refuse,
  list: refuse,
  wait: refuse,
  cancel: refuse,
  read: refuse,
  onEnd: () => () => undefined,
};

async function trusted(name: string, more: object = {}): Promise<void> {
  const path = at('scope/.deskterity/tools', `${name}.json`);
  await writeFile(path, JSON.stringify({ name, description: 'x', command: 'node', ...more }));
  await desk().portFor(callerOf()).trust(path);
}

describe('the tools of a client', () => {
  it('depend on its own settings, whoever read the folder before', async () => {
    await trusted('build');
    const one = desk();
    const texts = [];
    for (const isAlwaysSynchronous of [true, false])
      texts.push(
        (await one.offered(callerOf({ isAlwaysSynchronous }))).commands.map(
          ({ definition }) => definition.description,
        ),
      );
    expect(texts).toEqual([
      [expect.stringContaining('Returns when the tool has ended')],
      [expect.stringContaining('operation_id')],
    ]);
  });

  it('include those of its other projects, as such, and only what a person has trusted', async () => {
    const folder = at('other/.deskterity/tools');
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'mark.json');
    await writeFile(path, JSON.stringify({ name: 'mark', description: 'x', command: 'node' }));
    const caller = { environment: {}, cwd: at('scope'), projectTools: [folder] };
    const of = callerOf({ caller });
    const { files } = await desk().portFor(of).list();
    expect(files).toMatchObject([{ path, origin: 'project', state: 'untrusted' }]);
    expect((await desk().offered(of)).commands).toEqual([]);
    await desk().portFor(of).trust(path);
    expect((await desk().offered(of)).commands.map(({ toolName }) => toolName)).toEqual(['mark']);
    expect((await desk().offered(callerOf())).commands).toEqual([]);
  });

  it('are logged if they cannot be used', async () => {
    await writeFile(at('scope/.deskterity/tools/bad.json'), '{');
    logged.length = 0;
    expect((await desk().offered(callerOf())).commands).toEqual([]);
    expect(logged).toEqual([{ problem: expect.stringMatching(/bad\.json, line 1, .*not JSON/) }]);
  });

  it('appear as soon as they can be called', async () => {
    const one = desk();
    const offered = await one.offered(callerOf());
    expect(offered.commands).toEqual([]);
    const told = new Promise<void>((resolve) => {
      offered.watch(resolve);
    });
    await trusted('build');
    await told;
    expect(offered.commands.map(({ toolName }) => toolName)).toEqual(['build']);
  });
});

describe('a call', () => {
  it('checks only what it needs', async () => {
    await trusted('other', { availability_check: 'node --other' });
    await trusted('step', { availability_check: 'node --step' });
    await trusted('alone');
    await trusted('all', { command: 'sequence', sequence: [{ tool: 'alone' }, { tool: 'step' }] });
    const checks: string[] = [];
    const one = desk();
    expect((await one.find(callerOf({}, checks), 'alone')).toolName).toBe('alone');
    expect(checks).toEqual([]);
    await expect(one.find(callerOf({}, checks), 'all')).rejects.toMatchObject({
      message: expect.stringContaining('could not be run: No sandbox'),
    });
    expect(checks).toEqual(['node --step']);
  });
});

describe('checking tool files', () => {
  it('runs nothing, and checks the files together', async () => {
    await trusted('build', { availability_check: 'node --build' });
    await writeFile(
      at('scope/.deskterity/tools/again.json'),
      JSON.stringify({ name: 'build', description: 'x', command: 'node' }),
    );
    const checks: string[] = [];
    const { checked, problems } = await desk().portFor(callerOf({}, checks)).validate(undefined);
    expect({ checked, checks }).toEqual({ checked: 2, checks: [] });
    expect(problems.map(({ pointer }) => pointer)).toEqual(['/name', '/name']);
  });

  it('reports what it could not check', async () => {
    const port = desk().portFor(callerOf({ moreTools: at('none') }));
    expect((await port.validate(undefined)).notChecked).toEqual([`the folder ${at('none')} does not exist`]);
    expect((await port.list()).problems).toEqual([`the folder ${at('none')} does not exist`]);
  });

  it('continues if one of them is too large', async () => {
    await writeFile(at('large.json'), `{"name":"x"${' '.repeat(300_000)}`);
    await writeFile(at('bad.json'), '{');
    const { problems } = await desk()
      .portFor(callerOf())
      .validate([at('large.json'), at('bad.json')]);
    expect(problems.map(({ message }) => message)).toEqual([
      'it is larger than 262144 bytes',
      'this is not JSON: close brace expected',
    ]);
  });
});
