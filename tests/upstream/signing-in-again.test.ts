import { expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { createNodePlatform } from '../../src/platform/node/node-platform.ts';
import { UpstreamServer } from '../../src/upstream/connection/upstream-server.ts';
import { CredentialStore } from '../../src/upstream/sign-in/credential-store.ts';
import { SignInDemanded } from '../../src/upstream/sign-in/sign-in-demanded.ts';
import { beginSignIn } from '../../src/upstream/sign-in/sign-in.ts';
import { allow } from './support/authorization-server.ts';
import { useSignIn } from './support/sign-in-scene.ts';
import { failureOf, never, plainCall, soon } from './support/stage.ts';

const scene = useSignIn();

it('tells which rights a call lacks, and asks for them and those of before', async () => {
  await scene.begin({ callScope: 'write' });
  await scene.signIn();
  const forbidden = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  expect(forbidden).toMatchObject({
    code: 'UNAUTHORIZED',
    message:
      'The MCP server web demands more rights than were given when somebody signed in: the scopes "read write".',
    delivered: false,
  });
  // Another process, which has not seen the refusal, asks for the same.
  const asked = await beginSignIn({
    store: scene.stage.of.credentials,
    target: { kind: 'http', url: `${scene.authority.url}/mcp`, headers: {}, timeoutMs: 1000, secrets: [] },
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
    expect((await scene.stage.port.call('web__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}'),
  );
  expect(scene.authority.asked.filter((what) => what === 'forbidden')).toHaveLength(1);
});

it('replaces a sign-in that waits when a call needs more than it would give', async () => {
  await scene.begin({ callScope: 'write' });
  await scene.signIn();
  const shown: string[] = [];
  const waiting = scene.stage.port.signIn('web', {
    signal: never,
    opensBrowser: true,
    onAddress: (address) => void shown.push(address),
  });
  const ended = failureOf(waiting);
  await soon(() => expect(shown).toHaveLength(1));
  const { suggestion } = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
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
  await scene.begin({ callScope: 'write', unknownScope: 'write' });
  await scene.signIn();
  const { suggestion } = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  const page = await allow(/http:\/\/\S+/.exec(suggestion)?.[0] ?? '');
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining('invalid_scope') });
  await soon(async () =>
    expect(
      (await scene.stage.of.credentials.entry(`${scene.authority.url}/mcp`))?.needed_scope,
    ).toBeUndefined(),
  );
  await scene.signIn();
  expect((await scene.stage.port.list('web', never)).servers).toMatchObject([{ state: 'ready' }]);
});

it('does not take a failure for a lack of rights because another request lacked some', async () => {
  await scene.begin();
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
  await scene.begin();
  const { files, withFileLock: locked } = createNodePlatform();
  const store = new CredentialStore({ file: scene.stage.of.credentials.file, files, locked });
  const target = {
    kind: 'http',
    url: `${scene.authority.url}/mcp`,
    headers: {},
    timeoutMs: 1000,
    secrets: [],
  } as const;
  const attempt = async (): Promise<string | null> => {
    const pending = await beginSignIn({
      store,
      target,
      challenge: undefined,
      timeoutMs: 60_000,
    });
    pending.cancel();
    await expect(pending.finished).rejects.toThrow('nobody signed in');
    return new URL(pending.address).searchParams.get('client_id');
  };
  expect([await attempt(), await attempt(), await attempt()]).toEqual(['client-0', 'client-0', 'client-1']);
  // One that has signed in is not in doubt: its tokens are its own.
  await scene.signIn();
  const known = (await store.entry(target.url))?.client?.client_id;
  expect(await attempt()).toBe(known);
  expect((await store.entry(target.url))?.client?.client_id).toBe(known);
});

it('asks for the scopes of the entry, not for all that the server knows', async () => {
  await scene.begin({}, { scopes: ['read', 'write'] });
  const { suggestion } = await failureOf(scene.stage.port.call('web__echo', { text: 'a' }, plainCall));
  const address = /http:\/\/\S+/.exec(suggestion)?.[0] ?? '';
  expect(new URL(address).searchParams.get('scope')).toBe('read write');
});
