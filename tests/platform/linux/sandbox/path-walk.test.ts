import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walk } from '../../../../src/platform/linux/sandbox/landlock/path-walk.ts';

const walker = { process: process.pid, thread: process.pid };
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-walk-')));
  for (const name of ['a/b/c', 'd']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['a/file', 'a/b/file', 'd/file']) writeFileSync(join(folder, name), '');
  const links = {
    'a/up': '..',
    'a/b/over': '../../d',
    'd/back': '../a/b/over/file',
    'd/absolute': join(folder, 'a/b'),
    'd/dangling': '../a/new',
    'd/round': 'round',
    'd/self': '.',
    'a/b/c/file-link': '../file',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('resolving a path for another process', () => {
  it('agrees with the kernel', () => {
    const names = fc.constantFrom(
      'a',
      'b',
      'c',
      'd',
      'file',
      'up',
      'over',
      'back',
      'absolute',
      'self',
      'file-link',
      '..',
      '.',
      '',
    );
    let existing = 0;
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 8 }), fc.boolean(), (parts, isRelative) => {
        const path = parts.join('/').replace(/^\/+/, '') || '.';
        const place = walk(isRelative ? path : `${folder}/${path}`, folder, walker, true);
        let expected: string | undefined;
        try {
          expected = realpathSync.native(`${folder}/${path}`);
        } catch {
          expected = undefined;
        }
        if (expected !== undefined) existing += 1;
        // A file with something behind it is no way for the kernel, and no matter for the rules.
        expect(expected === undefined || (place?.exists === true && place.path === expected)).toBe(true);
      }),
      { numRuns: 800 },
    );
    expect(existing).toBeGreaterThan(50);
  });

  it.each([
    ['d/dangling', true, { path: 'a/new', exists: false, parentExists: true }],
    ['d/dangling', false, { path: 'd/dangling', exists: true, parentExists: true }],
    ['d/new', true, { path: 'd/new', exists: false, parentExists: true }],
    ['new/folder', true, { path: 'new/folder', exists: false, parentExists: false }],
    ['d/absolute', false, { path: 'd/absolute', exists: true, parentExists: true }],
    ['a/up/d/file', false, { path: 'd/file', exists: true, parentExists: true }],
  ])('finds %s (following its end: %s)', (path, follow, expected) => {
    const { path: place, ...rest } = expected;
    expect(walk(path, folder, walker, follow)).toMatchObject({ path: join(folder, place), ...rest });
  });

  it('finds nothing for link cycles and non-files', () => {
    expect(walk('d/round', folder, walker, true)).toBeUndefined();
    expect(walk(`/proc/self/fd/999999`, '/', walker, true)).toMatchObject({ exists: false });
  });

  it('resolves /proc/self for the other process', () => {
    const place = walk('/proc/self/status', '/', { process: 1, thread: 1 }, true);
    expect(place).toMatchObject({ path: '/proc/1/status', exists: true });
    expect(walk('/proc/thread-self/comm', '/', { process: 1, thread: 1 }, true)?.path).toBe(
      '/proc/1/task/1/comm',
    );
  });
});
