import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { DoctorCheck } from '../model/effects/doctor.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { CHECK } from '../model/tools/operation.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { RunsPort } from '../ports/runs.ts';
import type { TerminalUseCases } from '../ports/terminals/terminal-use-cases.ts';
import type { TerminalsPort } from '../ports/terminals.ts';
import type { ServersPort } from '../ports/upstream/servers.ts';
import type { ToolsPort } from '../ports/tools.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { CallerTools, AppParts } from './app.ts';
import type { CommandLineCheckRequest } from './check-command-line.ts';
import { CommandEnvironments } from '../operations/command-environments.ts';
import { OpenedOperations } from '../operations/opened-operations.ts';
import { operationsOfOwner, operationsOfProject } from '../operations/project-operations.ts';
import { sandboxScope } from '../operations/confinement/sandbox-scope.ts';
import { createRuns } from '../operations/runs.ts';
import { SandboxSelector } from '../operations/confinement/sandbox-selector.ts';
import { joinedTools } from './joined-tools.ts';
import { OtherServers } from './other-servers.ts';
import { Terminals, type CallScope, type TerminalsParts } from './terminals.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { guardedOperations, guardedServers } from '../policy/guard/guarded-outputs.ts';
import { registerCommand, type RegisteredCommand } from '../registry/registry.ts';
import type { ToolCaller, ToolFiles } from '../toolfiles/tool-files.ts';

/** What commands use of command-line tools. */
export interface CommandLinePorts {
  operations(of?: 'project' | 'all'): Promise<OperationsPort>;
  terminals(): Promise<TerminalUseCases>;
  readonly keptTerminals: () => Promise<TerminalsPort>;
  runs(): Promise<RunsPort>;
  tools(): Promise<ToolsPort>;
  servers(): Promise<ServersPort>;
  checkCommandLine(request: CommandLineCheckRequest): Promise<readonly DoctorCheck[]>;
}

/** Command-line tools of all callers: operations, sandboxes, terminals and tool files. */
export class CommandLineTools {
  private readonly parts: AppParts;
  private readonly operations: OpenedOperations;
  private readonly environments: CommandEnvironments;
  private readonly sandboxes: SandboxSelector;
  readonly terminals: Terminals;
  readonly otherServers: OtherServers;
  private toolFiles: Promise<ToolFiles<RegisteredCommand>> | undefined;

  constructor(parts: AppParts, showing: TerminalsParts['showing']) {
    this.parts = parts;
    this.operations = new OpenedOperations(parts);
    this.sandboxes = new SandboxSelector(parts.sandbox);
    this.environments = new CommandEnvironments({ ...parts, ask: parts.askLoginShell });
    this.terminals = new Terminals({
      ...parts,
      sandboxes: this.sandboxes,
      programEnvironment: (environment) => this.environments.of(environment),
      showing,
    });
    this.otherServers = new OtherServers({
      ...parts,
      requireLaunchable: showing.requireLaunchable,
      programEnvironment: (environment) => this.environments.of(environment),
      projectOf: (scope) => this.projectOf(scope),
    });
  }

  of(
    scope: CallScope,
    resolved: ResolvedConfiguration,
    refs: (ids: readonly string[]) => Promise<readonly string[]>,
  ): CommandLinePorts {
    const { environment } = scope.caller;
    const ports = {
      operations: async (of: 'project' | 'all' = 'project') => {
        const owned = operationsOfOwner(await this.operations.of(environment), scope.caller.owner);
        const all = guardedOperations(owned, currentPolicy);
        return of === 'all' ? all : operationsOfProject(all, await this.projectOf(scope));
      },
      terminals: () => this.terminals.useCases(scope, resolved, refs),
      keptTerminals: () => this.terminals.kept(scope),
      runs: () => this.runs(scope),
      tools: async () => (await this.files()).portFor(await this.toolCaller(scope)),
      servers: async () => guardedServers(await this.otherServers.portFor(scope), currentPolicy),
    };
    return {
      ...ports,
      checkCommandLine: async (request) => {
        const { checkCommandLine } = await import('./check-command-line.ts');
        const { sandbox, clock, platform } = this.parts;
        const memoryOf = platform.processes.residentBytes;
        const terminal = await this.terminals.checkParts(scope);
        return checkCommandLine({ ...scope, ...ports, sandbox, clock, memoryOf, terminal }, request);
      },
    };
  }

  /** A tool of a tool file as a command. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, TOOL_INVALID, SANDBOX_UNAVAILABLE */
  async findTool(scope: CallScope, name: string): Promise<RegisteredCommand> {
    return (await this.files()).find(await this.toolCaller(scope), name);
  }

  /** The same, or a tool of another MCP server. @throws DeskterityError */
  async findAnyTool(scope: CallScope, name: string): Promise<RegisteredCommand> {
    return (await this.otherServers.find(scope, name)) ?? this.findTool(scope, name);
  }

  /** Tools that clients list by name. */
  async offered(scope: CallScope): Promise<CallerTools> {
    const ofFiles = async (): Promise<CallerTools> =>
      (await this.files()).offered(await this.toolCaller(scope));
    return joinedTools(ofFiles(), this.otherServers.offered(scope));
  }

  /** Prepares what the first command of this caller needs. Never rejects. */
  async prepare(caller: Caller): Promise<void> {
    const { configuration, log } = this.parts;
    this.environments.warm(caller.environment);
    try {
      const { values } = await configuration(caller.environment);
      await (await this.runs({ caller, session: '', configuration: values })).prepare();
    } catch (error) {
      const code = error instanceof DeskterityError ? error.code : 'INTERNAL';
      log.write({ level: 'debug', message: 'commands could not be prepared', fields: { error: code } });
    }
  }

  withFinished(
    environment: Environment,
    session: string,
    output: Record<string, unknown>,
  ): Record<string, unknown> {
    const commands = this.terminals.takeFinished(environment, session);
    const answered = this.operations.withFinished(environment, session, output);
    return commands.length === 0 ? answered : { finished_commands: commands, ...answered };
  }

  /** Why the process is needed, as phrases. */
  get reasons(): readonly string[] {
    return [...this.operations.reasons, ...this.terminals.reasons];
  }

  private runs({ caller, session, configuration, onOperation, onSecrets }: CallScope): Promise<RunsPort> {
    const { parts, operations, sandboxes } = this;
    const { environment } = caller;
    return createRuns({
      caller,
      session,
      configuration,
      folders: parts.folders(environment),
      operations: () => operations.of(environment),
      onBegun: (view) => {
        operations.started(environment, view);
        if (view.tool !== CHECK) onOperation?.(view.operation_id);
      },
      sandbox: parts.sandbox,
      sandboxes,
      environment: () => this.environments.of(environment),
      onSecrets,
    });
  }

  /** The folder that the caller's commands are confined to; `undefined` if there is none. */
  private async projectOf({ caller, configuration }: CallScope): Promise<string | undefined> {
    const own = Object.values(this.parts.folders(caller.environment));
    const asked = configuration.sandbox.scope;
    try {
      return await sandboxScope({ caller, asked, own, sandbox: await this.parts.sandbox() });
    } catch (error) {
      if (error instanceof DeskterityError && error.code === 'SANDBOX_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  private async toolCaller(scope: CallScope): Promise<ToolCaller> {
    const { caller, configuration } = scope;
    return {
      caller,
      runs: await this.runs(scope),
      environment: () => this.environments.of(caller.environment),
      operations: async () => operationsOfOwner(await this.operations.of(caller.environment), caller.owner),
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
