import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { McpTool, RequestChannel } from '../../../../../src/surfaces/mcp/connections/connection.ts';
import type { HttpParts } from '../../../../../src/surfaces/mcp/http/serve-http.ts';
import { FakeConnection, initialize, JSON_HEADERS, raw, useHttpLab, type RawAnswer } from '../support.ts';
import { TestIssuer } from './test-issuer.ts';

const lab = useHttpLab();
let issuer: TestIssuer;

beforeEach(async () => {
  issuer = new TestIssuer();
  await issuer.start();
});
afterEach(() => issuer.close());

const channels: RequestChannel[] = [];

function tool(name: string, scope: McpTool['scope'], beyondReading?: string): McpTool {
  return {
    definition: { name, inputSchema: { type: 'object' } },
    ...(scope === undefined ? {} : { scope }),
    beyondReading,
    call: async (_, channel) => {
      channels.push(channel);
      return { content: [{ type: 'text', text: `${name} done` }] };
    },
  };
}

class ScopedConnection extends FakeConnection {
  override readonly tools = [
    tool('look', 'read', 'file'),
    { ...tool('press', 'act'), aliases: ['old_press'] },
    tool('configure', 'admin'),
    tool('unknown_kind', undefined),
  ];
}

async function start(scopes: readonly string[] = [], parts: Partial<HttpParts> = {}): Promise<void> {
  channels.length = 0;
  await lab().start({
    oauth: { issuer: issuer.url, audience: undefined, scopes },
    open: async ({ kind, toolsets, owner }) => {
      const connection = new ScopedConnection(toolsets);
      lab().connections.push(connection);
      lab().opened.push(kind);
      lab().owners.push(owner);
      return connection;
    },
    ...parts,
  });
  issuer.audience = lab().url;
}

