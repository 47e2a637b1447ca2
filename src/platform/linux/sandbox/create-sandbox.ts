import { mkdirSync } from 'node:fs';
import type { SandboxPort } from '../../../ports/sandbox.ts';
import { confinedEnvironment } from './environment.ts';
import { programReads } from './landlock/program-reads.ts';
import { detectSandboxLevel, type LevelOptions } from './levels/sandbox-level.ts';

/** Root could change the kernel by writing there, and so affect everything outside the sandbox. */
const KERNEL_FOLDERS = ['/proc', '/sys'];
/** Disks and terminals; folders below it, such as `/dev/shm`, are allowed as a scope. */
const DEVICES = '/dev';

export function createSandbox(options: LevelOptions): SandboxPort {
  return {
    preferred: 'landlock',
    isSystemFolder: (folder) =>
      folder === DEVICES || KERNEL_FOLDERS.some((path) => folder === path || folder.startsWith(`${path}/`)),
    environment: async ({ environment: inherited, folder, unixSockets, pass, only }) => {
      const { environment, folders } = confinedEnvironment(inherited, {
        folder,
        unixSockets,
        keep: pass,
        only,
      });
      // There are two dozen, and handing each to another thread takes longer than starting the command.
      for (const path of folders) mkdirSync(path, { recursive: true, mode: 0o700 });
      return environment;
    },
    programs: programReads,
    level: () => detectSandboxLevel(options),
  };
}
