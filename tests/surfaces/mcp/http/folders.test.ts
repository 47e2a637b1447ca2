import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HttpParts } from '../../../../src/surfaces/mcp/http/serve-http.ts';
import { FakeConnection, initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();
let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'desk-folders-')));
  for (const name of ['web', 'api', 'web/inner']) await mkdir(join(folder, name));
});
afterEach(() => rm(folder, { recursive: true }));

/** The folder of each connection, in the order in which they were opened. */
const folders: (string | undefined)[] = [];

async function start(parts: Partial<HttpParts> = {}): Promise<void> {
  folders.length = 0;
  await lab().start({
    open: async ({ toolsets, folder: own }) => {
      folders.push(own);
      const connection = new FakeConnection(toolsets);
      lab().connections.push(connection);
      return connection;
    },
    ...parts,
  });
}

const served = () => [
  { name: 'web', folder: join(folder, 'web') },
  { name: 'api', folder: join(folder, 'api') },
];

describe('an endpoint with a folder of its own', () => {
  test.each(['legacy', 'modern'] as const)('is for clients of the %s era', async (era) => {
    await start({ folders: served() });
    await lab().client(era, { url: `${lab().url}/@web` });
    await lab().client(era, { url: `${lab().url}/@API/inspect,core` });
    await lab().client(era);
    expect(folders).toEqual([join(folder, 'web'), join(folder, 'api'), undefined]);
    expect(lab().connections.map(({ toolsets }) => toolsets)).toEqual([
      undefined,
      ['core', 'inspect'],
      undefined,
    ]);
  });

  test.each(['/@other', '/@', '/@web/nope', '/core/@web', '/@web/core/inspect', '/@../api'])(
    'does not exist at %s',
    async (path) => {
      await start({ folders: served() });
      const answer = await raw(`${lab().url}${path}`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: initialize(),
      });
      expect(answer.status).toBe(404);
      expect(folders).toEqual([]);
    },
  );

  test('does not share sessions with another', async () => {
    await start({ folders: served() });
    const { headers } = await raw(`${lab().url}/@web`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: initialize(),
    });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const session = { ...JSON_HEADERS, 'mcp-session-id': String(headers['mcp-session-id']) };
    const status = async (path: string) =>
      (await raw(`${lab().url}${path}`, { method: 'POST', headers: session, body })).status;
    expect([await status('/@web'), await status('/@api'), await status('')]).toEqual([200, 404, 404]);
  });
});

