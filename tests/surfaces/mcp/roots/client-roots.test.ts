import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { ClientProjects } from '../../../../src/app/client-projects.ts';
import type { Caller } from '../../../../src/model/sessions/caller.ts';
import { createRegistry } from '../../../../src/registry/registry.ts';
import { serveLines } from '../../../../src/surfaces/mcp/connections/serve-lines.ts';
import { ClientRoots } from '../../../../src/surfaces/mcp/roots/client-roots.ts';
import { openConnection } from '../../../../src/surfaces/mcp/tools/open-connection.ts';
import { toolCommand } from '../../../../src/toolfiles/tool-commands.ts';
import { toolOf } from '../../../toolfiles/support/tool-file.ts';
import { deskWorld } from '../resources/desk-world.ts';
import { LineClientTransport, streamPair } from '../support/line-client.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const CALLER: Caller = { environment: { DISPLAY: ':1' }, cwd: '/' };
const PROJECT = '/home/ada/p/.deskterity/tools';

function commandsOf(caller: Caller) {
  const tool = toolOf({ name: 'log', description: 'x', command: 'git' });
  const options = { catalogue: { require: () => tool }, graceSeconds: 3, group: 'operations' } as const;
  const log = toolCommand(tool, { ...options, toolsets: ['operations'] });
  return createRegistry((caller.projectTools ?? []).includes(PROJECT) ? [log] : []).commands;
}

async function scene(
  era: 'legacy' | 'modern',
  roots: (() => { uri: string }[]) | undefined,
  isOneClient = true,
) {
  const { app } = deskWorld([]);
  const asked: (readonly string[])[] = [];
  const callers: Caller[] = [];
  const [near, far] = streamPair();
  const gone = serveLines({
    stream: far,
    version: '1',
    open: () =>
      openConnection({
        app: {
          ...app,
          clientProjects: async (caller, folders): Promise<ClientProjects> => {
            asked.push(folders);
            const projectTools = folders.length === 0 ? [] : [PROJECT];
            return {
              caller: { ...caller, projectTools },
              projects: [],
              applied: [],
              ignored: [],
              problems: [],
            };
          },
          toolsOf: async (caller) => ({ commands: commandsOf(caller), watch: () => () => undefined }),
          prepareTools: async () => undefined,
          answer: async (session, command, input, options) => {
            if (command === 'tools list') callers.push(options.caller ?? CALLER);
            return app.answer(session, command, input, options);
          },
        },
        caller: CALLER,
        version: '1',
        options: { toolsets: ['operations'], isReadOnly: false, structured: undefined, session: undefined },
        hasSessionArgument: false,
        isOneClient,
      }),
  });
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: roots === undefined ? {} : { roots: { listChanged: true } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  endings.push(async () => {
    await client.close();
    near.destroy();
    far.destroy();
    await gone;
  });
  let requests = 0;
  if (roots !== undefined)
    client.setRequestHandler('roots/list', () => {
      requests += 1;
      return { roots: roots() };
    });
  await client.connect(new LineClientTransport(near));
  return {
    client,
    asked,
    callers,
    requests: () => requests,
    list: () => client.callTool({ name: 'tools_list', arguments: {} }),
    names: async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools.map(({ name }) => name);
    },
  };
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era with roots', (era) => {
  it('is asked once, by the first call that they matter to, and then has their tools', async () => {
    const { list, names, asked, callers, requests } = await scene(era, () => [
      { uri: 'file:///home/ada/p' },
      { uri: 'file://server/share' },
    ]);
    expect(await names()).not.toContain('log');
    expect(requests()).toBe(0);
    await list();
    await list();
    expect(asked).toEqual([['/home/ada/p']]);
    expect(requests()).toBe(1);
    expect(callers).toMatchObject([{ projectTools: [PROJECT] }, { projectTools: [PROJECT] }]);
    expect(await names()).toContain('log');
  });
});

it('a client that refuses has no roots, and its call goes on', async () => {
  const { list, asked, callers } = await scene('legacy', () => {
    throw new Error('no');
  });
  await list();
  expect(asked).toEqual([]);
  expect(callers).toHaveLength(1);
});

it('a client that never answers does not hold up its call', async () => {
  const learned: unknown[] = [];
  const app = { clientProjects: () => Promise.reject(new Error('nothing is known')) };
  const roots = new ClientRoots(app, CALLER, async (caller) => void learned.push(caller), 20);
  const client = {
    canAnswer: () => true,
    earlier: () => undefined,
    ask: () => new Promise<never>(() => undefined),
  };
  const logged: unknown[] = [];
  await roots.learn({ client, log: (_level, _logger, data) => logged.push(data) });
  expect(learned).toEqual([CALLER]);
  expect(logged).toMatchObject([{ error: 'TIMEOUT' }]);
});

it('a client is asked again after it has reported other roots, and loses the tools of the old ones', async () => {
  const now = [{ uri: 'file:///home/ada/p' }];
  const { client, list, names, asked } = await scene('legacy', () => now);
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1;
  });
  await names();
  await list();
  await expect.poll(() => changes).toBeGreaterThan(0);
  now.length = 0;
  await client.sendRootsListChanged();
  await list();
  expect(asked).toEqual([['/home/ada/p'], []]);
  expect(await names()).not.toContain('log');
});

it('a client without roots is not asked, nor are several that share a connection', async () => {
  const without = await scene('legacy', undefined);
  await without.list();
  expect(without.asked).toEqual([]);
  const shared = await scene('legacy', () => [{ uri: 'file:///home/ada/p' }], false);
  await shared.list();
  expect(shared.requests()).toBe(0);
});
