import { assert, property, webUrl, string, oneof } from 'fast-check';
import { isAbsolute } from 'node:path';
import { expect, it } from 'vitest';
import { rootFolders } from '../../../../src/surfaces/mcp/roots/root-folders.ts';

it('takes absolute paths of this machine only', () => {
  const uris = [
    'file:///home/ada/project',
    'file://localhost/home/ada/with%20blank',
    'file:///home/ada/project',
    'file:///home/ada/../eve',
    'https://example.com/home',
    'file://server/share',
    'file:///a%00b',
    'file:///a%2Fb',
    'file:///a?b',
    '/home/ada',
    'relative',
    '',
  ];
  const { folders, refused } = rootFolders(uris.map((uri) => ({ uri })));
  expect(folders).toEqual(['/home/ada/project', '/home/ada/with blank', '/home/eve']);
  expect(refused).toHaveLength(8);
});

it('takes a bounded number, and shows what it refuses without hidden characters', () => {
  const roots = Array.from({ length: 100 }, (_, index) => ({ uri: `file:///p${index}` }));
  expect(rootFolders(roots).folders).toHaveLength(16);
  expect(rootFolders([{ uri: 'evil:\u{202e}x' }]).refused[0]).toContain('\\u{202E}');
});

it('never gives a relative path, whatever the client sends', () => {
  assert(
    property(
      oneof(
        string(),
        webUrl(),
        string().map((text) => `file://${text}`),
      ),
      (uri) => {
        const { folders } = rootFolders([{ uri }]);
        expect(folders.every((folder) => isAbsolute(folder) && !folder.includes('\0'))).toBe(true);
      },
    ),
  );
});
