import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFiles } from '../../../src/platform/node/files.ts';
import { moveToPlace, refuseUnlessFile } from '../../../src/platform/node/replace-file.ts';
import { fingerprint, makeNotFiles } from '../../not-files.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-test-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const files = createFiles();

it('replaces nothing but regular files, and writes nothing before it refuses', async () => {
  const { notFiles, close } = await makeNotFiles(folder);
  try {
    const names = await readdir(folder);
    for (const { path, kind } of notFiles) {
      const before = fingerprint(path);
      await expect(files.writeAtomic(path, 'x')).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: `${path} is ${kind}; only regular files are replaced.`,
        suggestion: 'Nothing was written. Give the path of a regular file, or of a new one.',
      });
      expect(fingerprint(path)).toBe(before);
    }
    expect(await readdir(folder)).toEqual(names);
    expect(await readdir(join(folder, 'folder'))).toEqual([]);
  } finally {
    close();
  }
});

/** `mknod` needs a right that containers and users seldom have. */
function makesDevices(): boolean {
  const trial = mkdtempSync(join(tmpdir(), 'deskterity-mknod-'));
  try {
    execFileSync('mknod', [join(trial, 'null'), 'c', '1', '3'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

it.skipIf(!makesDevices())(
  'replaces no device, nor what a link to one leads to (needs the right to use mknod)',
  async () => {
    // Our own, as a fault would destroy that of the machine.
    const [device, link] = [join(folder, 'null'), join(folder, 'link')];
    execFileSync('mknod', [device, 'c', '1', '3']);
    await symlink(device, link);
    for (const [path, is] of [
      [device, 'is'],
      [link, 'is a link to'],
    ] as const) {
      const before = [fingerprint(device), fingerprint(path)];
      await expect(files.writeAtomic(path, 'x')).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: `${path} ${is} a device; only regular files are replaced.`,
      });
      expect([fingerprint(device), fingerprint(path)]).toEqual(before);
    }
    const temporary = join(folder, 'new.tmp');
    await writeFile(temporary, 'x');
    await expect(moveToPlace(temporary, device)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
  },
);

it('names a device as such', () => {
  const none = () => false;
  const other = { isFile: none, isDirectory: none, isFIFO: none, isSocket: none, isSymbolicLink: none };
  const refuse = (kinds: { isCharacterDevice: () => boolean; isBlockDevice: () => boolean }) => () =>
    refuseUnlessFile({ ...other, ...kinds }, '/x', 'is');
  const yes = () => true;
  expect(refuse({ isCharacterDevice: yes, isBlockDevice: none })).toThrow('/x is a device;');
  expect(refuse({ isCharacterDevice: none, isBlockDevice: yes })).toThrow('/x is a device;');
  expect(refuse({ isCharacterDevice: none, isBlockDevice: none })).toThrow('/x is no regular file;');
});

it('keeps a link and replaces the file that it leads to', async () => {
  const [real, link] = [join(folder, 'real'), join(folder, 'link')];
  await writeFile(real, 'before');
  await symlink('real', link);
  await files.writeAtomic(link, 'after');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toBe('after');
  expect((await readdir(folder)).toSorted()).toEqual(['link', 'real']);
});

it('does not replace what appears at the path while it writes', async () => {
  const temporary = join(folder, 'new.tmp');
  const place = join(folder, 'new');
  await writeFile(temporary, 'x');
  execFileSync('mkfifo', [place]);
  await expect(moveToPlace(temporary, place)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(lstatSync(place).isFIFO()).toBe(true);
});

it('never replaces a pipe that comes and goes while files are written to its path', async () => {
  const place = join(folder, 'contested');
  let lost = 0;
  for (let round = 0; round < 20; round += 1) {
    const writing = files.writeAtomic(place, 'x').then(
      () => true,
      () => false,
    );
    // Whoever makes the pipe first keeps it; whoever is second fails.
    const isPipe = makePipe(place);
    await writing;
    if (isPipe && !lstatSync(place).isFIFO()) lost += 1;
    rmSync(place, { force: true });
  }
  expect(lost).toBe(0);
});

/** Whether the pipe could be made: nothing was there before. */
function makePipe(path: string): boolean {
  try {
    execFileSync('mkfifo', [path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
