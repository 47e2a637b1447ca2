import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialize, JSON_HEADERS, raw, useHttpLab } from '../support.ts';
import { newSigner, TestIssuer, type TokenChanges } from './test-issuer.ts';

const lab = useHttpLab();
let issuer: TestIssuer;

beforeEach(async () => {
  issuer = new TestIssuer();
  await issuer.start();
});
afterEach(() => issuer.close());

async function start(): Promise<void> {
  await lab().start({ oauth: { issuer: issuer.url, audience: undefined, scopes: [] } });
  issuer.audience = lab().url;
}

function send(token: string | undefined, more: Record<string, string> = {}) {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  return raw(lab().url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...authorization, ...more },
    body: initialize(),
  });
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

test('a valid token is accepted, and its owner is told to the connection', async () => {
  await start();
  expect((await send(await issuer.token('read'))).status).toBe(200);
  expect(lab().owners).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('without a token the client is led to the metadata, and nothing is opened', async () => {
  await start();
  const answer = await send(undefined);
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe(
    `Bearer realm="deskterity", scope="read", resource_metadata="${lab().url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')}"`,
  );
  expect(lab().connections).toEqual([]);
});

test('a token in the address is not read', async () => {
  await start();
  const answer = await raw(`${lab().url}?access_token=${await issuer.token('read')}`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: initialize(),
  });
  expect(answer.status).toBe(401);
});

const FLAWS: readonly (readonly [string, () => TokenChanges])[] = [
  ['expired longer ago than clocks differ', () => ({ claims: { exp: seconds(-31) } })],
  ['issued in the future', () => ({ claims: { iat: seconds(60) } })],
  ['not valid yet', () => ({ claims: { nbf: seconds(60) } })],
  ['meant for another server', () => ({ claims: { aud: 'http://127.0.0.1:1/mcp' } })],
  ['meant for a path below', () => ({ claims: { aud: `${lab().url}/core` } })],
  ['of another issuer', () => ({ claims: { iss: 'https://attacker.example' } })],
  ['of the issuer with a slash', () => ({ claims: { iss: `${issuer.url}/` } })],
  ['without an end', () => ({ without: ['exp'] })],
  ['without a subject', () => ({ without: ['sub'] })],
  ['without a client', () => ({ without: ['client_id'] })],
  ['without an audience', () => ({ without: ['aud'] })],
  ['with an empty subject', () => ({ claims: { sub: '' } })],
  ['that is an ID token', () => ({ header: { typ: 'JWT' } })],
  ['without a type', () => ({ header: { typ: undefined } })],
  ['with a key that nobody knows', () => ({ header: { kid: 'unknown' } })],
];

describe('a token', () => {
  test.each(FLAWS)('%s is refused', async (_, changes) => {
    await start();
    const token = await issuer.token('read act admin', changes());
    const answer = await send(token);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/error="invalid_token", error_description="[^"]+\."/);
    expect(answer.text).not.toContain(token.split('.')[1]);
    expect(lab().connections).toEqual([]);
  });

  test('signed with another key of the same name is refused', async () => {
    await start();
    expect((await send(await issuer.token('read', { signer: await newSigner('first') }))).status).toBe(401);
  });

  test.each([-25, 25])('that expires %d s from now is accepted', async (offset) => {
    await start();
    expect((await send(await issuer.token('read', { claims: { exp: seconds(offset) } }))).status).toBe(200);
  });

  test.each(['at+jwt', 'application/at+jwt', 'AT+JWT'])('of the type %s is accepted', async (typ) => {
    await start();
    expect((await send(await issuer.token('read', { header: { typ } }))).status).toBe(200);
  });

  test('for several servers, one of them this, is accepted', async () => {
    await start();
    const aud = ['https://other.example', issuer.audience];
    expect((await send(await issuer.token('read', { claims: { aud } }))).status).toBe(200);
  });
});

describe('a forged token', () => {
  test('without a signature is refused', async () => {
    await start();
    const [, claims] = (await issuer.token('admin')).split('.');
    for (const alg of ['none', 'None', 'NONE'])
      expect((await send(`${part({ alg, typ: 'at+jwt' })}.${claims}.`)).status).toBe(401);
  });

  test('signed with the public key as a shared secret is refused', async () => {
    await start();
    const [, claims] = (await issuer.token('admin')).split('.');
    const { publicJwk } = issuer.signer;
    // Also if the issuer publishes that secret, as no issuer should.
    const secret = Buffer.from(JSON.stringify(publicJwk));
    issuer.published = [
      publicJwk,
      { kty: 'oct', kid: 'secret', alg: 'HS256', k: secret.toString('base64url') },
    ];
    for (const kid of ['first', 'secret', undefined]) {
      const signed = `${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${claims}`;
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      expect((await send(`${signed}.${signature}`)).status).toBe(401);
    }
  });

  test('that brings its own key is refused', async () => {
    await start();
    const attacker = await newSigner('first');
    const [, claims] = (await issuer.token('admin')).split('.');
    const header = { alg: 'ES256', typ: 'at+jwt', jwk: attacker.publicJwk, jku: 'http://127.0.0.1:1/' };
    expect((await send(`${part(header)}.${claims}.AAAA`)).status).toBe(401);
    expect(issuer.asked.filter((path) => path !== '/keys')).toHaveLength(1);
  });

  test.each(['x', 'a.b', 'a.b.c', '..', '{}', `${'a'.repeat(5000)}.b.c`])(
    'such as %.20s is refused',
    async (token) => {
      await start();
      expect((await send(token)).status).toBe(401);
    },
  );
});

describe('keys', () => {
  test('are read once for many tokens', async () => {
    await start();
    const all = await Promise.all(Array.from({ length: 20 }, async () => send(await issuer.token('read'))));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(issuer.reads).toBe(1);
  });

  test('that cannot be read make the server unavailable, not the token wrong', async () => {
    issuer.isDown = true;
    await start();
    const answer = await send(await issuer.token('read'));
    expect(answer.status).toBe(503);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    // And many such tokens do not become many requests to the authorization server.
    await Promise.all(Array.from({ length: 20 }, async () => send(await issuer.token('read'))));
    expect(issuer.asked).toHaveLength(1);
  });

  test.each([
    ['another issuer', { issuer: 'https://attacker.example' }],
    ['keys on another machine without TLS', { jwks_uri: 'http://192.0.2.1/keys' }],
    ['no keys', { jwks_uri: undefined }],
  ])('of metadata with %s are not used', async (_, metadata) => {
    issuer.metadata = metadata;
    await start();
    expect((await send(await issuer.token('read'))).status).toBe(503);
    expect(issuer.reads).toBe(0);
  });

  test('are not looked for where the issuer redirects to', async () => {
    issuer.movedTo = `${issuer.url}/elsewhere`;
    await start();
    expect((await send(await issuer.token('read'))).status).toBe(503);
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  test.each([
    ['too long', () => JSON.stringify({ keys: issuer.published, more: 'x'.repeat(300_000) })],
    ['too many', () => JSON.stringify({ keys: Array.from({ length: 101 }, () => issuer.signer.publicJwk) })],
    ['no JSON', () => '<html>'],
    ['no keys', () => '{}'],
  ])('that are %s are not used', async (_, answer) => {
    issuer.keysAnswer = answer();
    await start();
    expect((await send(await issuer.token('read'))).status).toBe(503);
  });
});
