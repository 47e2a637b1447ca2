import { mkdir } from 'node:fs/promises';
import type { SandboxPort } from '../../../ports/sandbox.ts';
import { confinedEnvironment } from './environment.ts';
import { programReads } from './landlock/program-reads.ts';
import { detectSandboxLevel } from './levels/sandbox-level.ts';

/** Whoever may write there as root changes the kernel, and with it what is outside. */
const OF_THE_KERNEL = ['/proc', '/sys'];
/** Disks and terminals; what is below it, such as `/dev/shm`, may well be a place to work in. */
const DEVICES = '/dev';

export interface SandboxParts {
  /** The bundle that confines its thread. */
  readonly workerFile: string;
}

export function createSandbox(parts: SandboxParts): SandboxPort {
  return {
    preferred: 'landlock',
    isSystemFolder: (folder) =>
      folder === DEVICES || OF_THE_KERNEL.some((path) => folder === path || folder.startsWith(`${path}/`)),
    environment: async ({ environment: inherited, folder, unixSockets, pass }) => {
      const { environment, folders } = confinedEnvironment(inherited, { folder, unixSockets, keep: pass });
      for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 });
      return environment;
    },
    programs: programReads,
    level: () => detectSandboxLevel(parts),
  };
}
