import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptySandbox } from '../app/empty-sandbox.ts';
import { createRuns } from '../../src/operations/runs.ts';
import { SandboxSelector } from '../../src/operations/confinement/sandbox-selector.ts';
import { Configuration } from '../../src/model/configuration/config.ts';
import type { Confinement } from '../../src/model/tools/confinement.ts';
import type { OperationRequest, OperationsPort } from '../../src/ports/operations.ts';
import type { RunSandbox, RunsPort } from '../../src/ports/runs.ts';
import { plainSandbox } from '../../src/registry/define.ts';

let root: string;
const at = (...names: string[]) => join(root, ...names);
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-runs-')));
  for (const folder of ['scope/pkg', 'secret', 'cache', 'config', 'state'])
    await mkdir(at(folder), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Seen {
  readonly runs: RunsPort;
  readonly prepared: Confinement[];
  readonly requests: OperationRequest[];
}

/** Runs whose holder starts nothing. */
async function seenRuns(configuration = Configuration.parse({})): Promise<Seen> {
  const prepared: Confinement[] = [];
  const requests: OperationRequest[] = [];
  const refuse = () => Promise.reject(new Error('was not expected'));
  const operations: OperationsPort = {
    prepare: async (confinement) => void prepared.push(confinement),
    start: async (request) => {
      requests.push(request);
      throw new Error('started');
    },
    status: refuse,
    list: refuse,
    wait: refuse,
    cancel: refuse,
    read: refuse,
    onEnd: () => () => undefined,
  };
  const runs = await createRuns({
    caller: { environment: {}, cwd: at('scope') },
    session: 's',
    configuration,
    folders: { state: at('state'), cache: at('cache'), config: at('config') },
    operations: async () => operations,
    onBegun: () => undefined,
    environment: async () => ({}),
    sandbox: async () => emptySandbox,
    sandboxes: new SandboxSelector(async () => emptySandbox),
  });
  return { runs, prepared, requests };
}

/** What the holder would be told to run, for a command with these needs. */
async function started(needs: Partial<RunSandbox>, seen?: Seen): Promise<OperationRequest> {
  const { runs, requests } = seen ?? (await seenRuns());
  const sandbox = { ...plainSandbox(runs.scope), ...needs };
  const step = { command: ['true'], cwd: runs.scope, delayMs: 0, sandbox } as const;
  await runs.start({ tool: 't', steps: [step], timeoutMs: 1000 }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'started') throw error;
  });
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was started');
  return request;
}

it('prepares what a plain command needs', async () => {
  const seen = await seenRuns(Configuration.parse({ sandbox: { deny_report: true } }));
  await seen.runs.prepare();
  const { steps } = await started({}, seen);
  expect(seen.prepared).toEqual([steps[0]?.confinement]);
  expect(seen.prepared).toMatchObject([
    { by: 'landlock', scope: at('scope'), denyReport: true, network: false },
  ]);
});

describe('the access that a tool file requests', () => {
  it('is granted with links resolved, and left out if missing', async () => {
    await symlink(at('secret'), at('link'));
    const { steps } = await started({
      read: [at('link'), at('none')],
      write: [at('secret'), at('scope/pkg')],
    });
    expect(steps[0]?.confinement).toMatchObject({
      read: [at('secret')],
      write: [expect.stringContaining(at('cache')), at('secret'), at('scope/pkg')],
    });
  });

  it.each([
    ['write', 'scope/planted', 'secret'],
    ['read', 'scope/planted', 'secret'],
    ['write', 'scope/planted', 'config'],
    ['write', 'scope/planted/deeper', '.'],
    ['read', 'secret/planted', 'config'],
  ] as const)(
    'is refused to %s through a link that a command could have created at %s',
    async (key, place, target) => {
      await mkdir(at('deeper'));
      const link = place.replace('/deeper', '');
      await symlink(at(target), at(link));
      const needs = { write: [at('secret')], read: [] };
      await expect(started({ ...needs, [key]: [at(place), ...needs[key]] })).rejects.toMatchObject({
        code: 'TOOL_INVALID',
        message: expect.stringContaining(`"${at(link)}" leads to`),
      });
    },
  );

  it('is refused if a link leads to Deskterity’s own folders', async () => {
    await symlink(at('config'), at('link'));
    await expect(started({ write: [at('link')] })).rejects.toMatchObject({
      code: 'TOOL_INVALID',
      message: `A tool may not access "${at('link')}": it leads to "${at('config')}", and "${at('config')}" belongs to Deskterity.`,
    });
  });

  it('may be a link inside the scope', async () => {
    await symlink(at('scope/pkg'), at('scope/planted'));
    const { steps } = await started({ write: [at('scope/planted')] });
    expect(steps[0]?.confinement.write).toContain(at('scope/pkg'));
  });

  it('never includes a scope outside the caller’s', async () => {
    await symlink(at('secret'), at('scope/planted'));
    await expect(started({ scope: at('scope/planted') })).rejects.toMatchObject({ code: 'TOOL_INVALID' });
  });
});
