import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPolicyFile } from '../../../src/platform/node/policy-file.ts';

it('a link to nothing in place of a policy is a mistake, not the absence of one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'policy-link-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'policy.toml');
  const read = () => readPolicyFile(file, { isOfProject: false, scopes: [] });
  expect(await read()).toBeUndefined();
  await symlink(join(folder, 'nothing.toml'), file);
  expect((await read())?.problem).toBe('it is a link to nothing');
});
