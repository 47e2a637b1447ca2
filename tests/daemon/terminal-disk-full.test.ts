import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { onFullDisk, UNSHARED } from './full-disk.ts';

const mayMount = spawnSync('unshare', [...UNSHARED, 'mount -t tmpfs none "$0"', tmpdir()]).status === 0;

it.skipIf(!mayMount)(
  'on a disk that gets full, commands run on with their ends, and what they showed last (needs user namespaces to mount one)',
  async () => {
    const { flood, keptBytes, full, screen, after } = await onFullDisk(50_000);
    expect(flood).toEqual({ kind: 'completed', exitCode: 7, output: 'last line' });
    expect(keptBytes).toBeLessThan(4 * 1024 * 1024);
    expect(full).toEqual({ kind: 'completed', exitCode: 0, output: 'on a full disk' });
    expect(screen).toContain('on a full disk');
    expect(after).toEqual({ kind: 'completed', exitCode: 0, output: 'again' });
  },
);
