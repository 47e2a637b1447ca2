import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../commands/index.generated.ts';
import { resolvePaths } from '../platform/paths.ts';
import { createPlatform } from '../platform/select.ts';
import type { DaemonFacts } from '../ports/daemon.ts';
import type { LogPort } from '../ports/log.ts';
import type { Platform } from '../ports/platform.ts';
import { createRegistry } from '../registry/registry.ts';
import type { Caller } from '../model/sessions/caller.ts';
import { createHost } from './create-host.ts';
import type { Host } from './host.ts';
import { configurationOf } from './process-log.ts';
import { createMemoryStore } from '../sessions/memory-store.ts';

export interface HostOptions extends Caller {
  /** Default: the machine that this runs on. */
  readonly platform?: Platform | undefined;
  readonly version: string;
  /** With the hash of the sources, so that two builds of one version do not share what they leave running. */
  readonly build?: string | undefined;
  /** Whether this process lives on when a call has been answered, and so can own private desktops. Default false. */
  readonly isPersistent?: boolean | undefined;
  /** Whether commands get what the user's login shell has, as clients may be started from a desktop. Default false. */
  readonly asksLoginShell?: boolean | undefined;
  /** Where references are kept: with the user's other sessions, or for as long as this process lives. Default `files`. */
  readonly sessionsIn?: 'files' | 'memory' | undefined;
  /** Default: nothing is logged. */
  readonly log?: LogPort | undefined;
  readonly daemonFacts?: (() => Omit<DaemonFacts, 'desktops' | 'activeCalls'>) | undefined;
}

const SILENT: LogPort = { write: () => undefined, flush: async () => undefined };

/** The host of a real machine. Engine and platform are loaded when a command first needs a desktop. */
export function openHost(options: HostOptions): Host {
  const { environment, cwd, version, isPersistent = false, sessionsIn = 'files', log = SILENT } = options;
  const { platform = createPlatform() } = options;
  const { files, clock, desktops, sessionStores } = platform;
  const lines = () => import('./lines/operation-parts.ts');
  return createHost({
    registry: createRegistry(commands),
    files,
    documents: () => platform.documents(),
    clock,
    system: { version, ...platform.facts() },
    caller: { environment, cwd },
    desktops,
    createEngine: async (parts) => {
      const { createEngine } = await import('../engine/create-engine.ts');
      return createEngine(parts);
    },
    sessionFolder: (of) => (sessionsIn === 'memory' ? '' : join(resolvePaths(of).state, 'sessions')),
    openSession:
      sessionsIn === 'memory'
        ? () => createMemoryStore()
        : (folder, session, note) => sessionStores.open(join(folder, session), note),
    storedSessions: (folder) => (sessionsIn === 'memory' ? Promise.resolve([]) : sessionStores.names(folder)),
    outlivesCalls: isPersistent,
    configuration: (of) => configurationOf(platform, of),
    folders: (of) => resolvePaths(of),
    openOperations: async (of) => (await lines()).openOperations(platform, of, options.build ?? version),
    openTerminals: async (of) => (await lines()).openTerminals(platform, of, options.build ?? version),
    readyFolder: readyToolFolder(),
    sandbox: async () => (await lines()).openSandbox(platform),
    askLoginShell: options.asksLoginShell === true ? (of) => platform.loginEnvironment(of) : undefined,
    platform,
    log,
    daemonFacts: options.daemonFacts,
    openLiveView: async () => {
      const { LiveView } = await import('../sessions/live-view.ts');
      return new LiveView();
    },
  });
}

/** Beside the folder of the bundles; from source, beside that. */
function readyToolFolder(): string {
  const places = ['../tools', '../../tools'].map((folder) => join(import.meta.dirname, folder));
  return places.find((folder) => existsSync(folder)) ?? join(import.meta.dirname, 'tools');
}
