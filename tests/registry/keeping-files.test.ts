import { expect, it } from 'vitest';
import { keepingFiles } from '../../src/registry/wrappers/keeping-files.ts';
import type { FilesPort } from '../../src/ports/files.ts';

function filesWith(...existing: string[]) {
  const written: string[] = [];
  const files: FilesPort = {
    read: async () => undefined,
    find: async (path) =>
      existing.includes(path) ? { path, kind: 'file', bytes: 1, isWritable: true } : undefined,
    writeAtomic: async (path) => void written.push(path),
  };
  return { files, written };
}

it('replaces no file in the mode sandboxed, and writes new ones', async () => {
  const { files, written } = filesWith('/home/me/.bashrc');
  const kept = keepingFiles({ mode: 'sandboxed' }, files);
  await expect(kept.writeAtomic('/home/me/.bashrc', 'x')).rejects.toMatchObject({
    code: 'POLICY_DENIED',
    message: expect.stringContaining('/home/me/.bashrc'),
    suggestion: expect.stringContaining('does not exist'),
  });
  await kept.writeAtomic('/home/me/new.png', 'x');
  expect(written).toEqual(['/home/me/new.png']);
});

it('replaces files in the other modes', async () => {
  const { files, written } = filesWith('/home/me/old.png');
  for (const mode of ['normal', 'safe'] as const)
    await keepingFiles({ mode }, files).writeAtomic('/home/me/old.png', 'x');
  expect(written).toHaveLength(2);
});
