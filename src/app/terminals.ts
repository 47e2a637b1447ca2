import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  completeConfiguration,
  type Configuration,
  type ResolvedConfiguration,
} from '../model/configuration/config.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { FinishedCommand } from '../model/terminals/finished-command.ts';
import { terminalSettings, type TerminalFacts } from '../model/terminals/terminal-settings.ts';
import { daemonSocket, logFolder } from '../platform/paths.ts';
import type { Policy } from '../model/policy/verdict.ts';
import type { LogPort } from '../ports/log.ts';
import type { TerminalUseCases } from '../ports/terminals/terminal-use-cases.ts';
import type { TerminalsPort } from '../ports/terminals.ts';
import { withUserDesktop } from '../sessions/find-desktop.ts';
import { once } from '../sessions/once.ts';
import { Attachments } from '../terminal/sessions/attachments.ts';
import { CommandEvents } from '../terminal/sessions/command-events.ts';
import { ownedTerminals } from '../terminal/sessions/owned-terminals.ts';
import { loggedTerminals } from '../terminal/sessions/logged-terminals.ts';
import { OpenedTerminals } from '../terminal/sessions/opened-terminals.ts';
import { terminalLogFolder, TerminalLogs } from '../terminal/sessions/terminal-logs.ts';
import type { ApplicationWindowsParts } from '../terminal/windows/application-windows.ts';
import type { WindowMachine } from '../terminal/windows/terminal-windows.ts';
import type { AppParts } from './app.ts';
import type { CommandLineCheckParts } from './check-command-line.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { guardedTerminals } from '../policy/guard/guarded-terminals.ts';
import { confineTerminal } from '../terminal/use-cases/start-terminal.ts';
import type { ConfineTerminalParts, StartTerminalParts } from '../terminal/use-cases/start-terminal.ts';

export interface TerminalsParts extends AppParts, Pick<ConfineTerminalParts, 'sandboxes'> {
  /** The environment of programs for a caller with this environment. */
  readonly programEnvironment: (environment: Environment) => Promise<Environment>;
  readonly showing: Pick<ApplicationWindowsParts, 'desktopOf' | 'requireLaunchable'>;
}

/** A call's caller, session and settings. */
export interface CallScope {
  readonly caller: Caller;
  readonly session: string;
  readonly configuration: Configuration;
  /** Absent where nothing is called yet. */
  readonly policy?: Policy | undefined;
  /** See {@link CallSettings.onOperation}. */
  readonly onOperation?: ((operationId: string) => void) | undefined;
  /** Receives secret values that a command or another server is given, which the session's answers must not repeat. */
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined;
}

/** Terminals of all callers. */
export class Terminals {
  readonly attachments: Attachments;
  private readonly parts: TerminalsParts;
  private readonly opened: OpenedTerminals;
  private readonly events: CommandEvents;
  private readonly logs: TerminalLogs;

  constructor(parts: TerminalsParts) {
    const { platform, log } = parts;
    this.parts = parts;
    this.logs = new TerminalLogs(platform.logs);
    this.events = new CommandEvents({ log, showNotice: platform.showNotice });
    this.opened = new OpenedTerminals(parts, (ended) => this.events.ended(ended));
    this.attachments = new Attachments(async (environment) =>
      guardedTerminals(await this.opened.of(environment), currentPolicy),
    );
  }

  /** Terminals kept by holders; what this caller does with them is logged. */
  async kept(of: CallScope): Promise<TerminalsPort> {
    const { environment } = of.caller;
    const opened = ownedTerminals(await this.opened.of(environment), of.caller.owner);
    const log = await this.log(of);
    const port = loggedTerminals(guardedTerminals(opened, currentPolicy), log, this.parts.clock);
    const by = {
      session: this.starter(environment, of.session),
      notify: of.configuration.terminal.notify,
      environment,
      log,
    };
    return { ...port, run: this.events.tracking((...asked) => port.run(...asked), by) };
  }