describe('a session of its own folder', () => {
  interface Rooted {
    readonly client: Client;
    readonly asked: () => number;
    roots: { uri: string; name?: string }[];
  }

  async function rooted(roots: string[], path = ''): Promise<Rooted> {
    let asked = 0;
    const state = { roots: roots.map((uri) => ({ uri })) };
    const { client } = await lab().client('legacy', {
      url: `${lab().url}${path}`,
      client: { capabilities: { roots: { listChanged: true } } },
      beforeConnect: (before) =>
        before.setRequestHandler('roots/list', async () => {
          asked += 1;
          return { roots: state.roots };
        }),
    });
    return Object.assign(state, { client, asked: () => asked });
  }

  const uri = (name: string) => pathToFileURL(join(folder, name)).href;

  test('works in the first root of its client, which is asked once', async () => {
    await start({ rootRules: { ceiling: '' } });
    const { client, asked } = await rooted([uri('web'), uri('api')]);
    expect(folders).toEqual([undefined]);
    await Promise.all([
      client.listTools(),
      client.callTool({ name: 'echo', arguments: { text: 'x' } }),
      client.listResources(),
    ]);
    expect([folders, asked()]).toEqual([[undefined, join(folder, 'web')], 1]);
    expect(lab().connections.map(({ closings }) => closings)).toEqual([1, 0]);
    await client.close();
  });

  test('works in the first root that can be used, and says which cannot', async () => {
    await start({ rootRules: { ceiling: '' } });
    const logged: unknown[] = [];
    const { client } = await rooted(['https://example.com/web', uri('missing'), uri('web'), uri('api')]);
    client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
    await client.listTools();
    expect(folders).toEqual([undefined, join(folder, 'web')]);
    await vi.waitFor(() =>
      expect(logged).toMatchObject([
        {
          level: 'warning',
          logger: 'deskterity.roots',
          data: {
            unusable: [
              '"https://example.com/web" is no path of this machine',
              `"${uri('missing')}" is no folder`,
            ],
            used: uri('web'),
          },
        },
      ]),
    );
    await client.close();
  });

  test('has no effect before the folder is known', async () => {
    await start({ rootRules: { ceiling: '' } });
    const { client } = await rooted([uri('web')]);
    const held = client.callTool({ name: 'hold' }).catch(() => undefined);
    await vi.waitFor(() => expect(lab().connections[1]?.held).toBe(1));
    expect(lab().connections[0]?.held).toBe(0);
    lab().connections[1]?.release();
    await held;
  });

  test('ends with 403 when the roots change after that, whatever they become', async () => {
    await start({ rootRules: { ceiling: '' } });
    const state = await rooted([uri('web')]);
    // Not decided yet: this changes nothing.
    state.roots = [{ uri: uri('api') }];
    await state.client.sendRootsListChanged();
    await state.client.listTools();
    expect(folders).toEqual([undefined, join(folder, 'api')]);
    await expect(state.client.sendRootsListChanged()).rejects.toMatchObject({ data: { status: 403 } });
    await expect(state.client.listTools()).rejects.toMatchObject({ data: { status: 404 } });
    await vi.waitFor(() => expect(lab().connections.map(({ closings }) => closings)).toEqual([1, 1]));
  });

  test('stays in the folder of the server if there is no root that may be used', async () => {
    await start({ rootRules: { ceiling: join(folder, 'web') } });
    await symlink(join(folder, 'api'), join(folder, 'web/link'));
    for (const roots of [
      [],
      [uri('api')],
      [uri('web/link')],
      [uri('web/../api')],
      [uri('missing')],
      ['https://example.com/web'],
      ['file://other.example/web'],
      ['nonsense'],
    ]) {
      const { client } = await rooted(roots);
      expect((await client.listTools()).tools).toHaveLength(3);
    }
    expect(new Set(folders)).toEqual(new Set([undefined]));
    await (await rooted([uri('web/inner')])).client.listTools();
    expect(folders.at(-1)).toBe(join(folder, 'web/inner'));
  });

  test('does not wait for long for a client that names no roots', async () => {
    await start({ rootRules: { ceiling: '', answerMs: 50 } });
    const { client } = await lab().client('legacy', {
      client: { capabilities: { roots: {} } },
      beforeConnect: (before) => before.setRequestHandler('roots/list', () => new Promise(() => undefined)),
    });
    expect((await client.listTools()).tools).toHaveLength(3);
    const without = await lab().client('legacy');
    expect((await without.client.listTools()).tools).toHaveLength(3);
    expect(folders).toEqual([undefined, undefined]);
  });

  test('is that of the endpoint where that has one', async () => {
    await start({ rootRules: { ceiling: '' }, folders: served() });
    const { client, asked } = await rooted([uri('web')], '/@api');
    await client.listTools();
    expect([folders, asked()]).toEqual([[join(folder, 'api')], 0]);
    await client.sendRootsListChanged();
    await client.listTools();
  });

  test('a request that is cancelled decides nothing', async () => {
    await start({ rootRules: { ceiling: '' } });
    let answer: (() => void) | undefined;
    let asked = 0;
    const { client } = await lab().client('legacy', {
      client: { capabilities: { roots: {} } },
      beforeConnect: (before) =>
        before.setRequestHandler('roots/list', async () => {
          asked += 1;
          if (asked === 1)
            await new Promise<void>((resolve) => {
              answer = resolve;
            });
          return { roots: [{ uri: uri('web') }] };
        }),
    });
    const cancel = new AbortController();
    const first = client.listTools(undefined, { signal: cancel.signal }).catch(() => undefined);
    await vi.waitFor(() => expect(answer).toBeDefined());
    cancel.abort();
    await first;
    expect((await client.listTools()).tools).toHaveLength(3);
    expect(folders.at(-1)).toBe(join(folder, 'web'));
    answer?.();
  });
});

test('without it, roots concern nobody', async () => {
  await start();
  const { client } = await lab().client('legacy', {
    client: { capabilities: { roots: { listChanged: true } } },
    beforeConnect: (before) => before.setRequestHandler('roots/list', async () => ({ roots: [] })),
  });
  await client.listTools();
  await client.sendRootsListChanged();
  expect((await client.listTools()).tools).toHaveLength(3);
});
