import { mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixFolder } from '../../src/operations/confinement/fixed-folder.ts';
import { sandboxScope } from '../../src/operations/confinement/sandbox-scope.ts';
import { createSandbox } from '../../src/platform/linux/sandbox/create-sandbox.ts';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-fixed-')));
  for (const folder of ['q/sub', 'out']) await mkdir(join(root, folder), { recursive: true });
  await symlink('q/sub', join(root, 'link'));
});
afterEach(() => rm(root, { recursive: true }));

/** As if a connection had been opened with this folder before `change`. */
async function afterChange(folder: string, change: () => Promise<unknown>): Promise<string> {
  const cwd = join(root, folder);
  const fixedFolder = await fixFolder(cwd);
  await change();
  return sandboxScope({
    caller: { environment: {}, cwd, fixedFolder },
    asked: '',
    sandbox: createSandbox({ workerFile: '/nowhere' }),
    own: [],
  });
}

const at = (path: string) => join(root, path);

it.each([
  [
    'a link to another folder',
    'q/sub',
    () => rename(at('q/sub'), at('q/old')).then(() => symlink('../out', at('q/sub'))),
  ],
  [
    'a link to the same folder',
    'q/sub',
    () => rename(at('q/sub'), at('q/old')).then(() => symlink('old', at('q/sub'))),
  ],
  ['a new folder', 'q/sub', () => rename(at('q/sub'), at('q/old')).then(() => mkdir(at('q/sub')))],
  [
    'a folder around it that is a link',
    'q/sub',
    () => rename(at('q'), at('old')).then(() => symlink('old', at('q'))),
  ],
  ['the link to it leading elsewhere', 'link', () => rm(at('link')).then(() => symlink('out', at('link')))],
])('nothing runs in place of a fixed folder: %s', async (_, folder, change) => {
  await expect(afterChange(folder, change)).rejects.toMatchObject({
    code: 'POLICY_DENIED',
    message: expect.stringContaining('has been replaced'),
    delivered: false,
  });
});

it('a fixed folder that has gone is refused, and one that is the same is the scope', async () => {
  await expect(afterChange('q/sub', () => rename(at('q/sub'), at('q/old')))).rejects.toMatchObject({
    code: 'POLICY_DENIED',
    message: expect.stringContaining('no longer exists'),
  });
  expect(await afterChange('link', () => rename(at('q/old'), at('q/sub')))).toBe(at('q/sub'));
});