async function bearer(scope: string, claims: Record<string, string> = {}): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await issuer.token(scope, { claims })}` };
}

async function client(era: 'legacy' | 'modern', scope: string, claims: Record<string, string> = {}) {
  return lab().client(era, { requestInit: { headers: await bearer(scope, claims) } });
}

function post(body: object | string, headers: Record<string, string>): Promise<RawAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return raw(lab().url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: text });
}

async function begin(headers: Record<string, string>): Promise<string> {
  const answer = await post(initialize(), headers);
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`no session id: ${answer.status} ${answer.text}`);
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...headers, 'mcp-session-id': id });
  return id;
}

const call = (name: string, id = 2, args: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  test.each([
    ['read', ['look']],
    ['act', ['look', 'press']],
    ['read act other', ['look', 'press']],
    ['admin', ['look', 'press', 'configure', 'unknown_kind']],
  ])('with the scope %s is listed what it permits', async (scope, names) => {
    await start();
    const { tools } = await (await client(era, scope)).client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  test('calls what its token permits, and nothing that is told to a tool contains the token', async () => {
    await start();
    const headers = await bearer('act');
    const { client: acting } = await lab().client(era, { requestInit: { headers } });
    expect((await acting.callTool({ name: 'press' })).content).toEqual([
      { type: 'text', text: 'press done' },
    ]);
    const [channel] = channels;
    expect([channel?.may('act'), channel?.may('admin')]).toEqual([true, false]);
    const { http } = channel?.context ?? {};
    const told = JSON.stringify([http?.authInfo, [...(http?.req?.headers ?? [])]]);
    expect(told).toContain('agent');
    expect(told).not.toContain(String(headers['authorization']).slice(-20));
    expect(told.toLowerCase()).not.toContain('authorization');
  });

  test('is asked for the scope that a tool needs, and gets along with it', async () => {
    await start();
    let token = await issuer.token('read');
    const challenges: (string | null)[] = [];
    const fetching: typeof fetch = async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(url, { ...init, headers });
      if (response.status === 403) challenges.push(response.headers.get('www-authenticate'));
      return response;
    };
    const { client: stepping } = await lab().client(era, { fetch: fetching });
    await expect(stepping.callTool({ name: 'press' })).rejects.toThrow(/403|scope/);
    expect(challenges).toEqual([
      expect.stringMatching(
        /^Bearer realm="deskterity", error="insufficient_scope", error_description="[^"]+", scope="act", resource_metadata="http:[^"]+"$/,
      ),
    ]);
    expect(channels).toEqual([]);
    token = await issuer.token('act');
    expect((await stepping.callTool({ name: 'press' })).isError).toBeUndefined();
    expect((await stepping.listTools()).tools.map(({ name }) => name)).toEqual(['look', 'press']);
    // On the same connection: what the client has learned so far is still true.
    expect(lab().connections).toHaveLength(1);
    token = await issuer.token('read');
    await expect(stepping.callTool({ name: 'press' })).rejects.toThrow(/403|scope/);
  });
});

test('a client with a session is told that another token permits other tools', async () => {
  await start();
  let token = await issuer.token('read');
  const heard = vi.fn<() => void>();
  const fetching: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  };
  const { client: listening } = await lab().client('legacy', { fetch: fetching });
  listening.setNotificationHandler('notifications/tools/list_changed', heard);
  await listening.listTools();
  token = await issuer.token('read other');
  await listening.listTools();
  expect(heard).not.toHaveBeenCalled();
  token = await issuer.token('admin');
  await listening.ping();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
});

test.each([
  ['an alias', call('old_press'), 'act'],
  ['a parameter that does more than reading', call('look', 2, { file: 'x' }), 'act'],
  ['a tool of an unknown kind', call('unknown_kind'), 'admin'],
  ['the strictest call of a batch', [PING, call('look', 3), call('press', 4), call('configure', 5)], 'admin'],
])('%s needs its scope', async (_, body, scope) => {
  await start();
  const headers = await bearer('read');
  const answer = await post(body, { ...headers, 'mcp-session-id': await begin(headers) });
  expect(answer.status).toBe(403);
  expect(answer.headers['www-authenticate']).toContain(`scope="${scope}"`);
  expect(channels).toEqual([]);
});

test('a tool that does not exist is not asked for', async () => {
  await start();
  const headers = await bearer('read');
  const answer = await post(call('nonsense'), { ...headers, 'mcp-session-id': await begin(headers) });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('nonsense')]);
  expect(answer.text).not.toContain('press');
});

test('required scopes of the authorization server’s own are required of each token', async () => {
  await start(['desk', 'read']);
  expect((await post(initialize(), {})).headers['www-authenticate']).toContain('scope="desk read"');
  const refused = await post(initialize(), await bearer('admin'));
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('error="insufficient_scope"'),
  ]);
  const headers = await bearer('desk read');
  const session = { ...headers, 'mcp-session-id': await begin(headers) };
  const stepUp = await post(call('press'), session);
  expect(stepUp.headers['www-authenticate']).toContain('scope="desk act"');
  expect((await post(initialize(), await bearer('desk'))).status).toBe(403);
});

describe('a session', () => {
  test.each([
    ['another user', { sub: 'eve' }],
    ['another client of the user', { client_id: 'other' }],
    ['a client whose name runs into the user’s', { sub: 'adaagent', client_id: '' }],
  ])('cannot be taken over by %s', async (_, claims) => {
    await start();
    const own = await bearer('admin');
    const id = await begin(own);
    const thief = { ...(await bearer('admin', claims)), 'mcp-session-id': id };
    const status = async (method: string) =>
      (
        await raw(lab().url, {
          method,
          headers: { ...JSON_HEADERS, ...thief },
          ...(method === 'POST' ? { body: JSON.stringify(PING) } : {}),
        })
      ).status;
    const expected = 'client_id' in claims && claims.client_id === '' ? 401 : 404;
    expect([await status('POST'), await status('GET'), await status('DELETE')]).toEqual([
      expected,
      expected,
      expected,
    ]);
    expect((await post(PING, { ...own, 'mcp-session-id': id })).status).toBe(200);
    expect(lab().connection.closings).toBe(0);
  });

  test('cannot be used without a token, or with one that has expired', async () => {
    await start();
    const id = await begin(await bearer('read'));
    expect((await post(PING, { 'mcp-session-id': id })).status).toBe(401);
    const old = await issuer.token('read', { claims: { exp: Math.floor(Date.now() / 1000) - 60 } });
    expect((await post(PING, { authorization: `Bearer ${old}`, 'mcp-session-id': id })).status).toBe(401);
  });

  test('goes on with a new token of the same owner', async () => {
    await start();
    const id = await begin(await bearer('read', { jti: 'one' }));
    expect(
      (await post(PING, { ...(await bearer('read', { jti: 'two' })), 'mcp-session-id': id })).status,
    ).toBe(200);
  });

  test('that its owner has ended is gone, and its id cannot be replayed', async () => {
    await start();
    const headers = await bearer('read');
    const session = { ...headers, 'mcp-session-id': await begin(headers) };
    const end = () => raw(lab().url, { method: 'DELETE', headers: session });
    expect((await end()).status).toBe(200);
    expect([
      (await end()).status,
      (await post(PING, session)).status,
      (await post(initialize(), session)).status,
    ]).toEqual([404, 404, 404]);
    expect(lab().connection.closings).toBe(1);
  });

  test('has streams that end with the token, and resumes with a new one', async () => {
    await start();
    const headers = await bearer('read');
    const id = await begin(headers);
    // Its end is between one and two seconds from now, with the difference that clocks may have.
    const ending = await issuer.token('read', { claims: { exp: Math.floor(Date.now() / 1000) - 28 } });
    const stream = await fetch(lab().url, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${ending}`, 'mcp-session-id': id },
    });
    expect(stream.status).toBe(200);
    await expect(stream.text()).rejects.toThrow('terminated');
    const again = await fetch(lab().url, {
      headers: { accept: 'text/event-stream', ...headers, 'mcp-session-id': id },
    });
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });
});

