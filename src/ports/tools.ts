import type { ToolFileProblem } from '../model/tools/tool-file-problem.ts';

/** What a tool takes. */
export interface ToolParameterFacts {
  /** As callers write it: `max_count`. */
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly description: string;
  readonly required: boolean;
  /** It names a file or folder. */
  readonly isPath: boolean;
  /** The only texts that are taken. */
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
  /** How to install what is missing. */
  readonly instructions?: string | undefined;
  /** Beside what every tool takes. */
  readonly parameters: readonly ToolParameterFacts[];
}

export interface ToolFileFacts {
  readonly path: string;
  /** `ready`: shipped with Deskterity. `user`: in the user's configuration. `project`: where tools work, or named by the caller. */
  readonly origin: 'ready' | 'user' | 'project';
  readonly name: string;
  readonly state: ToolFacts['state'] | 'invalid' | 'overridden';
  /** A file at this place was trusted with another content. */
  readonly hasChanged: boolean;
  readonly problems: readonly ToolFileProblem[];
  /** Path of the file that takes the place of this one. */
  readonly overriddenBy?: string | undefined;
  readonly tools: readonly ToolFacts[];
}

/** Tool files of whoever calls. */
export interface ToolsPort {
  /** All that are found, read anew. @throws DeskterityError SANDBOX_UNAVAILABLE where there is no folder for tools to work in */
  list(): Promise<{ readonly files: readonly ToolFileFacts[]; readonly problems: readonly string[] }>;
  /**
   * Everything that is wrong in some files, which need not be in a folder for tools; in all that {@link list} finds, also beside each other,
   * where none are named. Nothing is run. @throws DeskterityError INVALID_ARGUMENT for one that is not there
   */
  validate(files: readonly string[] | undefined): Promise<{
    readonly checked: number;
    readonly problems: readonly ToolFileProblem[];
    /** What kept folders or files from being looked at, as sentences without full stop. */
    readonly notChecked: readonly string[];
  }>;
  /** Lets a file run as it is now. @throws DeskterityError INVALID_ARGUMENT, TOOL_INVALID, CONFIG_INVALID */
  trust(file: string): Promise<{ readonly path: string; readonly tools: readonly string[] }>;
  /**
   * A tool file for a command: the one shipped with Deskterity where there is one, else drafted from what its help says.
   * @throws DeskterityError TOOL_NOT_FOUND where the command does not say anything; CANCELLED
   */
  draft(
    command: string,
    signal: AbortSignal,
  ): Promise<{
    readonly name: string;
    readonly text: string;
    readonly isReady: boolean;
    /** What was not clear, as phrases. */
    readonly leftOut: readonly string[];
  }>;
  /** Folder of tool files where tools work. */
  readonly folder: string;
}
