import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../commands/index.generated.ts';
import { createClock } from '../platform/node/clock.ts';
import { createConfigurationLoader } from '../platform/node/configuration/configuration-file.ts';
import { createFiles } from '../platform/node/files.ts';
import { createSessionStore } from '../platform/node/session-store.ts';
import { systemFacts } from '../platform/node/system.ts';
import { resolvePaths } from '../platform/paths.ts';
import type { DaemonFacts } from '../ports/daemon.ts';
import type { LogPort } from '../ports/log.ts';
import { createRegistry } from '../registry/registry.ts';
import type { Caller } from '../model/sessions/caller.ts';
import type { DesktopFactory } from '../sessions/desktop-pool.ts';
import { createHost } from './create-host.ts';
import type { Host } from './host.ts';
import { createMemoryStore } from '../sessions/memory-store.ts';

export interface HostOptions extends Caller {
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
  const files = createFiles();
  const configurations = createConfigurationLoader();
  return createHost({
    registry: createRegistry(commands),
    files,
    documents: async () => (await import('../platform/node/documents/documents.ts')).createDocuments(),
    clock: createClock(),
    system: { version, ...systemFacts() },
    caller: { environment, cwd },
    desktops: desktopFactory(),
    createEngine: async (parts) => {
      const { createEngine } = await import('../engine/create-engine.ts');
      return createEngine(parts);
    },
    sessionFolder: (of) => (sessionsIn === 'memory' ? '' : join(resolvePaths(of).state, 'sessions')),
    openSession:
      sessionsIn === 'memory'
        ? () => createMemoryStore()
        : (folder, session, note) => createSessionStore({ files, folder: join(folder, session), note }),
    storedSessions: (folder) => (sessionsIn === 'memory' ? Promise.resolve([]) : foldersIn(folder)),
    outlivesCalls: isPersistent,
    configuration: (of) => configurations({ environment: of, configFolder: resolvePaths(of).config }),
    folders: (of) => resolvePaths(of),
    openOperations: async (of) =>
      (await import('./lines/operation-parts.ts')).openOperations(of, options.build ?? version),
    openTerminals: async (of) =>
      (await import('./lines/operation-parts.ts')).openTerminals(of, options.build ?? version),
    readyFolder: readyToolFolder(),
    sandbox: async () => (await import('./lines/operation-parts.ts')).openSandbox(),
    askLoginShell:
      options.asksLoginShell === true
        ? async (of) => (await import('./lines/operation-parts.ts')).askLoginShell(of)
        : undefined,
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

function desktopFactory(): DesktopFactory {
  const platform = () => import('../platform/select.ts');
  return {
    open: async (environment) => (await platform()).selectDesktop(environment),
    keyOf: async (environment) => (await platform()).desktopKey(environment),
    startPrivate: async (request) => (await platform()).startPrivateDesktop(request),
    otherDisplays: async (environment) => (await platform()).otherLiveDisplays(environment),
    findUserDesktop: async (environment) => (await platform()).findUserDesktop(environment),
  };
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // Nobody has had a session yet, or the folder cannot be read: then none is known.
    return [];
  }
}
