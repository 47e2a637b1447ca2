import { afterEach, describe, expect, it } from 'vitest';
import { scopeNeeded } from '../../../../src/surfaces/mcp/access/scope-needed.ts';
import type { McpTool } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { TaskRun } from '../../../../src/surfaces/mcp/tasks/task-run.ts';
import { text, World } from '../tasks/support.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

function tool(name: string, scope: McpTool['scope'] & string): McpTool {
  return { definition: { name, inputSchema: { type: 'object' } }, scope, call: async () => text(name) };
}
const tools = [tool('look', 'read'), tool('shell', 'admin')];

describe('what one request needs', () => {
  it.each([
    ['deskterity://operations', 'admin'],
    ['deskterity://operations/op-abcdefgh', 'admin'],
    ['deskterity://terminals', 'admin'],
    ['deskterity://apps', 'read'],
    ['nonsense', 'read'],
  ])('%s needs %s, however it is named', async (uri, expected) => {
    const named = [
      { method: 'resources/read', params: { uri } },
      [{ method: 'resources/subscribe', params: { uri } }],
      { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [uri] } } },
    ];
    for (const body of named) expect(await scopeNeeded(body, { tools }, '')).toBe(expected);
  });

  it('the screen of a terminal needs admin from a tool that reads', async () => {
    const call = (given: object) => ({ method: 'tools/call', params: { name: 'look', arguments: given } });
    expect(await scopeNeeded(call({}), { tools }, '')).toBe('read');
    expect(await scopeNeeded(call({ terminal: 'main' }), { tools }, '')).toBe('admin');
  });

  it('a task needs what its tool needs, to read, watch, answer or cancel it', async () => {
    const connection = new World().connection();
    const { tasks } = connection;
    endings.push(() => connection.close());
    const run = () => new TaskRun({ work: async () => text('x'), cancelOperation: async () => false });
    const kept = { keepMs: 60_000, account: 'a' };
    const shell = (await tasks.keep(run(), { tool: 'shell', ...kept })).record.task_id;
    const look = (await tasks.keep(run(), { tool: 'look', ...kept })).record.task_id;
    const gone = (await tasks.keep(run(), { tool: 'gone', ...kept })).record.task_id;
    const needed = (body: unknown, account = 'a') => scopeNeeded(body, { tools, tasks }, account);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']) {
      expect(await needed({ method, params: { taskId: shell } })).toBe('admin');
      expect(await needed({ method, params: { taskId: gone } })).toBe('admin');
      expect(await needed({ method, params: { taskId: look } })).toBe('read');
      expect(await needed({ method, params: { taskId: shell } }, 'another')).toBe('read');
    }
    const listen = { notifications: { taskIds: [look, shell] }, _meta: {} };
    expect(await needed({ method: 'subscriptions/listen', params: listen })).toBe('admin');
  });
});
