import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { createNodePlatform } from '../../src/platform/node/node-platform.ts';
import { UpstreamServer } from '../../src/upstream/connection/upstream-server.ts';
import { CredentialStore } from '../../src/upstream/sign-in/credential-store.ts';
import { SignInDemanded } from '../../src/upstream/sign-in/sign-in-demanded.ts';
import { beginSignIn } from '../../src/upstream/sign-in/sign-in.ts';
import { allow, openAuthorizationServer } from './support/authorization-server.ts';
import type { AuthorizationOptions, AuthorizationServer } from './support/authorization-server.ts';
import { failureOf, never, openStage, plainCall, soon, type Stage } from './support/stage.ts';

let stage: Stage;
let authority: AuthorizationServer;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.close();
  await authority.close();
});

async function begin(options: AuthorizationOptions = {}, entry: Record<string, unknown> = {}): Promise<void> {
  authority = await openAuthorizationServer(options);
  await stage.configure({ web: { type: 'http', url: `${authority.url}/mcp`, ...entry } });
}

async function signIn(): Promise<void> {
  await stage.port.signIn('web', {
    signal: never,
    opensBrowser: true,
    onAddress: (address) => void allow(address),
  });
}

it('signs in with PKCE, registers itself, and calls with the token', async () => {
  await begin();
  const shown: [string, boolean][] = [];
  const done = stage.port.signIn('web', {
    signal: never,
    opensBrowser: true,
    onAddress: (...address) => void shown.push(address),
  });
  await soon(() => expect(shown).toHaveLength(1));
  const [address = ''] = shown[0] ?? [];
  expect(stage.opened).toEqual([address]);
  const query = new URL(address).searchParams;
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(query.get('resource')).toBe(`${authority.url}/mcp`);
  const page = await allow(address);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
  await expect(done).resolves.toMatchObject({ issuer: authority.url });
  expect((await stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
  const file = join(stage.folder, 'state/mcp-credentials.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    entries: [{ issuer: authority.url, resource: `${authority.url}/mcp`, tokens: { token_type: 'Bearer' } }],
  });
});

it('tells a call that needs somebody to sign in how, and works once that has been done', async () => {
  await begin();
  const error = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(error).toMatchObject({
    code: 'UNAUTHORIZED',
    message: 'The MCP server web demands that somebody signs in.',
  });
  const address = /http:\/\/\S+/.exec(error.suggestion)?.[0] ?? '';
  expect(error.suggestion).toContain('desk tools login web');
  expect((await stage.port.list('', never)).servers).toMatchObject([{ state: 'signed_out' }]);
  expect((await allow(address)).status).toBe(200);
  await soon(async () =>
    expect((await stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}'),
  );
});

it('ignores callbacks with another state, from another host, or to another place', async () => {
  await begin();
  let address = '';
  const done = stage.port.signIn('web', {
    signal: never,
    opensBrowser: false,
    onAddress: (one) => void (address = one),
  });
  await soon(() => expect(address).not.toBe(''));
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? '';
  const state = new URL(address).searchParams.get('state') ?? '';
  for (const forged of [
    `${redirect}?code=a&state=wrong`,
    `${redirect}?code=a`,
    `${redirect.replace('/callback', '/')}?code=a&state=${state}`,
    `${redirect.replace('127.0.0.1', 'localhost')}?code=a&state=${state}`,
  ])
    expect((await fetch(forged)).status).toBe(404);
  expect(stage.opened).toEqual([]);
  await allow(address);
  await expect(done).resolves.toMatchObject({ issuer: authority.url });
});

it.each([
  ['an issuer that is not the address', { issuer: 'https://elsewhere.example' }],
  ['a page that is not for browsers', { page: 'file:///etc/passwd' }],
  ['a page elsewhere without encryption', { page: 'http://elsewhere.example/authorize' }],
])('refuses an authorization server with %s', async (_, options) => {
  await begin(options);
  expect(await failureOf(signIn())).toMatchObject({
    code: 'UNAUTHORIZED',
    message: expect.stringContaining('failed'),
  });
  expect(stage.opened).toEqual([]);
});

it('refuses a code from another authorization server', async () => {
  await begin({ callbackIssuer: 'https://elsewhere.example' });
  expect(await failureOf(signIn())).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(authority.asked).not.toContain('authorization_code');
});

it('uses a configured client, under the names of S1, too', async () => {
  await begin({}, { atlassian_client_id: 'known', scopes: ['read', 'write'] });
  await signIn();
  expect(authority.registered).toEqual([]);
});

it('tells which rights a call lacks, and asks for them and those of before', async () => {
  await begin({ callScope: 'write' });
  await signIn();
  const forbidden = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(forbidden).toMatchObject({
    code: 'UNAUTHORIZED',
    message:
      'The MCP server web demands more rights than were given when somebody signed in: the scopes "read write".',
    delivered: false,
  });
  // Another process, which has not seen the refusal, asks for the same.
  const asked = await beginSignIn({
    store: stage.of.credentials,
    target: { kind: 'http', url: `${authority.url}/mcp`, headers: {}, timeoutMs: 1000, secrets: [] },
    challenge: undefined,
    timeoutMs: 1000,
  });
  asked.finished.catch(() => undefined);
  asked.cancel();
  expect(new URL(asked.address).searchParams.get('scope')).toBe('read write');
  const address = /http:\/\/\S+/.exec(forbidden.suggestion)?.[0] ?? '';
  expect(new URL(address).searchParams.get('scope')).toBe('read write');
  expect((await allow(address)).status).toBe(200);
  await soon(async () =>
    expect((await stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}'),
  );
  expect(authority.asked.filter((what) => what === 'forbidden')).toHaveLength(1);
});

it('replaces a sign-in that waits when a call needs more than it would give', async () => {
  await begin({ callScope: 'write' });
  await signIn();
  const shown: string[] = [];
  const waiting = stage.port.signIn('web', {
    signal: never,
    opensBrowser: true,
    onAddress: (address) => void shown.push(address),
  });
  const ended = failureOf(waiting);
  await soon(() => expect(shown).toHaveLength(1));
  const { suggestion } = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  const address = /http:\/\/\S+/.exec(suggestion)?.[0] ?? '';
  expect(address).not.toBe(shown[0]);
  expect(new URL(address).searchParams.get('scope')).toBe('read write');
  expect(await ended).toMatchObject({
    code: 'UNAUTHORIZED',
    message: expect.stringContaining('nobody signed in'),
  });
  expect((await allow(address)).status).toBe(200);
});

it('does not ask for ever for what the authorization server does not know', async () => {
  await begin({ callScope: 'write', unknownScope: 'write' });
  await signIn();
  const { suggestion } = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  const page = await allow(/http:\/\/\S+/.exec(suggestion)?.[0] ?? '');
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining('invalid_scope') });
  await soon(async () =>
    expect((await stage.of.credentials.entry(`${authority.url}/mcp`))?.needed_scope).toBeUndefined(),
  );
  await signIn();
  expect((await stage.port.list('web', never)).servers).toMatchObject([{ state: 'ready' }]);
});

it('does not take a failure for a lack of rights because another request lacked some', async () => {
  await begin();
  const facts = { name: 'web__a', ownName: 'a', description: '', inputSchema: { type: 'object' } };
  const failsWith = async (error: Error): Promise<DeskterityError> => {
    const server = new UpstreamServer({
      name: 'web',
      target: { kind: 'http', url: 'https://mcp.example/', headers: {}, timeoutMs: 1000, secrets: [] },
      clock: createNodePlatform().clock,
      log: { write: () => undefined },
      open: async () => ({
        listTools: async () => ({ tools: [facts], others: 0, unreadable: 0 }),
        call: async () => {
          throw error;
        },
        ended: new Promise(() => undefined),
        pid: undefined,
        close: async () => undefined,
      }),
      tokens: () => [],
      // Of the other request.
      signInNeeded: () => ({
        failure: async () =>
          new DeskterityError('UNAUTHORIZED', 'Sign in.', { suggestion: 'Do.', delivered: false }),
      }),
    });
    return failureOf(server.call(facts, {}, { signal: never, timeoutMs: 1000 }));
  };
  expect(await failsWith(new Error('the line is cut'))).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
    delivered: true,
  });
  expect(await failsWith(new Error('sending failed', { cause: new SignInDemanded() }))).toMatchObject({
    code: 'UNAUTHORIZED',
  });
});

