import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Session } from '../../../src/engine/refs/session.ts';
import { parseRef } from '../../../src/model/refs/ref.ts';
import { documentFiles } from '../../../src/platform/node/document-file.ts';
import { withFileLock } from '../../../src/platform/node/file-lock.ts';
import { createSessionStore } from '../../../src/platform/node/session-store.ts';

let top = '';
let folder = '';
let notes: string[] = [];
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'deskterity-test-'));
  folder = join(top, 'sessions', 'default');
  notes = [];
});
afterEach(async () => {
  await rm(top, { recursive: true, force: true });
});

function store() {
  return createSessionStore({ folder, note: (message) => notes.push(message) });
}

describe('a session store', () => {
  it('keeps documents that only the user can read', async () => {
    expect(await store().load('refs')).toBeUndefined();
    await store().update('refs', (data) => ({ was: data ?? null, next: 1 }));
    expect(await store().load('refs')).toEqual({ was: null, next: 1 });
    expect((await stat(join(folder, 'refs.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(['refs.json']);
    expect(notes).toEqual([]);
  });

  it('starts empty if the file is damaged, and reports it', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'refs.json'), '{"next":');
    expect(await store().load('refs')).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('not JSON')]);
    await store().update('refs', (data) => [data ?? 'new']);
    expect(await store().load('refs')).toEqual(['new']);
  });

  it('loses no change of concurrent stores', async () => {
    const stores = [store(), store(), store()];
    const count = (data: unknown) => (typeof data === 'number' ? data : 0) + 1;
    await Promise.all(stores.flatMap((one) => Array.from({ length: 10 }, () => one.update('refs', count))));
    expect(await store().load('refs')).toBe(30);
  });

  it('leaves the document alone when the change throws', async () => {
    await store().update('refs', () => 1);
    const one = store();
    await expect(
      one.update('refs', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await one.update('refs', (data) => [data]);
    expect(await one.load('refs')).toEqual([1]);
  });

  it('runs the change and reports if nothing can be written', async () => {
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    let ran = 0;
    await store().update('refs', () => {
      ran += 1;
      return ran;
    });
    expect(ran).toBe(1);
    expect(notes.at(-1)).toContain('cannot be written');
  });

  it('removes a document that a change makes undefined', async () => {
    await store().update('refs', () => 1);
    await store().update('session', () => 2);
    await store().update('refs', () => undefined);
    expect(await readdir(folder)).toEqual(['session.json']);
  });

  it('informs the change that its document cannot be written', async () => {
    await store().update('refs', () => 'before');
    const seen: unknown[] = [];
    const full = async () => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
    };
    const files = { ...documentFiles, write: full };
    const one = createSessionStore({ files, folder, note: (message) => notes.push(message) });
    await one.update('refs', (data, isAlone) => seen.push([data, isAlone]));
    expect(seen.at(-1)).toEqual(['before', true]);
    expect(notes.at(-1)).toContain('cannot be written');
    expect(await one.load('refs')).toBe('before');
  });

  it('reads no named pipe, which would block the process', async () => {
    await store().update('session', () => 1);
    execFileSync('mkfifo', [join(folder, 'refs.json')]);
    expect(await store().load('refs')).toBeUndefined();
    expect(notes.at(-1)).toContain('a named pipe');
  });

  it('never reuses a reference in processes that cannot write', async () => {
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    const window = (id: string) => ({ id, process: '1' });
    const processes = Array.from({ length: 20 }, () => new Session(store(), { desktopId: 'd' }));
    const given = await Promise.all(
      processes.map(async (one) => [
        await one.edit((table) => table.refForWindow(window('a'))),
        await one.edit((table) => table.refForWindow(window('b'))),
      ]),
    );
    expect(new Set(given.flat()).size).toBe(40);
    for (const ref of given.flat()) expect(parseRef(ref)).toEqual({ kind: 'w', ref });
    // Only the first has to be far from the others; numbers must not run out in a process that lives long.
    for (const [first = '', second = ''] of given)
      expect(Number(second.slice(2))).toBe(Number(first.slice(2)) + 1);
  });

  it('uses high numbers if a damaged document hides the used ones', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'refs.json'), '{"next":');
    const ref = await new Session(store(), { desktopId: 'd' }).edit((table) =>
      table.refForWindow({ id: 'a', process: '1' }),
    );
    expect(Number(ref.slice(2))).toBeGreaterThan(1_000_000);
    const next = await new Session(store(), { desktopId: 'd' }).edit((table) =>
      table.refForWindow({ id: 'b', process: '1' }),
    );
    expect(Number(next.slice(2))).toBe(Number(ref.slice(2)) + 1);
  });

  it('sees what another process has written since, also if it is as long', async () => {
    const [mine, other] = [store(), store()];
    for (const turn of [1, 2, 3, 4, 5]) {
      await mine.update('refs', () => ({ from: 'mine', turn }));
      expect(await mine.load('refs')).toEqual({ from: 'mine', turn });
      await other.update('refs', (data) => {
        expect(data).toEqual({ from: 'mine', turn });
        return { from: 'they', turn };
      });
      expect(await mine.load('refs')).toEqual({ from: 'they', turn });
    }
    await other.clear();
    expect(await mine.load('refs')).toBeUndefined();
  });

  it('accepts plain document names only', async () => {
    await expect(store().load('../other')).rejects.toThrow(RangeError);
  });
});

describe('a file lock', () => {
  it('is taken over from a process that has ended', async () => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'a.lock');
    await writeFile(path, '999999999 abc');
    expect(await withFileLock(path, async () => readlink(path))).toMatch(new RegExp(`^${process.pid} `));
    expect(await readdir(folder)).toEqual([]);
  });

  it('lets one in at a time and is released after a failure', async () => {
    const path = join(folder, 'a.lock');
    let inside = 0;
    const body = async () => {
      inside += 1;
      expect(inside).toBe(1);
      // Time for another one to come in.
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside -= 1;
      throw new Error('out');
    };
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => withFileLock(path, body)));
    const outcomes = all.map((one) => (one.status === 'rejected' ? String(one.reason) : 'done'));
    expect(outcomes).toEqual(outcomes.map(() => 'Error: out'));
    expect(await readdir(folder)).toEqual([]);
  });
});

it('a change that must be stored fails with the reason', async () => {
  await mkdir(join(top, 'sessions'));
  await writeFile(folder, 'a file where the folder should be');
  await store().update('session', () => 1);
  expect(notes.at(-1)).toContain('cannot be written');
  await expect(store().update('session', () => 1, { mustStore: true })).rejects.toMatchObject({
    code: 'ACTION_FAILED',
    message: expect.stringMatching(
      /cannot be stored in .*default: (?:a part of its path is not a folder|it exists already)\.$/,
    ),
  });
});
