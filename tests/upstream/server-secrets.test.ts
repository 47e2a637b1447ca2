import { expect, it } from 'vitest';
import { UpstreamServer } from '../../src/upstream/connection/upstream-server.ts';

it('the secrets of a server are one list until a token changes, so that their encoded forms are computed once', () => {
  let tokens: readonly string[] = [];
  const server = new UpstreamServer({
    name: 'files',
    target: {
      kind: 'stdio',
      command: '/bin/false',
      args: [],
      cwd: '/',
      environment: {},
      timeoutMs: 1000,
      secrets: ['of the file'],
    },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    log: { write: () => undefined },
    open: () => Promise.reject(new Error('not used')),
    tokens: () => [...tokens],
    signInNeeded: () => undefined,
  });
  const before = server.secrets;
  expect(server.secrets).toBe(before);
  tokens = ['of a sign-in'];
  expect(server.secrets).toEqual(['of the file', 'of a sign-in']);
  expect(server.secrets).toBe(server.secrets);
});