it('registers anew after nobody could sign in as the client of before', async () => {
  await begin();
  const { files, withFileLock: locked } = createNodePlatform();
  const store = new CredentialStore({ file: stage.of.credentials.file, files, locked });
  const target = {
    kind: 'http',
    url: `${authority.url}/mcp`,
    headers: {},
    timeoutMs: 1000,
    secrets: [],
  } as const;
  const attempt = async (): Promise<string | null> => {
    const { address, cancel, finished } = await beginSignIn({
      store,
      target,
      challenge: undefined,
      timeoutMs: 60_000,
    });
    cancel();
    await expect(finished).rejects.toThrow('nobody signed in');
    return new URL(address).searchParams.get('client_id');
  };
  expect([await attempt(), await attempt(), await attempt()]).toEqual(['client-0', 'client-0', 'client-1']);
  // One that has signed in is not in doubt: its tokens are its own.
  await signIn();
  const known = (await store.entry(target.url))?.client?.client_id;
  expect(await attempt()).toBe(known);
  expect((await store.entry(target.url))?.client?.client_id).toBe(known);
});

it('asks for the scopes of the entry, not for all that the server knows', async () => {
  await begin({}, { scopes: ['read', 'write'] });
  const { suggestion } = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  const address = /http:\/\/\S+/.exec(suggestion)?.[0] ?? '';
  expect(new URL(address).searchParams.get('scope')).toBe('read write');
});

