import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../../src/platform/node/make-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-folders-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('creates a folder once for concurrent calls', async () => {
  for (let round = 0; round < 200; round++) {
    const path = join(folder, `${round}`, 'a', 'b');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path, 0o700)));
    expect((await stat(path)).isDirectory()).toBe(true);
  }
  expect(await readdir(folder)).toHaveLength(200);
});

it('fails below /proc', async () => {
  await expect(makeFolder('/proc/deskterity/state', 0o700)).rejects.toThrow('ENOENT');
});
