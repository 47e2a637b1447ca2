import { describe, expect, it } from 'vitest';
import { guardedOperations, guardedServers } from '../../../src/policy/guard/guarded-outputs.ts';
import type { OperationsPort } from '../../../src/ports/operations.ts';
import type { ServersPort } from '../../../src/ports/upstream/servers.ts';
import { policy } from '../policy-of.ts';

const SECRET = 'what it printed';
const ANSWER = { text: SECRET, left_out: [], next_cursor: 0, total_bytes: 0, total_lines: 0 };

/** What is asked here of operations and servers. */
function outputs(tables: Record<string, unknown>) {
  const operations = { status: async () => ({ tool: 'git_log' }), read: async () => ANSWER };
  const servers = { more: () => ({ server: 'jira', tool: 'jira__read', output: SECRET }) };
  const now = () => policy(tables);
  return {
    read: async () =>
      guardedOperations(operations as unknown as OperationsPort, now).read('op-1', { maxTokens: 10 }),
    more: async () => guardedServers(servers as unknown as ServersPort, now).more('res-1', 0, 10),
  };
}

describe('what a tool printed before', () => {
  it('cannot be read while the tool is denied', async () => {
    const denied = { code: 'POLICY_DENIED', delivered: false };
    await expect(outputs({ tools: { denied: ['git_*'] } }).read()).rejects.toMatchObject(denied);
    await expect(outputs({ tools: { denied: ['jira__*'] } }).more()).rejects.toMatchObject(denied);
    await expect(outputs({ tools: { allowed: ['make'] } }).read()).rejects.toMatchObject(denied);
  });

  it.each([
    ['nothing is denied', {}],
    ['another tool is denied', { tools: { denied: ['make'] } }],
    ['a person agrees to each call', { tools: { confirm: ['*'] } }],
    ['no tool may be run, which says nothing about what one printed', { mode: 'sandboxed' }],
  ])('can be read if %s', async (_, tables) => {
    expect(await outputs(tables).read()).toBe(ANSWER);
    expect(await outputs(tables).more()).toMatchObject({ output: SECRET });
  });
});
