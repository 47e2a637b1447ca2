import type { ToolFileProblem } from '../model/tools/tool-file-problem.ts';

/** A parameter of a tool. */
export interface ToolParameterFacts {
  /** As callers write it: `max_count`. */
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly description: string;
  readonly required: boolean;
  /** It names a file or folder. */
  readonly isPath: boolean;
  /** The only accepted texts. */
  readonly values?: readonly string[] | undefined;
  readonly default?: string | number | boolean | readonly string[] | undefined;
}

/** One tool of a tool file. */
export interface ToolFacts {
  /** `git_commit` */
  readonly name: string;
  readonly description: string;
  readonly state: 'ready' | 'untrusted' | 'disabled' | 'unavailable';
  /** Why it is not ready, as a phrase. */
  readonly reason?: string | undefined;
  /** How to install the missing program. */
  readonly instructions?: string | undefined;
  /** In addition to the parameters of every tool. */
  readonly parameters: readonly ToolParameterFacts[];
}

export interface ToolFileFacts {
  readonly path: string;
  /** `ready`: shipped with Deskterity. `user`: in the user's configuration. `project`: in the project, or named by the caller. */
  readonly origin: 'ready' | 'user' | 'project';
  readonly name: string;
  readonly state: ToolFacts['state'] | 'invalid' | 'overridden';
  /** A file at this path was trusted with other content. */
  readonly hasChanged: boolean;
  readonly problems: readonly ToolFileProblem[];
  /** Path of the file that replaces this one. */
  readonly overriddenBy?: string | undefined;
  readonly tools: readonly ToolFacts[];
}

/** Tool files of the caller. */
export interface ToolsPort {
  /** Reads all tool files. @throws DeskterityError SANDBOX_UNAVAILABLE if there is no folder for tools to work in */
  list(): Promise<{ readonly files: readonly ToolFileFacts[]; readonly problems: readonly string[] }>;
  /**
   * The problems of the given files, which may be anywhere; by default of all files that {@link list} finds, including conflicts between them.
   * Runs nothing. @throws DeskterityError INVALID_ARGUMENT for a missing file
   */
  validate(files: readonly string[] | undefined): Promise<{
    readonly checked: number;
    readonly problems: readonly ToolFileProblem[];
    /** Why folders or files could not be checked, as sentences without full stop. */
    readonly notChecked: readonly string[];
  }>;
  /** Allows a file to run with its present content. @throws DeskterityError INVALID_ARGUMENT, TOOL_INVALID, CONFIG_INVALID */
  trust(file: string): Promise<{ readonly path: string; readonly tools: readonly string[] }>;
  /**
   * A tool file for a command: the one shipped with Deskterity if there is one, else drafted from its help.
   * @throws DeskterityError TOOL_NOT_FOUND if the command prints no help; CANCELLED
   */
  draft(
    command: string,
    signal: AbortSignal,
  ): Promise<{
    readonly name: string;
    readonly text: string;
    readonly isReady: boolean;
    /** Unclear parts, as phrases. */
    readonly leftOut: readonly string[];
  }>;
  /** Folder of tool files in the project. */
  readonly folder: string;
}
