import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import type { OperationsPort, OperationView } from '../../src/ports/operations.ts';
import { openConnection } from '../../src/surfaces/mcp/tools/open-connection.ts';
import { emptySandbox } from './empty-sandbox.ts';
import { fakeApp } from './fake-app.ts';

let root: string;
let cancelled: string[];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-projects-')));
  cancelled = [];
  for (const folder of ['mine/part', 'mine-too', 'state', 'cache', 'config'])
    await mkdir(join(root, folder), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const refuse = () => Promise.reject(new Error('was not expected'));
const MINE = 'op-mineaa';
const PART = 'op-partaa';
const OTHER = 'op-othera';

function viewOf(id: string, folder: string, owner?: string): OperationView {
  return {
    ...(owner === undefined ? {} : { owner }),
    format: 1,
    operation_id: id,
    tool: 'sandboxed_shell',
    status: 'running',
    steps: [{ command: ['make'], status: 'running' }],
    cwd: join(root, folder),
    scope: join(root, folder),
    sandbox: 'landlock',
    session: 'default',
    started_at: '2026-01-31T00:00:00Z',
    output: 'merged',
    budget_bytes: 1,
    holder: { socket: '/x', pid: 1, start_time: '1', boot_id: 'x' },
    written: { merged: 0 },
  };
}

/** The program of a caller in the folder `mine`, on a machine where three operations run. */
function open(all = [viewOf(MINE, 'mine'), viewOf(PART, 'mine/part'), viewOf(OTHER, 'mine-too')]): App {
  const status = async (id: string) => all.find((view) => view.operation_id === id) ?? refuse();
  const operations: OperationsPort = {
    start: refuse,
    prepare: refuse,
    status,
    list: async () => all,
    wait: status,
    cancel: async (id) => {
      cancelled.push(id);
      return status(id);
    },
    read: async () => ({
      text: 'words',
      left_out: ['the rest'],
      next_cursor: 5,
      total_bytes: 5,
      total_lines: 1,
    }),
    onEnd: () => () => undefined,
  };
  return fakeApp(refuse, refuse, {
    caller: { environment: { HOME: root }, cwd: join(root, 'mine') },
    folders: () => ({ state: join(root, 'state'), cache: join(root, 'cache'), config: join(root, 'config') }),
    openOperations: async () => operations,
    sandbox: async () => emptySandbox,
  });
}

it('operations of other projects are neither listed, read, awaited nor cancelled', async () => {
  const app = open();
  const list = await app.call('default', 'operation list', {});
  expect(list).toMatchObject({
    operations: [{ operation_id: MINE }, { operation_id: PART }],
    of_other_projects: 1,
  });
  expect(await app.call('default', 'operation await', { timeout_ms: 1 })).toMatchObject({
    still_running: [MINE, PART],
  });
  const inputs = { operation_id: OTHER, operation_ids: [OTHER] };
  for (const [verb, key] of [
    ['status', 'operation_id'],
    ['output', 'operation_id'],
    ['cancel', 'operation_id'],
    ['await', 'operation_ids'],
  ] as const)
    await expect(app.call('default', `operation ${verb}`, { [key]: inputs[key] })).rejects.toMatchObject({
      code: 'OPERATION_NOT_FOUND',
      message: `Operation ${OTHER} belongs to another project.`,
    });
  expect(cancelled).toEqual([]);
  await app.call('default', 'operation cancel', { operation_id: PART });
  expect(cancelled).toEqual([PART]);
});

it('a person reaches them with --all, an MCP client has no such parameter', async () => {
  const app = open();
  const list = await app.call('default', 'operation list', { all: true });
  expect(list['operations']).toHaveLength(3);
  expect(list).not.toHaveProperty('of_other_projects');
  await app.call('default', 'operation cancel', { operation_id: OTHER, all: true });
  expect(cancelled).toEqual([OTHER]);
  const client = await openConnection({
    app,
    caller: { environment: { HOME: root }, cwd: join(root, 'mine') },
    version: '1',
    options: { toolsets: ['operations'], isReadOnly: false, structured: 'always', session: undefined },
    hasSessionArgument: false,
  });
  const tools = client.tools.filter(({ definition }) => definition.name.startsWith('operation_'));
  expect(tools).toHaveLength(5);
  for (const { definition } of tools) expect(JSON.stringify(definition.inputSchema)).not.toContain('"all"');
  await client.close();
});

it('two clients of one server have no operations in common, and the user has those of both', async () => {
  const app = open([
    viewOf(MINE, 'mine', 'ada'),
    viewOf(PART, 'mine', 'bob'),
    viewOf(OTHER, 'mine-too', 'bob'),
  ]);
  const of = (owner?: string) => ({
    caller: { environment: { HOME: root }, cwd: join(root, 'mine'), owner },
  });
  const listed = async (owner?: string) => app.call('default', 'operation list', {}, of(owner));
  // How many others there are is not told either.
  expect(await listed('ada')).toEqual({ operations: [expect.objectContaining({ operation_id: MINE })] });
  expect(await listed('bob')).toMatchObject({ operations: [{ operation_id: PART }], of_other_projects: 1 });
  expect((await listed())['operations']).toHaveLength(2);
  for (const [verb, input] of [
    ['status', { operation_id: PART, all: true }],
    ['output', { operation_id: PART, all: true }],
    ['cancel', { operation_id: PART, all: true }],
    ['await', { operation_ids: [PART], all: true }],
  ] as const)
    await expect(app.call('default', `operation ${verb}`, input, of('ada'))).rejects.toMatchObject({
      code: 'OPERATION_NOT_FOUND',
      message: `Operation ${PART} does not exist.`,
    });
  expect(cancelled).toEqual([]);
});

it('a caller without a folder for its commands has none', async () => {
  const app = open();
  const caller = { environment: { HOME: root }, cwd: root };
  expect(await app.call('default', 'operation list', {}, { caller })).toEqual({
    operations: [],
    of_other_projects: 3,
  });
});

it('bare text says on standard error what it lacks', async () => {
  const input = { operation_id: MINE };
  expect(await open().execute('default', 'operation output', input, { format: 'text' })).toEqual({
    exitCode: 0,
    stdout: 'words\n',
    stderr: 'left out: the rest\n',
  });
});