it('refreshes a refused token once, however many calls need it', async () => {
  await begin();
  await signIn();
  await stage.port.call('web__pid', {}, plainCall);
  authority.valid.clear();
  const calls = Array.from({ length: 5 }, () => stage.port.call('web__echo', { text: 'a' }, plainCall));
  for (const { output } of await Promise.all(calls)) expect(output).toBe('{"text":"a"}');
  expect(authority.asked.filter((asked) => asked === 'refresh_token')).toHaveLength(1);
});

it('refreshes a token once, if two processes need it at the same time', async () => {
  await begin({ tokenDelayMs: 300 });
  await signIn();
  authority.valid.clear();
  const place = join(stage.folder, 'caller.ts');
  await writeFile(
    place,
    `import { createNodePlatform } from ${JSON.stringify(join(import.meta.dirname, '../../src/platform/node/node-platform.ts'))};
     import { CredentialStore } from ${JSON.stringify(join(import.meta.dirname, '../../src/upstream/sign-in/credential-store.ts'))};
     import { SignedIn } from ${JSON.stringify(join(import.meta.dirname, '../../src/upstream/sign-in/signed-in.ts'))};
     const { files, clock, withFileLock: locked } = createNodePlatform();
     const store = new CredentialStore({ file: process.argv[2], files, locked });
     const target = { kind: 'http', url: process.argv[3], headers: {}, timeoutMs: 1000, secrets: [] };
     const signedIn = new SignedIn({ store, target, clock, locked });
     await signedIn.token();
     process.stdout.write('ready\\n');
     for await (const _ of process.stdin) break;
     await signedIn.onUnauthorized({ response: new Response('', { status: 401 }) });
     process.stdout.write(await signedIn.token());
     process.exit(0);`,
  );
  const bundle = join(stage.folder, 'caller.mjs');
  await build({
    entryPoints: [place],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const start = async (): Promise<() => Promise<string>> => {
    const child = spawn(process.execPath, [
      bundle,
      join(stage.folder, 'state/mcp-credentials.json'),
      `${authority.url}/mcp`,
    ]);
    const said = text(child.stdout);
    await new Promise((resolve) => void child.stdout.once('data', resolve));
    return () => {
      child.stdin.end('go\n');
      return said;
    };
  };
  const both = await Promise.all([start(), start()]);
  const [first, second] = await Promise.all(both.map((go) => go()));
  expect(first).toMatch(/^ready\n[0-9a-f]{24}$/);
  expect(second).toBe(first);
  expect(authority.asked.filter((asked) => asked === 'refresh_token')).toHaveLength(1);
});

it('demands to sign in again when a refresh token is no longer accepted, and forgets it', async () => {
  await begin();
  await signIn();
  authority.valid.clear();
  const file = join(stage.folder, 'state/mcp-credentials.json');
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(/"refresh_token": "[0-9a-f]+"/, '"refresh_token": "stolen"'),
  );
  expect(await failureOf(stage.port.call('web__pid', {}, plainCall))).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(await readFile(file, 'utf8')).not.toContain('stolen');
});

it('signs out: forgets the tokens and revokes them', async () => {
  await begin();
  await signIn();
  await expect(stage.port.signOut('web')).resolves.toBe(true);
  expect(authority.asked).toContain('revoke');
  expect(await readFile(join(stage.folder, 'state/mcp-credentials.json'), 'utf8')).not.toContain(
    'access_token',
  );
  await expect(stage.port.signOut('web')).resolves.toBe(false);
});

it('withholds tokens that the server repeats', async () => {
  await begin({ repeats: true });
  await signIn();
  const { output } = await stage.port.call('web__echo', { text: 'a' }, plainCall);
  expect(output).toContain('[withheld] and [withheld]');
});

it('refuses a token that no header may contain, and does not quote it', async () => {
  await begin({ tokenEnd: '\r\nX-Injected: 1' });
  const error = await failureOf(signIn());
  expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(error.message).toContain('RFC 6750');
  expect(error.message).not.toContain('Injected');
  const later = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(later).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(later.message).not.toMatch(/Bearer|Injected/);
});

/** Opens the page of a call that needs it. @returns what the page says at the end */
async function openPage(): Promise<{ readonly status: number; readonly text: string }> {
  const error = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  return allow(/http:\/\/\S+/.exec(error.suggestion)?.[0] ?? '');
}

it.each<[string, AuthorizationOptions, RegExp]>([
  ['a wrong issuer', { callbackIssuer: 'https://elsewhere.example' }, /Issuer mismatch/],
  ['no issuer', { hidesIssuer: true }, /Issuer mismatch/],
  ['a failing token endpoint', { tokenAnswer: { status: 500, body: '<p>Oops' } }, /HTTP 500/],
  ['a page instead of a token', { tokenAnswer: { status: 200, body: '<p>Hello' } }, /without a token/],
  [
    'a redirect',
    { tokenAnswer: { status: 307, body: '', location: 'https://elsewhere.example/' } },
    /redirected/,
  ],
])('says on the page and in the next call that signing in failed: %s', async (_, options, reason) => {
  await begin(options);
  const page = await openPage();
  expect(page).toMatchObject({ status: 400, text: expect.stringMatching(/^Signing in failed: /) });
  expect(page.text).toMatch(reason);
  expect(page.text).not.toContain('<p>');
  const next = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(next.message).toContain('The last attempt failed: ');
  expect(next.message).toMatch(reason);
});

it('signs in at either of two addresses that wait at the same time', async () => {
  await begin();
  const target = {
    kind: 'http',
    url: `${authority.url}/mcp`,
    headers: {},
    timeoutMs: 1000,
    secrets: [],
  } as const;
  const request = { store: stage.of.credentials, target, challenge: undefined, timeoutMs: 10_000 };
  const first = await beginSignIn(request);
  const second = await beginSignIn(request);
  const page = await allow(first.address);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
  expect(authority.asked).toContain('authorization_code');
  await first.finished;
  const ended = second.finished.catch((error: unknown) => String(error));
  second.cancel();
  expect(await ended).toContain('nobody signed in');
});

it('tells that a token cannot be refreshed now, and that nothing was done', async () => {
  const options: { tokenAnswer?: AuthorizationOptions['tokenAnswer'] } = {};
  await begin(options);
  await signIn();
  await stage.port.call('web__pid', {}, plainCall);
  authority.valid.clear();
  options.tokenAnswer = { status: 500, body: '<p>Oops' };
  const error = await failureOf(stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(error).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
    message:
      'The MCP server web could not be asked for web__echo: its token could not be refreshed: the authorization server answered the request for a token with HTTP 500.',
  });
  expect(error.toBody()).toMatchObject({ delivered: false });
  delete options.tokenAnswer;
  expect((await stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
});

it('knows that a call whose token is refreshed too slowly did nothing', async () => {
  const options: { tokenDelayMs?: number } = {};
  await begin(options);
  await signIn();
  await stage.port.call('web__pid', {}, plainCall);
  authority.valid.clear();
  options.tokenDelayMs = 800;
  const error = await failureOf(
    stage.port.call('web__echo', { text: 'a' }, { ...plainCall, timeoutMs: 200 }),
  );
  expect(error).toMatchObject({ code: 'SERVER_UNAVAILABLE' });
  expect(error.toBody()).toMatchObject({ delivered: false });
  expect(error.suggestion).toContain('Nothing was done');
});
