import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantedPlaces } from '../../src/operations/confinement/granted-places.ts';

let root = '';
const at = (path: string) => join(root, path);
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-granted-')));
  for (const folder of ['scope/real/deep', 'other', 'secret/keys', 'own/tools'])
    await mkdir(at(folder), { recursive: true });
  const links = {
    'scope/inward': 'real/deep',
    'scope/up': '../secret',
    'scope/absolute': at('secret'),
    'scope/chain': 'real/chain',
    'scope/real/chain': '../../secret',
    'scope/loop': 'loop',
    'scope/own': '../own/tools',
    'other/secret': '../secret',
    'other/back': '../scope/up',
    alias: 'scope',
    aside: 'own',
  };
  for (const [path, target] of Object.entries(links)) await symlink(target, at(path));
});
afterEach(() => rm(root, { recursive: true }));

const granted = (path: string, guarded: readonly string[] = []) =>
  grantedPlaces([at(path)], { writable: [at('scope')], guarded });

describe('the paths in a tool file', () => {
  it.each([
    ['scope/real', 'scope/real'],
    ['scope/inward', 'scope/real/deep'],
    ['alias/inward', 'scope/real/deep'],
    ['other', 'other'],
    // This link nobody could have put there who is confined.
    ['other/secret/keys', 'secret/keys'],
  ])('%s is %s', async (path, real) => {
    expect(await granted(path)).toEqual([at(real)]);
  });

  it.each(['scope/missing', 'scope/loop', 'missing/x'])('%s is left out', async (path) => {
    expect(await granted(path)).toEqual([]);
  });

  it.each([
    'scope/up',
    'scope/up/keys',
    'scope/absolute',
    'scope/chain',
    'scope/../scope/up',
    'scope/own',
    'alias/up',
    'other/back',
  ])('%s is refused: a confined program may have created the link', async (path) => {
    await expect(granted(path)).rejects.toMatchObject({
      code: 'TOOL_INVALID',
      message: expect.stringContaining('could have created that link'),
    });
  });

  it.each(['own', 'own/tools', 'aside', 'aside/tools', '.'])('%s belongs to Deskterity', async (path) => {
    await expect(granted(path, [at('own')])).rejects.toMatchObject({
      code: 'TOOL_INVALID',
      message: expect.stringContaining('own'),
    });
  });
});
