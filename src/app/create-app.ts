import type { ClockPort } from '../ports/clock.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { Caller } from '../model/sessions/caller.ts';
import type { TerminalView } from '../ports/terminals.ts';
import { underPolicy } from '../policy/current-policy.ts';
import { refusalOfReached } from '../policy/refusal-of-reached.ts';
import { commandLineSpeller } from '../registry/command-line-speller.ts';
import { asDeskterityError } from '../registry/wrappers/classify-errors.ts';
import { DesktopPool } from '../sessions/desktop-pool.ts';
import { withUserDesktop } from '../sessions/find-desktop.ts';
import { SessionHomes } from '../sessions/session-homes.ts';
import { Watches } from '../sessions/watches.ts';
import type { App, AppParts } from './app.ts';
import { Calls } from './calls.ts';
import { clientProjects } from './client-projects.ts';
import { CommandLineTools } from './command-line-tools.ts';
import { guarding, notedCalls } from './guarding.ts';
import { openedTasks } from './opened-tasks.ts';
import { policyFolders, policyOrClosed } from './policies.ts';

/** Connects the rooms. */
export function createApp(parts: AppParts): App {
  const { clock, desktops, registry } = parts;
  const pool = new DesktopPool(desktops);
  const watches = new Watches(clock);
  const { guarded, noteCaller, notePeer, programs, forTerminals, requireLaunchable } = guarding(parts);
  const commandLine = new CommandLineTools(parts, {
    desktopOf: async (environment) => forTerminals((await pool.get(environment)).port),
    requireLaunchable,
  });
  const homes = new SessionHomes({
    pool,
    factory: desktops,
    folderOf: parts.sessionFolder,
    openStore: parts.openSession,
    storedNames: parts.storedSessions,
    clock,
    createEngine: async (needed) =>
      parts.createEngine({
        ...needed,
        desktop: guarded(needed.desktop),
        clock,
        keepsJournal: parts.outlivesCalls,
      }),
    terminalDesktop: (view) => openTerminalDesktop(view, clock),
    outlivesCalls: parts.outlivesCalls,
    guarded,
    openLiveView: parts.openLiveView,
  });
  const calls = new Calls(parts, homes, commandLine, programs);
  const speller = commandLineSpeller(registry);
  return {
    ...notedCalls({ calls, noteCaller, speller, attachments: () => commandLine.terminals.attachments }),
    notePeer,
    watch: watching(parts, homes, watches, noteCaller),
    commands: registry.commands,
    commandLineSpeller: speller,
    toolsOf: async (caller) => {
      const { values } = await parts.configuration(caller.environment);
      return commandLine.offered({ caller, session: '', configuration: values });
    },
    ...policyFrom(parts),
    ...openedTasks(parts),
    clientProjects: (caller, folders) => clientProjects(parts, caller, folders),
    ...settingsFrom(parts),
    terminalFacts: (caller) => commandLine.terminals.facts(caller),
    prepareTools: (caller) => commandLine.prepare(caller),
    watchCommandEnds: (session, listener, caller = parts.caller) =>
      commandLine.terminals.watchCommandEnds(caller.environment, session, listener),
    findDesktop: (caller) => withUserDesktop(caller, desktops),
    displayIn: (environment) => desktops.displayIn(environment),
    isDesktopOpen: (environment) => pool.isOpen(environment),
    platformName: parts.system.platform,
    openTemporarySession: (prefix, caller, { beside } = {}) => homes.openTemporary(prefix, caller, beside),
    sessions: homes.of(parts.caller),
    get activeCalls() {
      return calls.activeCalls;
    },
    keptBy: () => [
      ...homes.reasons,
      ...(pool.ownsClipboard ? ['the clipboard'] : []),
      ...watches.reasons,
      ...commandLine.reasons,
    ],
    close: async () => {
      watches.close();
      for (const each of [commandLine.otherServers, homes, pool]) await each.close();
      for (const each of [commandLine.terminals, parts.log]) await each.flush();
    },
  };
}

/** What a caller hears is what the policy of its environment lets it read. */
function watching(
  parts: AppParts,
  homes: SessionHomes,
  watches: Watches,
  noteCaller: (caller: Caller) => Promise<void>,
): App['watch'] {
  return async (session, topic, listener, settings = {}) => {
    const { caller = parts.caller, mayCreateSession = false } = settings;
    await noteCaller(caller);
    const { values } = await parts.configuration(caller.environment);
    try {
      const place = homes.enter(session, caller, values.private_desktop, mayCreateSession);
      const policy = await parts.policy(caller);
      return await underPolicy(policy, () => watches.start(place, topic, listener, settings));
    } catch (error) {
      throw asDeskterityError(error, 'watch');
    }
  };
}

/** Loaded with the first terminal. */
async function openTerminalDesktop(view: TerminalView, clock: ClockPort): Promise<DesktopPort> {
  const { TerminalDesktop } = await import('../terminal/desktop/terminal-desktop.ts');
  return new TerminalDesktop(view, clock);
}

function policyFrom(parts: AppParts): Pick<App, 'policyOf' | 'refusalOf' | 'watchPolicy'> {
  const policyOf: App['policyOf'] = (caller) => policyOrClosed(parts.policy, caller);
  return {
    policyOf,
    refusalOf: async (caller, reached) => refusalOfReached(reached, await policyOf(caller)),
    watchPolicy: (caller, listener) => {
      const folders = policyFolders(caller, parts.folders(caller.environment).config);
      const ends = folders.map((folder) => parts.platform.folders.watch(folder, listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function settingsFrom({ configuration }: AppParts): Pick<App, 'mcpSettings' | 'chosenScope'> {
  return {
    mcpSettings: async ({ environment }) => (await configuration(environment)).values.mcp,
    chosenScope: async ({ environment }) =>
      (await configuration(environment)).values.sandbox.scope || (environment['AHMA_SANDBOX_SCOPE'] ?? ''),
  };
}
