import { join } from 'node:path';
import { commands } from '../commands/index.generated.ts';
import { createClock } from '../platform/node/clock.ts';
import { createFiles } from '../platform/node/files.ts';
import { createSessionStore } from '../platform/node/session-store.ts';
import { systemFacts } from '../platform/node/system.ts';
import { resolvePaths } from '../platform/paths.ts';
import { createRegistry } from '../registry/registry.ts';
import { createHost } from './host.ts';
import type { Host } from './host.ts';

export interface HostOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
}

/** The host of a real machine. Engine and platform are loaded when a command first needs a desktop. */
export function openHost({ environment, cwd, version }: HostOptions): Host {
  const files = createFiles();
  const sessions = join(resolvePaths(environment).state, 'sessions');
  return createHost({
    registry: createRegistry(commands),
    files,
    clock: createClock(),
    system: { version, ...systemFacts() },
    cwd,
    openDesktop: async () => {
      const { selectDesktop } = await import('../platform/select.ts');
      return selectDesktop(environment);
    },
    createEngine: async (parts) => {
      const { createEngine } = await import('../engine/create-engine.ts');
      return createEngine(parts);
    },
    openSession: (session, note) => createSessionStore({ files, folder: join(sessions, session), note }),
  });
}
