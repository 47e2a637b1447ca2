import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tokenOf } from '../../../src/surfaces/cli/verbs/mcp/mcp-http.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function tokenFile(mode: number, name = 'token'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, 'secret\n');
  await chmod(file, mode);
  return file;
}

it.each([0o600, 0o400])('a token is read from a file of mode %o', async (mode) => {
  expect(await tokenOf(await tokenFile(mode), {})).toBe('secret');
});

it.each([0o644, 0o640, 0o604])('a file of mode %o is refused with the next step', async (mode) => {
  const file = await tokenFile(mode, "my token's");
  await expect(tokenOf(file, {})).rejects.toMatchObject({
    name: 'UsageError',
    message: 'Other users can read the file given by --token-file.',
    suggestion: expect.stringContaining(`chmod 600 '${folder}/my token'\\''s'`),
  });
});

it('a file of another user may have any mode', async () => {
  await expect(tokenOf('/dev/null', {})).rejects.toMatchObject({
    message: expect.stringContaining('is empty'),
  });
});
