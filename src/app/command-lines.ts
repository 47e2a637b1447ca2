import { Configuration } from '../model/configuration/config.ts';
import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { DoctorCheck } from '../model/effects/doctor.ts';
import type { FinishedCommand } from '../model/terminals/finished-command.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { TerminalDialect } from '../model/terminals/terminal-action.ts';
import type { TerminalAnswer } from '../model/terminals/terminal-answer.ts';
import type { LogPort } from '../ports/log.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { RunsPort } from '../ports/runs.ts';
import type { TerminalsPort } from '../ports/terminals.ts';
import type { ToolsPort } from '../ports/tools.ts';
import { registerCommand } from '../registry/registry.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { CallerTools, AppParts } from './app.ts';
import type { LineCheckRequest } from './check-command-lines.ts';
import { loggedTerminals } from './terminals/logged-terminals.ts';
import { CommandEnvironments } from '../operations/command-environments.ts';
import { OpenedOperations } from '../operations/opened-operations.ts';
import { createRuns } from '../operations/runs.ts';
import { SandboxMeans } from '../operations/confinement/sandbox-means.ts';
import { OpenedTerminals } from './terminals/opened-terminals.ts';
import { showFinished } from './terminals/show-finished.ts';
import type { StartTerminalParts } from './terminals/start-terminal.ts';
import type { TerminalCallOptions, TerminalCallParts } from './terminals/terminal-calls.ts';
import { TerminalLogs } from './terminals/terminal-logs.ts';
import { TerminalNews } from './terminals/terminal-news.ts';
import { TerminalSeats } from './terminals/terminal-seats.ts';
import type { TerminalTool } from './terminals/terminal-words.ts';
import type { ToolCaller, ToolFiles } from '../toolfiles/tool-files.ts';

export interface LineCaller {
  readonly caller: Caller;
  readonly session: string;
  readonly configuration: Configuration;
}

/** What commands can reach of command-line tools. */
export interface LinePorts {
  operations(): Promise<OperationsPort>;
  terminals(): Promise<TerminalsPort>;
  terminalCall(
    given: Readonly<Record<string, unknown>>,
    options: TerminalCallOptions,
  ): Promise<TerminalAnswer>;
  runs(): Promise<RunsPort>;
  tools(): Promise<ToolsPort>;
  checkCommandLine(request: LineCheckRequest): Promise<readonly DoctorCheck[]>;
}

/** Command-line tools of all callers: their operations, sandboxes and tool files. */
export class CommandLine {
  private readonly parts: AppParts;
  private readonly operations: OpenedOperations;
  private readonly terminals: OpenedTerminals;
  private readonly terminalNews: TerminalNews;
  private readonly terminalLogs = new TerminalLogs();
  private readonly environments: CommandEnvironments;
  private readonly means: SandboxMeans;
  /** Who sits before terminals. */
  readonly seats: TerminalSeats;
  private readonly desktopOf: (environment: Environment) => Promise<DesktopPort>;
  private toolFiles: Promise<ToolFiles<RegisteredCommand>> | undefined;

  constructor(parts: AppParts, desktopOf: (environment: Environment) => Promise<DesktopPort>) {
    this.parts = parts;
    this.desktopOf = desktopOf;
    this.seats = new TerminalSeats((environment) => this.terminals.of(environment));
    this.operations = new OpenedOperations(parts);
    this.terminalNews = new TerminalNews({
      show: (environment, finished) => showFinished(parts.log, environment, finished),
    });
    this.terminals = new OpenedTerminals(parts, (ended) => this.terminalNews.ended(ended));
    this.means = new SandboxMeans(parts.sandbox);
    this.environments = new CommandEnvironments({ ...parts, ask: parts.askLoginShell });
  }

  of(
    line: LineCaller,
    {
      resolved,
      refs,
    }: { readonly resolved: ResolvedConfiguration; readonly refs: TerminalCallParts['refs'] },
  ): LinePorts {
    const { environment } = line.caller;
    const ports = {
      operations: () => this.operations.of(environment),
      terminals: () => this.terminalsOf(line),
      runs: () => this.runs(line),
      tools: async () => (await this.files()).portFor(await this.toolCaller(line)),
    };
    return {
      ...ports,
      terminalCall: async (given, options) => {
        const { callFor } = await import('./terminals/terminal-desk.ts');
        return callFor(
          {
            ...this.parts,
            seats: this.seats,
            desktopOf: this.desktopOf,
            start: this.startTerminalParts(line),
            configuration: resolved,
            terminals: ports.terminals,
            refs,
            log: () => this.terminalLog(line),
          },
          given,
          options,
        );
      },
      checkCommandLine: async (request) => {
        const { checkCommandLine } = await import('./check-command-lines.ts');
        const { sandbox, clock, platform } = this.parts;
        const memoryOf = platform.processes.residentBytes;
        const { terminalCheckParts } = await import('./terminals/terminal-check-parts.ts');
        const terminal = terminalCheckParts({
          start: this.startTerminalParts(line),
          terminals: ports.terminals,
          cache: this.parts.folders(environment).cache,
        });
        return checkCommandLine({ ...line, ...ports, sandbox, clock, memoryOf, terminal }, request);
      },
    };
  }

