import { changedError } from '../model/effects/changed-error.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { Policy } from '../model/policy/verdict.ts';
import type { AuditFacts } from '../model/audit/entry.ts';
import type { AttachmentRequest, TerminalAttachment } from '../ports/terminals/attachments.ts';
import type { TerminalView } from '../ports/terminals.ts';
import { currentPolicy, underPolicy } from '../policy/current-policy.ts';
import { guardedDesktop } from '../policy/guarded-desktop.ts';
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
import { openedTasks } from './opened-tasks.ts';

/** Connects the rooms. */
export function createApp(parts: AppParts): App {
  const { clock, desktops, registry } = parts;
  const pool = new DesktopPool(desktops);
  const watches = new Watches(clock);
  const guarded = guarding(parts);
  const commandLine = new CommandLineTools(parts, async (environment) => (await pool.get(environment)).port);
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
    openLiveView: parts.openLiveView,
  });
  const calls = new Calls(parts, homes, commandLine);
  const speller = commandLineSpeller(registry);
  return {
    execute: (session, command, input, options = {}) => calls.execute(session, command, input, options),
    call: (session, command, input, options) => calls.call(session, command, input, options),
    answer: (session, command, input, options) => calls.answer(session, command, input, options),
    watch: (...request) => watchUnderPolicy({ parts, homes, watches }, request),
    commands: registry.commands,
    commandLineSpeller: speller,
    toolsOf: async (caller) => {
      const { values } = await parts.configuration(caller.environment);
      return commandLine.offered({ caller, session: '', configuration: values });
    },
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
    // Only the command line attaches.
    openAttachment: (caller, request) =>
      calls
        .recorded(caller, attachmentFacts(request), async (policy) =>
          boundTo(policy, await commandLine.terminals.attachments.open(caller, request)),
        )
        .catch((error: unknown) => {
          throw error instanceof DeskterityError ? changedError(error, speller) : error;
        }),
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

/** What is recorded of somebody who attaches to a terminal: from then on, what is typed there is theirs. */
function attachmentFacts({
  projectPath,
  tag,
  pid,
}: AttachmentRequest): AuditFacts & { readonly command: string } {
  return { command: 'terminal attach', does: 'admin', project: projectPath, tag, attached_pid: pid };
}

/** What is told later belongs to the policy of the call that asked for it. */
async function watchUnderPolicy(
  {
    parts,
    homes,
    watches,
  }: { readonly parts: AppParts; readonly homes: SessionHomes; readonly watches: Watches },
  [session, topic, listener, settings = {}]: Parameters<App['watch']>,
): ReturnType<App['watch']> {
  const { caller = parts.caller, mayCreateSession = false } = settings;
  const { values } = await parts.configuration(caller.environment);
  try {
    const place = homes.enter(session, caller, values.private_desktop, mayCreateSession);
    const policy = await parts.policy(caller);
    return await underPolicy(policy, () => watches.start(place, topic, listener, settings));
  } catch (error) {
    throw asDeskterityError(error, 'watch');
  }
}

/** Whoever attaches later, attaches under the policy of the call. */
function boundTo(policy: Policy, opened: TerminalAttachment): TerminalAttachment {
  return { ...opened, attach: (options) => underPolicy(policy, () => opened.attach(options)) };
}

/** One guarded port for each desktop, so that its sessions share what belongs to the port. Terminals show no applications. */
function guarding({ platform }: AppParts): (desktop: DesktopPort) => DesktopPort {
  const made = new WeakMap<DesktopPort, DesktopPort>();
  const executableOf = (pid: number) => platform.processes.executable(pid);
  return (desktop) => {
    if (desktop.screen !== undefined) return desktop;
    const port = made.get(desktop) ?? guardedDesktop(desktop, executableOf, currentPolicy);
    made.set(desktop, port);
    return port;
  };
}

/** Loaded with the first terminal. */
async function openTerminalDesktop(view: TerminalView, clock: ClockPort): Promise<DesktopPort> {
  const { TerminalDesktop } = await import('../terminal/desktop/terminal-desktop.ts');
  return new TerminalDesktop(view, clock);
}

function settingsFrom({ configuration }: AppParts): Pick<App, 'mcpSettings' | 'chosenScope'> {
  return {
    mcpSettings: async ({ environment }) => (await configuration(environment)).values.mcp,
    chosenScope: async ({ environment }) =>
      (await configuration(environment)).values.sandbox.scope || (environment['AHMA_SANDBOX_SCOPE'] ?? ''),
  };
}
