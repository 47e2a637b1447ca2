import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { beginSignIn } from '../../src/upstream/sign-in/sign-in.ts';
import { allow } from './support/authorization-server.ts';
import type { AuthorizationOptions } from './support/authorization-server.ts';
import { useSignIn } from './support/sign-in-scene.ts';
import { failureOf, never, plainCall, soon } from './support/stage.ts';

const scene = useSignIn();

it('signs in with PKCE, registers itself, and calls with the token', async () => {
  await scene.begin();
  const shown: [string, boolean][] = [];
  const done = scene.stage.port.signIn('web', {
    signal: never,
    opensBrowser: true,
    onAddress: (...address) => void shown.push(address),
  });
  await soon(() => expect(shown).toHaveLength(1));
  const [address = ''] = shown[0] ?? [];
  expect(scene.stage.opened).toEqual([address]);
  const query = new URL(address).searchParams;
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(query.get('resource')).toBe(`${scene.authority.url}/mcp`);
  const page = await allow(address);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
  await expect(done).resolves.toMatchObject({ issuer: scene.authority.url });
  expect((await scene.stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
  const file = join(scene.stage.folder, 'state/mcp-credentials.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    entries: [
      {
        issuer: scene.authority.url,
        resource: `${scene.authority.url}/mcp`,
        tokens: { token_type: 'Bearer' },
      },
    ],
  });
});

