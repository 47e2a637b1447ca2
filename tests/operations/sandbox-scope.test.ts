import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/platform/linux/sandbox/create-sandbox.ts';
import { sandboxScope } from '../../src/operations/confinement/sandbox-scope.ts';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-scope-')));
  for (const folder of ['home/project', 'home/.config/deskterity/tools', 'home/.state/deskterity/operations'])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'home/file'), '');
  await symlink('project', join(root, 'home/link'));
  await symlink('.config/deskterity/tools', join(root, 'home/tools'));
});
afterEach(() => rm(root, { recursive: true }));

const scopeOf = (asked: string) =>
  sandboxScope({
    caller: { environment: {}, cwd: join(root, 'home') },
    asked,
    sandbox: createSandbox({ workerFile: '/nowhere' }),
    // One of them is not there yet.
    own: ['.config/deskterity', '.state/deskterity', '.cache/deskterity'].map((path) =>
      join(root, 'home', path),
    ),
  });

describe('the scope of tools', () => {
  it.each(['project', 'link', './project/', '../home/project'])('%s is resolved', async (asked) => {
    expect(await scopeOf(asked)).toBe(join(root, 'home/project'));
  });

  it.each([
    ['/', 'The sandbox would include the whole system.'],
    ['.', 'which belongs to Deskterity.'],
    ['..', 'which belongs to Deskterity.'],
    ['.config/deskterity', 'which belongs to Deskterity.'],
    ['.config/deskterity/tools', 'The sandbox would be inside '],
    ['tools', 'The sandbox would be inside '],
    ['.state/deskterity/operations', 'The sandbox would be inside '],
    ['file', 'is not an accessible folder.'],
    ['missing', 'is not an accessible folder.'],
    ['/proc', '"/proc" is a system folder.'],
    ['/proc/sys', '"/proc/sys" is a system folder.'],
    ['/sys', '"/sys" is a system folder.'],
    ['/dev', '"/dev" is a system folder.'],
  ])('%s is refused', async (asked, message) => {
    await expect(scopeOf(asked)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining(message),
    });
  });
});
