import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inputKey } from '../model/tools/tool-file-parameters.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DocumentsPort } from '../ports/documents.ts';
import type { FilesPort } from '../ports/files.ts';
import type { LogPort } from '../ports/log.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { Platform } from '../ports/platform.ts';
import type { RunsPort } from '../ports/runs.ts';
import type { ToolFileFacts, ToolsPort } from '../ports/tools.ts';
import type { CommandDefinition } from '../registry/define.ts';
import { draftToolFile } from './draft/draft-tool-file.ts';
import { ParsedFiles, requireFile, type ScanParts } from './files/scan-tool-files.ts';
import { describeProblem, toolInvalid } from './files/problem.ts';
import { READY_TOOL_HASHES } from './ready-tools.generated.ts';
import { runnableTools, type RunnableTool } from './run/runnable-tool.ts';
import { createToolCatalogue, readToolFiles } from './tool-catalogue.ts';
import type { CatalogueParts, ToolCatalogue } from './tool-catalogue.ts';
import { toolCommand } from './tool-commands.ts';
import type { ToolFileEntry, ToolSnapshot } from './tool-entries.ts';
import { toolParameters } from './run/tool-input.ts';
import { createTrust, TRUST_FILE, type TrustPort } from './files/trust.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import { callerPrograms } from './programs.ts';

/** Below the scope. */
const PROJECT_FOLDER = '.deskterity/tools';

export interface ToolFilesParts<Command> {
  readonly files: FilesPort;
  readonly documents: () => Promise<DocumentsPort>;
  readonly clock: ClockPort;
  readonly log: LogPort;
  readonly platform: Pick<Platform, 'folders' | 'withFileLock'>;
  /** Folders of Deskterity for the caller with this environment. */
  readonly folders: (environment: Environment) => { readonly config: string };
  /** Registers a command. */
  readonly register: (definition: CommandDefinition) => Command;
  /** Folder of the tool files shipped with Deskterity. */
  readonly readyFolder: string;
  /** Names of tools that are not from tool files. */
  readonly taken: ReadonlySet<string>;
}

export interface ToolCaller {
  readonly caller: Caller;
  readonly runs: RunsPort;
  /** The environment for commands, before secrets are removed. */
  readonly environment: () => Promise<Environment>;
  readonly operations: () => Promise<OperationsPort>;
  /** `tools.folder` of the configuration. */
  readonly moreTools: string;
  readonly graceSeconds: number;
  readonly isAlwaysSynchronous: boolean;
}

/** The commands from tool files that one caller is offered. */
export interface OfferedTools<Command> {
  /** The present ones. */
  readonly commands: readonly Command[];
  /** Calls `onChange` when {@link commands} has changed. @returns ends the watch */
  watch(onChange: () => void): () => void;
}

/** The tool files of all callers. They are read again for each call, as files, trust and programs may have changed. */
export class ToolFiles<Command> {
  private readonly parts: ToolFilesParts<Command>;
  private readonly parsed = new ParsedFiles();

  constructor(parts: ToolFilesParts<Command>) {
    this.parts = parts;
  }

  /** A tool that can be called, as a command. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED or TOOL_INVALID */
  async find(of: ToolCaller, name: string): Promise<Command> {
    const catalogue = await createToolCatalogue({ ...(await this.catalogueParts(of)), only: name });
    return this.parts.register(definitionOf(catalogue.require(name), catalogue, of));
  }

  /** The tools that a client is offered by name: those of the project and the user, not the shipped ones. */
  async offered(of: ToolCaller): Promise<OfferedTools<Command>> {
    const catalogue = await createToolCatalogue(await this.catalogueParts(of));
    let made: { readonly snapshot: ToolSnapshot; readonly commands: readonly Command[] } | undefined;
    const commands = (): readonly Command[] => {
      const { snapshot } = catalogue;
      if (made?.snapshot !== snapshot) {
        this.logProblems(snapshot);
        const tools = snapshot.files
          .filter(({ origin }) => origin !== 'ready')
          .flatMap((file) => file.tools.filter(({ state }) => state === 'ready').map(({ tool }) => tool));
        made = {
          snapshot,
          commands: tools.map((tool) => this.parts.register(definitionOf(tool, catalogue, of))),
        };
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

  /** The author of a broken file does not see that it is missing from a client's list. */
  private logProblems({ files, problems }: ToolSnapshot): void {
    const all = [
      ...files.flatMap((file) => file.problems.map((problem) => describeProblem(problem))),
      ...problems,
    ];
    for (const problem of all)
      this.parts.log.write({ level: 'warn', message: 'a tool file is not used', fields: { problem } });
  }

  portFor(of: ToolCaller): ToolsPort {
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

  private trustOf({ caller }: ToolCaller): { readonly store: TrustPort; readonly file: string } {
    const { files, folders, platform } = this.parts;
    const file = join(folders(caller.environment).config, TRUST_FILE);
    return { file, store: createTrust(file, { files, locked: platform.withFileLock }) };
  }

  private async catalogueParts(of: ToolCaller): Promise<CatalogueParts> {
    const { parts } = this;
    const { config } = parts.folders(of.caller.environment);
    const more = of.moreTools === '' ? [] : [resolve(of.caller.cwd, of.moreTools)];
    const trust = this.trustOf(of);
    const own = join(of.runs.scope, PROJECT_FOLDER);
    const projects = (of.caller.projectTools ?? []).filter((path) => path !== own);
    return {
      ...(await this.scanParts()),
      toolFolders: [
        { path: parts.readyFolder, origin: 'ready' },
        { path: join(config, 'tools'), origin: 'user' },
        ...projects.map((path) => ({ path, origin: 'project' }) as const),
        { path: own, origin: 'project' },
        ...more.map((path) => ({ path, origin: 'project', isNamed: true }) as const),
      ],
      places: of.runs,
      trust: trust.store,
      trustFile: trust.file,
      // Shipped files are trusted unchanged.
      readyHashes: new Set(READY_TOOL_HASHES.values()),
      programs: callerPrograms(of),
      clock: parts.clock,
      log: parts.log,
      isTaken: (name) => parts.taken.has(name),
    };
  }
}

function definitionOf(
  tool: RunnableTool,
  catalogue: ToolCatalogue,
  { graceSeconds, isAlwaysSynchronous }: ToolCaller,
): CommandDefinition {
  const toolsets = ['operations'] as const;
  return toolCommand(tool, { catalogue, graceSeconds, isAlwaysSynchronous, group: 'operations', toolsets });
}

function factsOf(file: ToolFileEntry): ToolFileFacts {
  return {
    ...file,
    tools: file.tools.map(({ tool, ...availability }) => ({
      ...availability,
      name: tool.name,
      description: tool.description,
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
