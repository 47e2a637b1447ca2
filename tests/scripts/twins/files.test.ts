import { expect, it } from 'vitest';
import { comparedFile } from '../../../scripts/proof/twins/look/harmless.ts';
import { onceEqual, type BothFiles } from '../../../scripts/proof/twins/look/files.ts';

const files = (text: string): BothFiles['ours'] => new Map([['settings.xml', text]]);

it('files that one side writes later than the other are waited for', async () => {
  let reads = 0;
  const read = (): BothFiles => ({ ours: files('new'), twin: files(reads++ < 2 ? 'old' : 'new') });
  const { twin } = await onceEqual(read, new Set());
  expect([twin, reads]).toEqual([files('new'), 3]);
});

it('files that stay different are given up, and those that differed before are not waited for', async () => {
  let reads = 0;
  const read = (): BothFiles => (reads++, { ours: files('new'), twin: files('old') });
  expect((await onceEqual(read, new Set(), 300)).twin).toEqual(files('old'));
  expect(reads).toBeGreaterThan(1);
  reads = 0;
  await onceEqual(read, new Set(['settings.xml']));
  expect(reads).toBe(1);
});

it('a log counts only by its name, and not if its name holds a time or it lies where state is kept', () => {
  expect(comparedFile('.jedit/activity.log')).toBe('presence');
  expect(comparedFile('Documents/accounts.gnucash.20261130055141.log')).toBe('not');
  expect(comparedFile('.local/state/player/player.log')).toBe('not');
  expect(comparedFile('.cache/openbox/openbox.log')).toBe('not');
  expect(comparedFile('.config/player/player.lock')).toBe('not');
  expect(comparedFile('Documents/blog')).toBe('contents');
});

it('the caches of a web engine do not count, wherever an application keeps them; what lies beside them does', () => {
  const engine = '.local/share/FreeCAD/webdata/persistent';
  expect(comparedFile(`${engine}/GPUCache/data_1`)).toBe('not');
  expect(comparedFile('.config/other/Code Cache/js/index')).toBe('not');
  expect(comparedFile(`${engine}/Cookies`)).toBe('contents');
  expect(comparedFile('Documents/GPUCache')).toBe('contents');
});
