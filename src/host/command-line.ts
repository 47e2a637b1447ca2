import type { Configuration } from '../model/config.ts';
import type { DoctorCheck } from '../model/doctor.ts';
import { DeskterityError } from '../model/errors.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { RunsPort } from '../ports/runs.ts';
import type { ToolsPort } from '../ports/tools.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import type { Caller, Environment } from './caller.ts';
import type { CallerTools, HostParts } from './host.ts';
import type { LineCheckRequest } from './line-checks.ts';
import { LineEnvironments } from './line-environments.ts';
import { OperationDesk } from './operation-desk.ts';
import { createRuns } from './runs.ts';
import { SandboxMeans } from './sandbox-means.ts';
import type { DeskCaller, ToolDesk } from './tool-desk.ts';

export interface LineCaller {
  readonly caller: Caller;
  readonly session: string;
  readonly configuration: Configuration;
}

/** What commands can reach of command-line tools. */
export interface LinePorts {
  operations(): Promise<OperationsPort>;
  runs(): Promise<RunsPort>;
  tools(): Promise<ToolsPort>;
  checkCommandLine(request: LineCheckRequest): Promise<readonly DoctorCheck[]>;
}

/** Command-line tools of all callers: their operations, sandboxes and tool files. */
export class CommandLine {
  private readonly parts: HostParts;
  private readonly operations: OperationDesk;
  private readonly environments: LineEnvironments;
  private readonly means: SandboxMeans;
  private toolDesk: Promise<ToolDesk> | undefined;

  constructor(parts: HostParts) {
    this.parts = parts;
    this.operations = new OperationDesk(parts);
    this.means = new SandboxMeans(parts.sandbox);
    this.environments = new LineEnvironments({ ...parts, ask: parts.askLoginShell });
  }

  of(line: LineCaller): LinePorts {
    const { environment } = line.caller;
    const ports = {
      operations: () => this.operations.of(environment),
      runs: () => this.runs(line),
      tools: async () => (await this.desk()).portFor(await this.deskCaller(line)),
    };
    return {
      ...ports,
      checkCommandLine: async (request) => {
        const { checkCommandLine } = await import('./line-checks.ts');
        const { sandbox, clock } = this.parts;
        const { memoryOf } = await import('./operation-parts.ts');
        return checkCommandLine({ ...line, ...ports, sandbox, clock, memoryOf }, request);
      },
    };
  }

  /** A tool of a tool file as a command. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, TOOL_INVALID, SANDBOX_UNAVAILABLE */
  async findTool(line: LineCaller, name: string): Promise<RegisteredCommand> {
    return (await this.desk()).find(await this.deskCaller(line), name);
  }

  /** Tools that a client is offered by name. */
  async offered(line: LineCaller): Promise<CallerTools> {
    return (await this.desk()).offered(await this.deskCaller(line));
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

  withNews<T extends Record<string, unknown>>(
    environment: Environment,
    session: string,
    output: T,
  ): ReturnType<typeof OperationDesk.prototype.withNews<T>> {
    return this.operations.withNews(environment, session, output);
  }

  /** As phrases: what the process is needed for. */
  get why(): readonly string[] {
    return this.operations.why;
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

  private async deskCaller(line: LineCaller): Promise<DeskCaller> {
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

  private desk(): Promise<ToolDesk> {
    this.toolDesk ??= import('./tool-desk.ts').then(
      ({ ToolDesk: Desk }) =>
        new Desk({
          ...this.parts,
          taken: new Set(
            this.parts.registry.commands.flatMap(({ toolName }) =>
              toolName === undefined ? [] : [toolName],
            ),
          ),
        }),
    );
    return this.toolDesk;
  }
}
