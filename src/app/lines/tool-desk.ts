import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inputKey } from '../../model/tools/tool-file-parameters.ts';
import type { OperationsPort } from '../../ports/operations.ts';
import type { RunsPort } from '../../ports/runs.ts';
import type { ToolFileFacts, ToolsPort } from '../../ports/tools.ts';
import { registerCommand } from '../../registry/registry.ts';
import type { RegisteredCommand } from '../../registry/registry.ts';
import { draftToolFile } from '../../toolfiles/draft/draft-tool-file.ts';
import { ParsedFiles } from '../../toolfiles/files/parsed-files.ts';
import { describeProblem, toolInvalid } from '../../toolfiles/files/problem.ts';
import { READY_TOOL_HASHES } from '../../toolfiles/ready-tools.generated.ts';
import { runnableTools } from '../../toolfiles/run/runnable-tool.ts';
import type { RunnableTool } from '../../toolfiles/run/runnable-tool.ts';
import { requireFile } from '../../toolfiles/files/scan-tool-files.ts';
import type { ScanParts } from '../../toolfiles/files/scan-tool-files.ts';
import { createToolCatalogue, readToolFiles } from '../../toolfiles/tool-catalogue.ts';
import type { CatalogueParts, ToolCatalogue } from '../../toolfiles/tool-catalogue.ts';
import { toolCommand } from '../../toolfiles/tool-commands.ts';
import type { ToolFileEntry, ToolSnapshot } from '../../toolfiles/tool-entries.ts';
import { toolParameters } from '../../toolfiles/run/tool-input.ts';
import { createTrust, TRUST_FILE } from '../../toolfiles/files/trust.ts';
import type { TrustPort } from '../../toolfiles/files/trust.ts';
import type { Caller, Environment } from '../../model/sessions/caller.ts';
import type { CallerTools, HostParts } from '../host.ts';
import { callerPrograms } from './programs.ts';

/** Below the folder that tools work in. */
const PROJECT_FOLDER = '.deskterity/tools';

export interface ToolDeskParts extends Pick<
  HostParts,
  'files' | 'documents' | 'clock' | 'log' | 'folders' | 'platform'
> {
  /** Folder of the tool files that are shipped with Deskterity. */
  readonly readyFolder: string;
  /** Names of tools that are not of tool files. */
  readonly taken: ReadonlySet<string>;
}

export interface DeskCaller {
  readonly caller: Caller;
  readonly runs: RunsPort;
  /** What commands get, before secrets are taken out of it. */
  readonly environment: () => Promise<Environment>;
  readonly operations: () => Promise<OperationsPort>;
  /** `tools.folder` of the configuration. */
  readonly moreTools: string;
  readonly graceSeconds: number;
  readonly isAlwaysSynchronous: boolean;
}

/** The tool files of all callers. They are read anew for each call: files, trust and programs may have changed. */
export class ToolDesk {
  private readonly parts: ToolDeskParts;
  private readonly parsed = new ParsedFiles();

  constructor(parts: ToolDeskParts) {
    this.parts = parts;
  }

  /** A tool that can be called, as a command. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED or TOOL_INVALID */
  async find(of: DeskCaller, name: string): Promise<RegisteredCommand> {
    const catalogue = await createToolCatalogue({ ...(await this.catalogueParts(of)), only: name });
    return commandOf(catalogue.require(name), catalogue, of);
  }

  /** Those that a client is offered by name: of the project and the user, not all that is shipped. */
  async offered(of: DeskCaller): Promise<CallerTools> {
    const catalogue = await createToolCatalogue(await this.catalogueParts(of));
    let made:
      | { readonly snapshot: ToolSnapshot; readonly commands: readonly RegisteredCommand[] }
      | undefined;
    const commands = (): readonly RegisteredCommand[] => {
      const { snapshot } = catalogue;
      if (made?.snapshot !== snapshot) {
        this.tellOfProblems(snapshot);
        const tools = snapshot.files
          .filter(({ origin }) => origin !== 'ready')
          .flatMap((file) => file.tools.filter(({ state }) => state === 'ready').map(({ tool }) => tool));
        made = { snapshot, commands: tools.map((tool) => commandOf(tool, catalogue, of)) };
      }
      return made.commands;
    };
    return {
      get commands() {
        return commands();
      },
      watch: (onChange) => catalogue.watch(() => onChange()),
    };
  }

  /** Whoever wrote a file that is not used does not see that it is missing in the list of a client. */
  private tellOfProblems({ files, problems }: ToolSnapshot): void {
    const all = [
      ...files.flatMap((file) => file.problems.map((problem) => describeProblem(problem))),
      ...problems,
    ];
    for (const problem of all)
      this.parts.log.write({ level: 'warn', message: 'a tool file is not used', fields: { problem } });
  }