  /** @param refs gives terminals references in the caller's session */
  async useCases(
    of: CallScope,
    resolved: ResolvedConfiguration,
    refs: (ids: readonly string[]) => Promise<readonly string[]>,
  ): Promise<TerminalUseCases> {
    const { parts, attachments } = this;
    const { caller } = of;
    const { system, desktops, showing, clock, outlivesCalls } = parts;
    const { createTerminalUseCases } = await import('../terminal/use-cases/terminal-use-cases.ts');
    const { ApplicationWindows } = await import('../terminal/windows/application-windows.ts');
    const found = once(() => withUserDesktop(caller, desktops));
    const settings = terminalSettings(resolved);
    const terminals = () => this.kept(of);
    return createTerminalUseCases({
      terminals,
      cwd: caller.cwd,
      start: this.start(of),
      refs,
      settings,
      version: system.version,
      log: () => this.log(of),
      windows: new ApplicationWindows({
        environment: async () => (await found.get()).environment,
        settings,
        terminals,
        attachments,
        machine: await this.machine(),
        ...showing,
        clock,
        isDaemon: outlivesCalls,
        program: system.program && [system.program.node, system.program.script],
      }),
    });
  }

  /** Facts for this caller's description of the terminal tools. Never rejects. */
  async facts({ environment }: Caller): Promise<TerminalFacts> {
    const { configuration, system } = this.parts;
    const resolved = await configuration(environment).catch(() => ({
      values: completeConfiguration(),
      entries: [],
    }));
    const { applicationTitle } = await import('../terminal/windows/application-windows.ts');
    return {
      settings: terminalSettings(resolved),
      app: applicationTitle(await this.machine(), resolved.values.terminal.app, environment),
      version: system.version,
      system: systemName(system.platform),
    };
  }

  /** What `desk doctor` tests terminals with: the same as this caller's calls. */
  async checkParts(of: CallScope): Promise<CommandLineCheckParts['terminal']> {
    const { caller } = of;
    const { platform } = this.parts;
    const start = await import('../terminal/use-cases/start-terminal.ts');
    const { path: shell, inPlaceOf } = start.shellFor(caller.environment);
    return {
      terminals: () => this.kept(of),
      start: async (port, tag) =>
        start.startTerminal(this.start(of), port, {
          name: { projectPath: await realpath(caller.cwd), tag },
          isConfined: false,
          size: start.USUAL_SIZE,
        }),
      shell,
      inPlaceOf,
      applications: await platform.terminalApplications(),
      findProgram: platform.programs.find,
      isExecutable: platform.programs.isExecutable,
      logFolder: () => terminalLogFolder(platform.logs, this.logCaller(of)),
    };
  }

  /** Commands that the session left running and that ended since its last answer. */
  takeFinished(environment: Environment, session: string): readonly FinishedCommand[] {
    return this.events.take(this.starter(environment, session));
  }

  /** Calls `listener` when a command ends that the session left running, if `terminal.notify` is mcp. */
  watchCommandEnds(
    environment: Environment,
    session: string,
    listener: (finished: FinishedCommand) => void,
  ): () => void {
    return this.events.watch(this.starter(environment, session), listener);
  }

  /** Must run after every call, including failed ones. */
  afterCall(environment: Environment): void {
    this.opened.refreshCount(environment);
  }

  /** Why the process is needed, as phrases. */
  get reasons(): readonly string[] {
    return this.opened.reasons;
  }

  /** Resolves when all log entries are written. */
  flush(): Promise<void> {
    return this.logs.flush();
  }

  private start({ caller, configuration }: CallScope): StartTerminalParts {
    const { parts } = this;
    const environment = () => parts.programEnvironment(caller.environment);
    return {
      callerEnvironment: caller.environment,
      environment,
      confine: confineTerminal({
        caller,
        configuration,
        folders: parts.folders(caller.environment),
        sandbox: parts.sandbox,
        sandboxes: parts.sandboxes,
        environment,
      }),
      budgetBytes: configuration.operations.output_mb * 1024 * 1024,
    };
  }

  private async machine(): Promise<WindowMachine> {
    const { programs, processes, terminalApplications } = this.parts.platform;
    const socketFolder = (environment: Environment) => dirname(daemonSocket(environment));
    return { programs, processes, applications: await terminalApplications(), socketFolder };
  }

  private log(of: CallScope): Promise<LogPort> {
    return this.logs.of(this.logCaller(of));
  }

  private logCaller({ caller, configuration }: CallScope) {
    const { cache } = this.parts.folders(caller.environment);
    return { caller, configuration, usual: logFolder(cache) };
  }

  /** Sessions in other state folders may have the same name. */
  private starter(environment: Environment, session: string): string {
    return JSON.stringify([this.parts.folders(environment).state, session.toLowerCase()]);
  }
}

/** The common name of an operating system. */
function systemName(platform: string): string {
  return { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }[platform] ?? platform;
}
