import { afterEach, beforeEach, expect, test } from 'vitest';
import { InvalidToken, verifyToken } from '../../../../../src/surfaces/mcp/http/oauth/access-token.ts';
import {
  IssuerKeys,
  KeysUnavailable,
  metadataUrls,
} from '../../../../../src/surfaces/mcp/http/oauth/issuer-keys.ts';
import { TestIssuer } from './test-issuer.ts';

const MINUTE = 60_000;
let issuer: TestIssuer;
let time = 0;

beforeEach(async () => {
  time = 0;
  issuer = new TestIssuer();
  await issuer.start();
});
afterEach(() => issuer.close());

function verifier() {
  const keys = new IssuerKeys(issuer.url, () => time);
  return async (token: string) =>
    verifyToken(token, { issuer: issuer.url, audience: issuer.audience, keys: keys.find });
}

test('a new key is found when a token needs it, and the old one is no longer accepted', async () => {
  const verify = verifier();
  const old = await issuer.token('read');
  await verify(old);
  await issuer.rotate('second');
  time += 15_000;
  await expect(verify(await issuer.token('read'))).resolves.toMatchObject({
    subject: 'ada',
    clientId: 'agent',
  });
  await expect(verify(old)).rejects.toBeInstanceOf(InvalidToken);
});

test('unknown keys do not make us read the keys again and again', async () => {
  const verify = verifier();
  await verify(await issuer.token('read'));
  const unknown = await issuer.token('read', { header: { kid: 'unknown' } });
  for (let count = 0; count < 10; count += 1) {
    await expect(verify(unknown)).rejects.toBeInstanceOf(InvalidToken);
    time += 1500;
  }
  expect(issuer.reads).toBe(2);
});

test('keys are read again after ten minutes, so that a withdrawn one ends', async () => {
  const verify = verifier();
  const old = await issuer.token('read');
  await verify(old);
  issuer.published = [];
  time += 9 * MINUTE;
  await verify(old);
  time += 2 * MINUTE;
  await expect(verify(old)).rejects.toBeInstanceOf(InvalidToken);
});

test('old keys last an hour if they cannot be read again', async () => {
  const verify = verifier();
  const token = await issuer.token('read');
  await verify(token);
  issuer.isDown = true;
  time += 50 * MINUTE;
  await verify(token);
  time += 15 * MINUTE;
  await expect(verify(token)).rejects.toBeInstanceOf(KeysUnavailable);
  issuer.isDown = false;
  time += MINUTE;
  await verify(token);
});

test('metadata is looked for where both specifications put it', () => {
  expect(metadataUrls('https://login.example/')).toEqual([
    'https://login.example/.well-known/oauth-authorization-server',
    'https://login.example/.well-known/openid-configuration',
  ]);
  expect(metadataUrls('https://login.example/realms/one')).toEqual([
    'https://login.example/.well-known/oauth-authorization-server/realms/one',
    'https://login.example/.well-known/openid-configuration/realms/one',
    'https://login.example/realms/one/.well-known/openid-configuration',
  ]);
});
