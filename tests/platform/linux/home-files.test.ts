import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesIn } from '../../../src/platform/linux/private-desktop/home-files.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deskterity-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('counts what was saved, not settings and caches, and follows no link', async () => {
  mkdirSync(join(home, '.config'));
  writeFileSync(join(home, '.config', 'settings.ini'), '');
  mkdirSync(join(home, 'Documents', 'deep'), { recursive: true });
  writeFileSync(join(home, 'Documents', 'deep', 'letter.txt'), '');
  writeFileSync(join(home, 'notes.txt'), '');
  symlinkSync('/usr', join(home, 'link'));
  const found = await filesIn(home);
  expect(found).toMatchObject({ count: 3, is_counted_whole: true });
  expect(found.names.toSorted()).toEqual(['Documents/deep/letter.txt', 'link', 'notes.txt']);
});

it('is empty for a folder that does not exist', async () => {
  expect(await filesIn(join(home, 'none'))).toEqual({ count: 0, is_counted_whole: true, names: [] });
});
