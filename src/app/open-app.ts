import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../commands/index.generated.ts';
import type { OperationsParts } from '../operations/operation-parts.ts';
import { holderSocket, logFolder, resolvePaths } from '../platform/paths.ts';
import { createPlatform } from '../platform/select.ts';
import type { DaemonFacts } from '../ports/daemon.ts';
import type { LogPort } from '../ports/log.ts';
import type { Platform } from '../ports/platform.ts';
import { createRegistry } from '../registry/registry.ts';
import { ruledCommands } from '../registry/ruled-commands.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import { createApp } from './create-app.ts';
import type { App } from './app.ts';
import { policyOfCaller } from './policies.ts';
import { configurationOf } from './process-log.ts';
import { createMemoryStore } from '../sessions/memory-store.ts';

export interface AppOptions extends Caller {
  /** Default: this machine. */
  readonly platform?: Platform | undefined;
  readonly version: string;
  /** With a hash of the sources, so that two builds of one version do not share what they leave running. */
  readonly build?: string | undefined;
  /** Whether this process continues after a call and can therefore own private desktops. Default false. */
  readonly isPersistent?: boolean | undefined;
  /** Whether commands also get the variables of the login shell, because clients may be started from a desktop. Default false. */
  readonly asksLoginShell?: boolean | undefined;
  /** Where references are stored: with the user's other sessions, or only in this process. Default `files`. */
  readonly sessionsIn?: 'files' | 'memory' | undefined;
  /** What calls, for the audit log. Default: the command line. */
  readonly client?: string | undefined;
  /** Default: nothing is logged. */
  readonly log?: LogPort | undefined;
  readonly daemonFacts?: (() => Omit<DaemonFacts, 'desktops' | 'activeCalls'>) | undefined;
}

/** Commands as rules can be about them. */
const RULED = ruledCommands(commands);

const SILENT: LogPort = { write: () => undefined, flush: async () => undefined };

/** The app on a real machine. The engine is loaded when a command first needs a desktop. */
export function openApp(options: AppOptions): App {
  const { environment, cwd, version, isPersistent = false, sessionsIn = 'files', log = SILENT } = options;
  const { platform = createPlatform() } = options;
  const { files, clock, desktops, sessionStores } = platform;
  const holders = (of: Environment) => holderParts(platform, of, options.build ?? version);
  return createApp({
    registry: createRegistry(commands),
    files,
    documents: () => platform.documents(),
    clock,
    system: { version, ...platform.facts(), desktopVariables: desktops.variables },
    caller: { environment, cwd, client: options.client },
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
    policy: (caller) =>
      policyOfCaller({ platform, commands: RULED }, caller, resolvePaths(caller.environment).config),
    folders: (of) => resolvePaths(of),
    openOperations: async (of) => {
      const { createOperations } = await import('../operations/operations.ts');
      return createOperations(await holders(of));
    },
    openTerminals: async (of) => {
      const { createTerminals } = await import('../terminal/sessions/terminals.ts');
      return createTerminals(await holders(of));
    },
    openTasks: async (of) => {
      const { TaskRecords } = await import('../sessions/tasks/task-records.ts');
      const folder = join(resolvePaths(of).state, 'tasks');
      const identity = await platform.processIdentity();
      await platform.makeFolder(folder, 0o700);
      return new TaskRecords({ folder, identity, locked: platform.withFileLock });
    },
    openAudit: async (keeping) => {
      const [{ AuditLog }, { isAuditFile }] = await Promise.all([
        import('../audit/audit-log.ts'),
        import('../audit/file-names.ts'),
      ]);
      const folder = await platform.auditFolder(join(resolvePaths(environment).state, 'audit'), isAuditFile);
      return new AuditLog({ folder, now: () => new Date(), keeping });
    },
    readyFolder: readyToolFolder(),
    sandbox: () => platform.sandbox({ workerFile: bundle('spawn-worker.js') }),
    askLoginShell: options.asksLoginShell === true ? (of) => platform.loginEnvironment(of) : undefined,
    platform,
    log,
    daemonFacts: options.daemonFacts,
    openLiveView: async () => {
      const { LiveView } = await import('../sessions/live/live-view.ts');
      return new LiveView();
    },
  });
}

/** What the ports need to reach the holders of this build. */
async function holderParts(
  platform: Platform,
  environment: Environment,
  build: string,
): Promise<OperationsParts> {
  const { state, cache } = resolvePaths(environment);
  return {
    stateFolder: state,
    logFolder: logFolder(cache),
    environment,
    build,
    holderFile: bundle('holder.js'),
    workerFile: bundle('spawn-worker.js'),
    socketFor: (name) => holderSocket(environment, name),
    identity: await platform.processIdentity(),
  };
}

/** A bundle of this program, which is in this file's folder or one above. */
function bundle(name: string): string {
  const [first = '', ...others] = ['.', '..'].map((folder) => join(import.meta.dirname, folder, name));
  return [first, ...others].find((file) => existsSync(file)) ?? first;
}

/** Next to the folder of the bundles; one level higher when run from source. */
function readyToolFolder(): string {
  const places = ['../tools', '../../tools'].map((folder) => join(import.meta.dirname, folder));
  return places.find((folder) => existsSync(folder)) ?? join(import.meta.dirname, 'tools');
}