test('requests without sessions share a connection only with those of the same owner', async () => {
  await start();
  await client('modern', 'read');
  await client('modern', 'act');
  expect(lab().connections).toHaveLength(1);
  await client('modern', 'read', { sub: 'eve' });
  await client('modern', 'read', { client_id: 'other' });
  expect(new Set(lab().owners).size).toBe(3);
  expect(lab().connections).toHaveLength(3);
});

test('one owner leaves room for others', async () => {
  await start([], { limits: { sessions: 8, principals: 8 } });
  const [ada, eve] = [await bearer('read'), await bearer('read', { sub: 'eve' })];
  const sessions = [await begin(eve), await begin(ada), await begin(ada), await begin(ada)];
  const status = async (headers: Record<string, string>, id?: string) =>
    (await post(PING, { ...headers, 'mcp-session-id': String(id) })).status;
  // The third ended the first of the same owner.
  expect([
    await status(eve, sessions[0]),
    await status(ada, sessions[1]),
    await status(ada, sessions[2]),
    await status(ada, sessions[3]),
  ]).toEqual([200, 404, 200, 200]);
  for (const [path, headers] of [
    ['', eve],
    ['', ada],
    ['/core', ada],
    ['/inspect', ada],
  ] as const)
    await lab().client('modern', { url: `${lab().url}${path}`, requestInit: { headers } });
  expect(
    lab()
      .connections.slice(-4)
      .map(({ closings }) => closings),
  ).toEqual([0, 1, 0, 0]);
});