  /** A tool of a tool file as a command. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, TOOL_INVALID, SANDBOX_UNAVAILABLE */
  async findTool(line: LineCaller, name: string): Promise<RegisteredCommand> {
    return (await this.files()).find(await this.toolCaller(line), name);
  }

  /** Tools that a client is offered by name. */
  async offered(line: LineCaller): Promise<CallerTools> {
    return (await this.files()).offered(await this.toolCaller(line));
  }

  /** Makes ready what the first command of this caller needs. Never rejects. */
  async prepare(caller: Caller): Promise<void> {
    const { configuration, log } = this.parts;
    this.environments.warm(caller.environment);
    try {
      const { values } = await configuration(caller.environment);
      await (await this.runs({ caller, session: '', configuration: values })).prepare();
    } catch (error) {
      const code = error instanceof DeskterityError ? error.code : 'INTERNAL';
      log.write({ level: 'debug', message: 'nothing was prepared for commands', fields: { error: code } });
    }
  }

  withNews(
    environment: Environment,
    session: string,
    output: Record<string, unknown>,
  ): Record<string, unknown> {
    const commands = this.terminalNews.take(this.starter(environment, session));
    const told = this.operations.withNews(environment, session, output);
    return commands.length === 0 ? told : { finished_commands: commands, ...told };
  }

  /** Calls `hear` for each command that a session left running in a terminal and that ends, where the session is to be told by MCP. */
  watchCommandEnds(
    environment: Environment,
    session: string,
    hear: (finished: FinishedCommand) => void,
  ): () => void {
    return this.terminalNews.watch(this.starter(environment, session), hear);
  }

  /** Resolves when all that is noted of terminals is in files. */
  flush(): Promise<void> {
    return this.terminalLogs.flush();
  }

  /** To be called after each call, also one that failed. */
  afterCall(environment: Environment): void {
    this.terminals.look(environment);
  }

  /** Never rejects. */
  async terminalTool(caller: Caller, dialect: TerminalDialect): Promise<TerminalTool> {
    const configuration = await this.parts
      .configuration(caller.environment)
      .catch(() => ({ values: Configuration.parse({}), entries: [] }));
    const { toolFor } = await import('./terminals/terminal-desk.ts');
    const start = this.startTerminalParts({ caller, session: '', configuration: configuration.values });
    return toolFor({ start, configuration, system: this.parts.system }, dialect);
  }

  /** As phrases: what the process is needed for. */
  get why(): readonly string[] {
    return [...this.operations.why, ...this.terminals.why];
  }

  private async terminalsOf(line: LineCaller): Promise<TerminalsPort> {
    const { caller, session, configuration } = line;
    const { environment } = caller;
    const opened = await this.terminals.of(environment);
    const log = await this.terminalLog(line);
    const port = loggedTerminals(opened, log, this.parts.clock);
    const by = {
      session: this.starter(environment, session),
      notify: configuration.terminal.notify,
      environment,
      log,
    };
    return { ...port, run: this.terminalNews.following((...asked) => port.run(...asked), by) };
  }

  private terminalLog({ caller, configuration }: LineCaller): Promise<LogPort> {
    const { cache } = this.parts.folders(caller.environment);
    return this.terminalLogs.of({ caller, configuration, cache });
  }

  /** Sessions of other folders may have the same name. */
  private starter(environment: Environment, session: string): string {
    return JSON.stringify([this.parts.folders(environment).state, session.toLowerCase()]);
  }

  private runs({ caller, session, configuration }: LineCaller): Promise<RunsPort> {
    const { parts, operations, means } = this;
    const { environment } = caller;
    return createRuns({
      caller,
      session,
      configuration,
      folders: parts.folders(environment),
      operations: () => operations.of(environment),
      onBegun: (view) => operations.begun(environment, view),
      sandbox: parts.sandbox,
      means,
      environment: () => this.environments.of(environment),
    });
  }

  private startTerminalParts({ caller, configuration }: LineCaller): StartTerminalParts {
    return {
      caller,
      configuration,
      folders: this.parts.folders(caller.environment),
      sandbox: this.parts.sandbox,
      means: this.means,
      environment: () => this.environments.of(caller.environment),
    };
  }

  private async toolCaller(line: LineCaller): Promise<ToolCaller> {
    const { caller, configuration } = line;
    return {
      caller,
      runs: await this.runs(line),
      environment: () => this.environments.of(caller.environment),
      operations: () => this.operations.of(caller.environment),
      moreTools: configuration.tools.folder,
      graceSeconds: Math.round(configuration.operations.grace_ms / 1000),
      isAlwaysSynchronous: configuration.operations.synchronous,
    };
  }

  private files(): Promise<ToolFiles<RegisteredCommand>> {
    this.toolFiles ??= import('../toolfiles/tool-files.ts').then(
      ({ ToolFiles: Files }) =>
        new Files({
          ...this.parts,
          register: registerCommand,
          taken: new Set(
            this.parts.registry.commands.flatMap(({ toolName }) =>
              toolName === undefined ? [] : [toolName],
            ),
          ),
        }),
    );
    return this.toolFiles;
  }
}
