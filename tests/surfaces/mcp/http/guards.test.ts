import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { bindAddress } from '../../../../src/surfaces/mcp/http/bind-address.ts';
import { createGuard } from '../../../../src/surfaces/mcp/http/guards.ts';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();

function send(headers: Record<string, string>, url = lab().url) {
  return raw(url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: initialize() });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DeskterityError)) throw new Error('no DeskterityError', { cause: error });
  expect(error.suggestion).not.toBe('');
  return error.code;
}

describe('on a loopback address', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST:9'])('Host %s is served', async (host) => {
    await lab().start();
    expect((await send({ host })).status).toBe(200);
  });

  test.each([
    'attacker.example',
    'localhost.attacker.example',
    '127.0.0.1.nip.io',
    'localhost@attacker.example',
    '0.0.0.0',
    '192.0.2.1',
    '[::2]',
    'a b',
    ':80',
  ])('Host %s is refused, and nothing is opened', async (host) => {
    await lab().start();
    expect((await send({ host })).status).toBe(403);
    expect(lab().connections).toEqual([]);
  });

  test.each(['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:8080'])(
    'Origin %s is served',
    async (origin) => {
      await lab().start();
      const answer = await send({ origin });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test.each([
    'http://attacker.example',
    'https://localhost.attacker.example',
    'null',
    'file://',
    'garbage',
    'chrome-extension://abcdef',
  ])('Origin %s is refused', async (origin) => {
    await lab().start();
    const answer = await send({ origin });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Use one of these host names');
    expect(lab().connections).toEqual([]);
  });

  test('a cross-site request of a browser is refused', async () => {
    await lab().start({ isSseServed: true });
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await raw(new URL('/sse', lab().url).href, { headers })).status).toBe(403);
    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('a preflight is not allowed', async () => {
    await lab().start();
    const answer = await raw(lab().url, { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } });
    expect(answer.status).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('IPv6 is served', async (context) => {
    const has = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === '::1'),
    );
    if (!has) context.skip('this machine has no ::1');
    const serving = await lab().start({ bind: '::1' });
    expect(serving.url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/);
    expect((await send({})).status).toBe(200);
    const { client } = await lab().client('modern');
    expect((await client.listTools()).tools).toHaveLength(3);
  });
});

describe('with a token', () => {
  const token = 'correct-horse-battery';

  test.each([
    ['none', undefined],
    ['a wrong one', 'Bearer wrong'],
    ['a longer one', `Bearer ${token}x`],
    ['a shorter one', `Bearer ${token.slice(1)}`],
    ['another scheme', `Basic ${token}`],
    ['an empty one', 'Bearer '],
    ['two', `Bearer ${token} ${token}`],
  ])('%s is refused with a challenge', async (_, authorization) => {
    await lab().start({ token });
    const answer = await send(authorization === undefined ? {} : { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="deskterity"/);
    expect(answer.text).not.toContain(token);
    expect(lab().connections).toEqual([]);
  });

  test.each(['legacy', 'modern'] as const)(
    'the right token is accepted from a client of the %s era',
    async (era) => {
      await lab().start({ token });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const { client } = await lab().client(era, { requestInit });
      expect((await client.listTools()).tools).toHaveLength(3);
    },
  );

  test('the token does not allow other host names', async () => {
    await lab().start({ token });
    const answer = await send({ authorization: `Bearer ${token}`, host: 'attacker.example' });
    expect(answer.status).toBe(403);
  });

  // Only the rule, not the socket: tests listen on loopback.
  test('on a public address only the names of this machine are allowed', async () => {
    const at = await bindAddress('0.0.0.0', token);
    expect(at).toEqual({ address: '0.0.0.0', isLoopback: false });
    const guard = createGuard({ bind: '0.0.0.0', at, token });
    const check = (host: string) => guard({ headers: { host, authorization: `Bearer ${token}` } })?.status;
    const [own] = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    if (own === undefined) throw new Error('no interface');
    expect(check(own.family === 'IPv6' ? `[${own.address}]:80` : `${own.address}:80`)).toBeUndefined();
    expect(check('attacker.example')).toBe(403);
  });
});

describe('refuses to start', () => {
  test.each(['0.0.0.0', '::', '[::]', '192.0.2.1', '::ffff:192.0.2.1'])(
    'on %s without a token',
    async (bind) => {
      await expect(lab().start({ bind })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        suggestion: expect.stringMatching(/DESKTERITY_HTTP_TOKEN.*token_file/),
      });
    },
  );

  test.each(['', ' ', '127.0.0.1/8', '127.0.0.1:80', '[::1', '[]', 'no such host'])('on %j', async (bind) => {
    expect(await codeOf(lab().start({ bind }))).toBe('INVALID_ARGUMENT');
  });

  test.each(['', ' ', 'a b', 'täst', 'a\nb'])('with the token %j', async (token) => {
    expect(await codeOf(lab().start({ token }))).toBe('INVALID_ARGUMENT');
  });

  test.each([-1, 1.5, 65_536, Number.NaN])('on port %d', async (port) => {
    expect(await codeOf(lab().start({ port }))).toBe('INVALID_ARGUMENT');
  });

  test('on a port in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve, reject) => {
      other.listen(0, '127.0.0.1', () => {
        const at = other.address();
        if (typeof at === 'object' && at !== null) resolve(at.port);
        else reject(new Error('no port'));
      });
    });
    try {
      expect(await codeOf(lab().start({ port }))).toBe('CONFLICT');
    } finally {
      other.close();
    }
  });

  test('on an address of another machine', async () => {
    expect(await codeOf(lab().start({ bind: '192.0.2.1', token: 'secret' }))).toBe('INVALID_ARGUMENT');
  });
});