  portFor(of: DeskCaller): ToolsPort {
    const { parts } = this;
    const read = async (file: string) => requireFile(resolve(of.caller.cwd, file), await this.scanParts());
    return {
      folder: join(of.runs.scope, PROJECT_FOLDER),
      list: async () => {
        const { snapshot } = await createToolCatalogue(await this.catalogueParts(of));
        return { files: snapshot.files.map((file) => factsOf(file)), problems: snapshot.problems };
      },
      validate: async (named) => {
        if (named !== undefined) {
          const files = await Promise.all(named.map((file) => read(file)));
          const problems = files.flatMap((file) => file.problems);
          return { checked: files.length, problems, notChecked: [] };
        }
        const { joined, problems } = await readToolFiles(await this.catalogueParts(of));
        return {
          checked: joined.length,
          problems: joined.flatMap((file) => file.problems),
          notChecked: problems,
        };
      },
      trust: async (file) => {
        const { path, sha256, tool, problems } = await read(file);
        if (tool === undefined || sha256 === undefined) throw toolInvalid(problems);
        await this.trustOf(of).store.trust(path, sha256, new Date());
        return { path, tools: runnableTools(tool).map(({ name }) => name) };
      },
      draft: async (command, signal) => {
        const ready = /^[\w-]+$/.test(command)
          ? await readFile(join(parts.readyFolder, `${command}.json`), 'utf8').catch(() => undefined)
          : undefined;
        if (ready !== undefined) return { name: command, text: ready, isReady: true, leftOut: [] };
        const programs = callerPrograms(of);
        const draft = await draftToolFile(command, { run: (...asked) => programs.run(...asked), signal });
        return { name: draft.tool.name, text: draft.text, isReady: false, leftOut: draft.leftOut };
      },
    };
  }

  private async scanParts(): Promise<ScanParts> {
    const { files, documents, platform } = this.parts;
    return { files, documents: await documents(), folders: platform.folders, parsed: this.parsed };
  }

  private trustOf({ caller }: DeskCaller): { readonly store: TrustPort; readonly file: string } {
    const { files, folders, platform } = this.parts;
    const file = join(folders(caller.environment).config, TRUST_FILE);
    return { file, store: createTrust(file, { files, locked: platform.withFileLock }) };
  }

  private async catalogueParts(of: DeskCaller): Promise<CatalogueParts> {
    const { parts } = this;
    const { config } = parts.folders(of.caller.environment);
    const more = of.moreTools === '' ? [] : [resolve(of.caller.cwd, of.moreTools)];
    const trust = this.trustOf(of);
    return {
      ...(await this.scanParts()),
      toolFolders: [
        { path: parts.readyFolder, origin: 'ready' },
        { path: join(config, 'tools'), origin: 'user' },
        { path: join(of.runs.scope, PROJECT_FOLDER), origin: 'project' },
        ...more.map((path) => ({ path, origin: 'project', isNamed: true }) as const),
      ],
      places: of.runs,
      trust: trust.store,
      trustFile: trust.file,
      // What is shipped is trusted as it is.
      readyHashes: new Set(READY_TOOL_HASHES.values()),
      programs: callerPrograms(of),
      clock: parts.clock,
      log: parts.log,
      isTaken: (name) => parts.taken.has(name),
    };
  }
}

function commandOf(
  tool: RunnableTool,
  catalogue: ToolCatalogue,
  { graceSeconds, isAlwaysSynchronous }: DeskCaller,
): RegisteredCommand {
  return registerCommand(
    toolCommand(tool, {
      catalogue,
      graceSeconds,
      isAlwaysSynchronous,
      group: 'operations',
      toolsets: ['operations'],
    }),
  );
}

function factsOf(file: ToolFileEntry): ToolFileFacts {
  const { path, origin, name, state, hasChanged, problems, overriddenBy, tools } = file;
  return {
    path,
    origin,
    name,
    state,
    hasChanged,
    problems,
    overriddenBy,
    tools: tools.map(({ tool, state: toolState, reason, instructions }) => ({
      name: tool.name,
      description: tool.description,
      state: toolState,
      reason,
      instructions,
      parameters: toolParameters(tool).map((parameter) => ({
        name: inputKey(parameter.name),
        type: parameter.type,
        description: parameter.description,
        required: parameter.required === true,
        isPath: parameter.format === 'path',
        values: parameter.enum,
        default: parameter.default,
      })),
    })),
  };
}
