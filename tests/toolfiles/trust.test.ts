import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withFileLock } from '../../src/platform/node/file-lock.ts';
import { createFiles } from '../../src/platform/node/files.ts';
import { contentHash, createTrust, isTrusted, untrusted } from '../../src/toolfiles/files/trust.ts';
import { spelledError } from '../spelled.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-trust-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'config/trusted-tools.json');
const parts = { files: createFiles(), locked: withFileLock };
const trust = () => createTrust(file(), parts);
const A = contentHash(Buffer.from('a'));
const B = contentHash(Buffer.from('b'));
const AT = new Date('2026-01-02T03:04:05.678Z');

it('knows content by SHA-256', () => {
  expect(A).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
});

it('trusts nothing at first', async () => {
  expect(await trust().trusted()).toEqual([]);
});

it('stores trust in a file that only the user can access', async () => {
  await trust().trust('/p/a.json', A, AT);
  await trust().trust('/p/b.json', B, AT);
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({
    format: 1,
    files: [
      { path: '/p/a.json', sha256: A, trusted_at: '2026-01-02T03:04:05.678Z' },
      { path: '/p/b.json', sha256: B, trusted_at: '2026-01-02T03:04:05.678Z' },
    ],
  });
  expect((await stat(file())).mode & 0o777).toBe(0o600);
});

it('applies to a content at a path: neither a change nor a copy is trusted', async () => {
  await trust().trust('/p/a.json', A, AT);
  const entries = await trust().trusted();
  expect(isTrusted(entries, '/p/a.json', A)).toBe(true);
  expect(isTrusted(entries, '/p/a.json', B)).toBe(false);
  expect(isTrusted(entries, '/q/a.json', A)).toBe(false);
  await trust().trust('/p/a.json', B, AT);
  expect(isTrusted(await trust().trusted(), '/p/a.json', A)).toBe(false);
});

it.each([
  '',
  'x',
  '[]',
  '{"format":2,"files":[]}',
  '{"format":1,"files":[{"path":"/a","sha256":"short","trusted_at":""}]}',
  '{"format":1,"files":[],"x":1}',
])('trusts nothing in a store with %j, and does not overwrite it', async (content) => {
  await trust().trust('/p/a.json', A, AT);
  await writeFile(file(), content);
  await expect(trust().trusted()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(trust().trust('/p/a.json', A, AT)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(await readFile(file(), 'utf8')).toBe(content);
});

it('reports a store that cannot be read', async () => {
  await expect(createTrust(folder, parts).trusted()).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('could not be opened'),
  });
});

it('loses nothing when many trust concurrently', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `/p/${n}.json`);
  await Promise.all(names.map((name) => trust().trust(name, A, AT)));
  expect((await trust().trusted()).map(({ path }) => path).toSorted()).toEqual(names);
});

it('suggests what a person can do', () => {
  expect(
    spelledError(untrusted('git_status', { path: '/p/my tools/git.json', hasChanged: true })),
  ).toMatchObject({
    code: 'TOOL_UNTRUSTED',
    message: 'git_status was not run: its file /p/my tools/git.json has changed since it was trusted.',
    suggestion: `A person who has read the file can allow it with \`desk tools trust "/p/my tools/git.json"\`.`,
  });
});
