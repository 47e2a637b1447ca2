import { chmod, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClock } from '../../../src/platform/node/clock.ts';
import { createFiles } from '../../../src/platform/node/files.ts';
import { resolvePaths } from '../../../src/platform/paths.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const files = createFiles();

it('reads what it wrote, and undefined for a missing file', async () => {
  const path = join(folder, 'a/b/c.bin');
  expect(await files.read(path)).toBeUndefined();
  await files.writeAtomic(path, new Uint8Array([1, 2, 255]));
  expect([...((await files.read(path)) ?? [])]).toEqual([1, 2, 255]);
  await files.writeAtomic(path, 'text', { mode: 0o600 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'a/b'))).toEqual(['c.bin']);
});

it('leaves nothing behind when it cannot write', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(files.writeAtomic(join(folder, 'file/below'), 'x')).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(files.writeAtomic(folder, 'x')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(files.read(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(await readdir(folder)).toEqual(['file']);
});

it('sleeps, and wakes when aborted', async () => {
  const clock = createClock();
  const before = clock.now();
  await clock.sleep(5);
  expect(clock.now()).toBeGreaterThan(before);
  await expect(clock.sleep(10_000, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

it.each([
  [
    { HOME: '/h' },
    { state: '/h/.local/state/deskterity', cache: '/h/.cache/deskterity', config: '/h/.config/deskterity' },
  ],
  [
    { HOME: '/h', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: 'relative', XDG_CONFIG_HOME: '' },
    { state: '/s/deskterity', cache: '/h/.cache/deskterity', config: '/h/.config/deskterity' },
  ],
  [{}, { state: '/looked-up/.local/state/deskterity' }],
  [{ HOME: '' }, { state: '/looked-up/.local/state/deskterity' }],
])('folders for %j', (environment, paths) => {
  expect(resolvePaths(environment, () => '/looked-up')).toMatchObject(paths);
});

it('reports the kind of file at a path, following links', async () => {
  const file = join(await realpath(folder), 'file');
  await writeFile(file, 'four');
  await symlink(file, join(folder, 'link'));
  await symlink(join(folder, 'gone'), join(folder, 'lost'));
  expect(await files.find(join(folder, 'link'))).toEqual({
    path: file,
    kind: 'file',
    bytes: 4,
    isWritable: true,
  });
  expect(await files.find(folder)).toMatchObject({ kind: 'folder' });
  expect(await files.find(join(folder, 'lost'))).toMatchObject({ path: join(folder, 'gone'), kind: 'lost' });
  expect(await files.find(join(folder, 'nothing'))).toBeUndefined();
  expect(await files.find(join(file, 'below'))).toBeUndefined();
  expect(await files.find('/dev/null')).toMatchObject({ kind: 'other' });
  await chmod(file, 0o444);
  expect(await files.find(file)).toMatchObject({ isWritable: false });
});

it('writes a file like another one, regardless of the umask', async () => {
  const model = join(folder, 'model');
  await writeFile(model, '');
  await chmod(model, 0o666);
  const path = join(folder, 'copy');
  await files.writeAtomic(path, 'x', { like: model });
  expect((await stat(path)).mode & 0o777).toBe(0o666);
});