describe('the metadata', () => {
  const Metadata = z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  });
  const at = (path: string, more: object = {}) => raw(new URL(path, lab().url).href, more);

  test.each(['', '/', '/mcp', '/mcp/core'])('of the path %j is public', async (path) => {
    await start(['desk']);
    const answer = await at(`/.well-known/oauth-protected-resource${path}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(Metadata.parse(JSON.parse(answer.text))).toEqual({
      resource: lab().url,
      authorization_servers: [issuer.url],
      scopes_supported: ['desk', 'read', 'act', 'admin'],
      bearer_methods_supported: ['header'],
    });
  });

  test('does not exist for other paths and methods, other names, or without an authorization server', async () => {
    await start();
    const path = '/.well-known/oauth-protected-resource';
    expect((await at(`${path}/other`)).status).toBe(404);
    expect((await at(`${path}/mcpx`)).status).toBe(404);
    expect((await at(path, { method: 'POST' })).status).toBe(405);
    expect((await at(path, { headers: { host: 'attacker.example' } })).status).toBe(403);
    const plain = await lab().start();
    expect((await raw(new URL(path, plain.url).href)).status).toBe(404);
  });

  test('and challenges name the URL that clients know', async () => {
    const audience = 'https://desk.example.com/tools/mcp';
    await start([], { oauth: { issuer: issuer.url, audience, scopes: [] } });
    issuer.audience = audience;
    const host = { host: 'desk.example.com' };
    const refused = await post(initialize(), host);
    expect(refused.headers['www-authenticate']).toContain(
      'resource_metadata="https://desk.example.com/.well-known/oauth-protected-resource/tools/mcp"',
    );
    expect((await at('/.well-known/oauth-protected-resource/tools/mcp', { headers: host })).text).toContain(
      audience,
    );
    expect((await post(initialize(), { ...host, ...(await bearer('read')) })).status).toBe(200);
  });
});

test('a page under a name of its own is refused even with a token (DNS rebinding)', async () => {
  await start();
  const headers = await bearer('admin');
  for (const [name, value] of [
    ['host', 'attacker.example'],
    ['origin', 'http://attacker.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const)
    expect((await post(initialize(), { ...headers, [name]: value })).status).toBe(403);
  expect(lab().connections).toEqual([]);
});

test('no token and no part of one is in an error', async () => {
  await start();
  issuer.isDown = true;
  const token = await issuer.token('read');
  await post(initialize(), { authorization: `Bearer ${token}` });
  await post(initialize(), { authorization: `Bearer ${token.slice(0, -3)}` });
  await vi.waitFor(() => expect(lab().errors.length).toBeGreaterThan(0));
  const told = lab()
    .errors.map((error) => `${error.stack} ${String(error.cause)}`)
    .join('\n');
  for (const part of token.split('.')) expect(told).not.toContain(part);
});

describe('refuses to start', () => {
  const settings = { issuer: 'https://login.example', audience: undefined, scopes: [] };

  test.each([
    ['a token as well', { token: 'secret' }],
    ['the transport of 2024', { isSseServed: true }],
    ['an address that others reach, without its URL', { bind: '0.0.0.0' }],
  ])('with %s', async (_, parts) => {
    await expect(lab().start({ oauth: settings, ...parts })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      suggestion: expect.stringMatching(/\.$/),
    });
  });
});

test('the official client finds the authorization server and asks it for what the server names', async () => {
  await start(['act']);
  issuer.metadata = {
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
  const opened: URL[] = [];
  const connecting = new Client({ name: 'test', version: '1' }).connect(
    new StreamableHTTPClientTransport(new URL(lab().url), {
      authProvider: {
        redirectUrl: 'http://127.0.0.1:1/callback',
        clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'], client_name: 'test' },
        clientInformation: () => ({ client_id: 'agent' }),
        tokens: () => undefined,
        saveTokens: () => undefined,
        saveCodeVerifier: () => undefined,
        codeVerifier: () => 'verifier',
        redirectToAuthorization: (url) => void opened.push(url),
      },
    }),
  );
  await expect(connecting).rejects.toThrow('Unauthorized');
  const [asked] = opened;
  expect(asked?.href.startsWith(`${issuer.url}/authorize?`)).toBe(true);
  expect([asked?.searchParams.get('resource'), asked?.searchParams.get('scope')]).toEqual([lab().url, 'act']);
});
