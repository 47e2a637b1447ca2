import { mkdir } from 'node:fs/promises';
import type { SandboxPort } from '../../../ports/sandbox.ts';
import { confinedEnvironment } from './environment.ts';
import { programReads } from './landlock/program-reads.ts';
import { detectSandboxLevel } from './levels/sandbox-level.ts';

export interface SandboxParts {
  /** The bundle that confines its thread. */
  readonly workerFile: string;
}

export function createSandbox(parts: SandboxParts): SandboxPort {
  return {
    environment: async ({ environment: inherited, folder, unixSockets, pass }) => {
      const { environment, folders } = confinedEnvironment(inherited, { folder, unixSockets, keep: pass });
      for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 });
      return environment;
    },
    programs: programReads,
    level: () => detectSandboxLevel(parts),
  };
}