it('tells a call that needs somebody to sign in how, and works once that has been done', async () => {
  await scene.begin();
  const error = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(error).toMatchObject({
    code: 'UNAUTHORIZED',
    message: 'The MCP server web demands that somebody signs in.',
  });
  const address = /http:\/\/\S+/.exec(error.suggestion)?.[0] ?? '';
  expect(error.suggestion).toContain('desk tools login web');
  expect((await scene.stage.port.list('', never)).servers).toMatchObject([{ state: 'signed_out' }]);
  expect((await allow(address)).status).toBe(200);
  await soon(async () =>
    expect((await scene.stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}'),
  );
});

it('ignores callbacks with another state, from another host, or to another place', async () => {
  await scene.begin();
  let address = '';
  const done = scene.stage.port.signIn('web', {
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
  expect(scene.stage.opened).toEqual([]);
  await allow(address);
  await expect(done).resolves.toMatchObject({ issuer: scene.authority.url });
});

it.each([
  ['an issuer that is not the address', { issuer: 'https://elsewhere.example' }],
  ['a page that is not for browsers', { page: 'file:///etc/passwd' }],
  ['a page elsewhere without encryption', { page: 'http://elsewhere.example/authorize' }],
])('refuses an authorization server with %s', async (_, options) => {
  await scene.begin(options);
  expect(await failureOf(scene.signIn())).toMatchObject({
    code: 'UNAUTHORIZED',
    message: expect.stringContaining('failed'),
  });
  expect(scene.stage.opened).toEqual([]);
});

it('refuses a code from another authorization server', async () => {
  await scene.begin({ callbackIssuer: 'https://elsewhere.example' });
  expect(await failureOf(scene.signIn())).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(scene.authority.asked).not.toContain('authorization_code');
});

it('uses a configured client, under the names of S1, too', async () => {
  await scene.begin({}, { atlassian_client_id: 'known', scopes: ['read', 'write'] });
  await scene.signIn();
  expect(scene.authority.registered).toEqual([]);
});

it('refreshes a refused token once, however many calls need it', async () => {
  await scene.begin();
  await scene.signIn();
  await scene.stage.port.call('web__pid', {}, plainCall);
  scene.authority.valid.clear();
  const calls = Array.from({ length: 5 }, () => scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  for (const { output } of await Promise.all(calls)) expect(output).toBe('{"text":"a"}');
  expect(scene.authority.asked.filter((asked) => asked === 'refresh_token')).toHaveLength(1);
});

it('refreshes a token once, if two processes need it at the same time', async () => {
  await scene.begin({ tokenDelayMs: 300 });
  await scene.signIn();
  scene.authority.valid.clear();
  const place = join(scene.stage.folder, 'caller.ts');
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
  const bundle = join(scene.stage.folder, 'caller.mjs');
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
      join(scene.stage.folder, 'state/mcp-credentials.json'),
      `${scene.authority.url}/mcp`,
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
  expect(scene.authority.asked.filter((asked) => asked === 'refresh_token')).toHaveLength(1);
});

it('demands to sign in again when a refresh token is no longer accepted, and forgets it', async () => {
  await scene.begin();
  await scene.signIn();
  scene.authority.valid.clear();
  const file = join(scene.stage.folder, 'state/mcp-credentials.json');
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(/"refresh_token": "[0-9a-f]+"/, '"refresh_token": "stolen"'),
  );
  expect(await failureOf(scene.stage.port.call('web__pid', {}, plainCall))).toMatchObject({
    code: 'UNAUTHORIZED',
  });
  expect(await readFile(file, 'utf8')).not.toContain('stolen');
});

it('signs out: forgets the tokens and revokes them', async () => {
  await scene.begin();
  await scene.signIn();
  await expect(scene.stage.port.signOut('web')).resolves.toBe(true);
  expect(scene.authority.asked).toContain('revoke');
  expect(await readFile(join(scene.stage.folder, 'state/mcp-credentials.json'), 'utf8')).not.toContain(
    'access_token',
  );
  await expect(scene.stage.port.signOut('web')).resolves.toBe(false);
});

it('withholds tokens that the server repeats', async () => {
  await scene.begin({ repeats: true });
  await scene.signIn();
  const { output } = await scene.stage.port.call('web__echo', { text: 'a' }, plainCall);
  expect(output).toContain('[withheld] and [withheld]');
});

it('refuses a token that no header may contain, and does not quote it', async () => {
  await scene.begin({ tokenEnd: '\r\nX-Injected: 1' });
  const error = await failureOf(scene.signIn());
  expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(error.message).toContain('RFC 6750');
  expect(error.message).not.toContain('Injected');
  const later = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(later).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(later.message).not.toMatch(/Bearer|Injected/);
});

/** Opens the page of a call that needs it. @returns what the page says at the end */
async function openPage(): Promise<{ readonly status: number; readonly text: string }> {
  const error = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
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
  await scene.begin(options);
  const page = await openPage();
  expect(page).toMatchObject({ status: 400, text: expect.stringMatching(/^Signing in failed: /) });
  expect(page.text).toMatch(reason);
  expect(page.text).not.toContain('<p>');
  const next = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(next.message).toContain('The last attempt failed: ');
  expect(next.message).toMatch(reason);
});

it('signs in at either of two addresses that wait at the same time', async () => {
  await scene.begin();
  const target = {
    kind: 'http',
    url: `${scene.authority.url}/mcp`,
    headers: {},
    timeoutMs: 1000,
    secrets: [],
  } as const;
  const request = { store: scene.stage.of.credentials, target, challenge: undefined, timeoutMs: 10_000 };
  const first = await beginSignIn(request);
  const second = await beginSignIn(request);
  const page = await allow(first.address);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
  expect(scene.authority.asked).toContain('authorization_code');
  await first.finished;
  const ended = second.finished.catch((error: unknown) => String(error));
  second.cancel();
  expect(await ended).toContain('nobody signed in');
});

it('tells that a token cannot be refreshed now, and that nothing was done', async () => {
  const options: { tokenAnswer?: AuthorizationOptions['tokenAnswer'] } = {};
  await scene.begin(options);
  await scene.signIn();
  await scene.stage.port.call('web__pid', {}, plainCall);
  scene.authority.valid.clear();
  options.tokenAnswer = { status: 500, body: '<p>Oops' };
  const error = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(error).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
    message:
      'The MCP server web could not be asked for web__echo: its token could not be refreshed: the authorization server answered the request for a token with HTTP 500.',
  });
  expect(error.toBody()).toMatchObject({ delivered: false });
  delete options.tokenAnswer;
  expect((await scene.stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
});

it('knows that a call whose token is refreshed too slowly did nothing', async () => {
  const options: { tokenDelayMs?: number } = {};
  await scene.begin(options);
  await scene.signIn();
  await scene.stage.port.call('web__pid', {}, plainCall);
  scene.authority.valid.clear();
  options.tokenDelayMs = 800;
  const error = await failureOf(
    scene.stage.port.call('web__echo', { text: 'a' }, { ...plainCall, timeoutMs: 200 }),
  );
  expect(error).toMatchObject({ code: 'SERVER_UNAVAILABLE' });
  expect(error.toBody()).toMatchObject({ delivered: false });
  expect(error.suggestion).toContain('Nothing was done');
});
