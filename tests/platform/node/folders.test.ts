import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolders } from '../../../src/platform/node/files.ts';

const folders = createFolders();

let folder = '';
const ends: (() => void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-folders-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(folder, { recursive: true, force: true });
});

it('lists names in order, and distinguishes a missing folder from an empty one', async () => {
  for (const name of ['b', 'a', '.c']) await writeFile(join(folder, name), '');
  expect(await folders.list(folder)).toEqual(['.c', 'a', 'b']);
  await mkdir(join(folder, 'empty'));
  expect(await folders.list(join(folder, 'empty'))).toEqual([]);
  expect(await folders.list(join(folder, 'none'))).toBeUndefined();
  expect(await folders.list(join(folder, 'a/below'))).toBeUndefined();
});

describe('reading', () => {
  it('returns the bytes of a file up to a limit', async () => {
    await writeFile(join(folder, 'file'), 'hello');
    expect(Buffer.from((await folders.readBounded(join(folder, 'file'), 5))?.bytes ?? []).toString()).toBe(
      'hello',
    );
    expect(await folders.readBounded(join(folder, 'file'), 4)).toEqual({ problem: 'is larger than 4 bytes' });
    expect(await folders.readBounded(join(folder, 'none'), 5)).toBeUndefined();
  });

  it('does not wait for a writer, read without end, or read folders', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await symlink('/dev/zero', join(folder, 'zero'));
    const before = performance.now();
    expect(await folders.readBounded(join(folder, 'pipe'), 100)).toEqual({
      problem: 'is not a regular file',
    });
    expect(await folders.readBounded(join(folder, 'zero'), 100)).toEqual({
      problem: 'is not a regular file',
    });
    expect(await folders.readBounded(folder, 100)).toEqual({ problem: 'is a folder' });
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('reports a file that cannot be opened', async () => {
    await symlink('loop', join(folder, 'loop'));
    expect(await folders.readBounded(join(folder, 'loop'), 100)).toEqual({
      problem: 'cannot be read (ELOOP)',
    });
  });
});

describe('watching', () => {
  /** Counts what is heard of a folder. */
  function watched(path: string): { count: number } {
    const heard = { count: 0 };
    ends.push(folders.watch(path, () => (heard.count += 1)));
    return heard;
  }

  async function hears(heard: { count: number }, doIt: () => Promise<unknown>): Promise<void> {
    const before = heard.count;
    await doIt();
    await expect.poll(() => heard.count, { timeout: 5000 }).toBeGreaterThan(before);
    // One change may be told several times; the next one is told after it.
    await sleep(30);
  }

  it('reports files that are created, changed, replaced and removed', async () => {
    const heard = watched(folder);
    const file = join(folder, 'a.json');
    await hears(heard, () => writeFile(file, '1'));
    await hears(heard, () => writeFile(file, '2'));
    await hears(heard, async () => {
      await writeFile(join(folder, 'a.tmp'), '3');
      await rename(join(folder, 'a.tmp'), file);
    });
    await hears(heard, () => chmod(file, 0o600).then(() => rm(file)));
    expect(heard.count).toBeGreaterThanOrEqual(4);
  });

  it('reports a folder that is created later, with its content', async () => {
    const path = join(folder, 'x/y/tools');
    const heard = watched(path);
    await hears(heard, async () => {
      await mkdir(path, { recursive: true });
      await writeFile(join(path, 'a.json'), '1');
    });
    await hears(heard, () => writeFile(join(path, 'b.json'), '1'));
    expect(heard.count).toBeGreaterThanOrEqual(2);
  });

  it('reports a replaced folder', async () => {
    const path = join(folder, 'tools');
    await mkdir(path);
    const heard = watched(path);
    await hears(heard, () => rm(path, { recursive: true }));
    await hears(heard, () => mkdir(path));
    await hears(heard, () => writeFile(join(path, 'a.json'), '1'));
    expect(heard.count).toBeGreaterThanOrEqual(3);
  });

  it('is silent after its end and without changes', async () => {
    const heard = { count: 0 };
    const end = folders.watch(folder, () => (heard.count += 1));
    // Longer than a change takes to be told.
    await sleep(50);
    expect(heard.count).toBe(0);
    end();
    await writeFile(join(folder, 'a'), '');
    await sleep(100);
    expect(heard.count).toBe(0);
  });

  it('does not keep a process alive', () => {
    const output = execFileSync(
      'node',
      ['scripts/run-ts.mjs', 'tests/platform/node/watching-program.ts', join(folder, 'none')],
      { cwd: join(import.meta.dirname, '../../..'), timeout: 15_000, encoding: 'utf8' },
    );
    expect(output).toBe('watching\n');
  });
});
