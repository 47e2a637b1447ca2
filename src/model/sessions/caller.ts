/** The process that a call is made for, with its own environment; need not be this process. */
export interface Caller {
  readonly environment: Environment;
  /** Folder that relative paths in commands are resolved against. */
  readonly cwd: string;
  /** What calls, for the audit log: `command line`, or the name that an MCP client gives itself. */
  readonly client?: string | undefined;
  /** Whom it acts for, if that is not simply the user of this process. */
  readonly principal?: string | undefined;
  /** The process that calls, if it is known. */
  readonly pid?: number | undefined;
  /** The command line that calls: a daemon may have been started by another copy of the same build. */
  readonly program?: ProgramFiles | undefined;
  /** Folders of tool files in the projects that its MCP client works in; checked, real paths. */
  readonly projectTools?: readonly string[] | undefined;
  /** Policy files of the projects that its MCP client works in; checked, real paths. They can only forbid. */
  readonly projectPolicies?: readonly string[] | undefined;
  /** Whether the desktop was discovered because the environment names none. */
  readonly isDesktopFound?: boolean | undefined;
  /** Whom its operations and terminals belong to, if one server tells its clients apart: those of others do not exist for it. */
  readonly owner?: string | undefined;
  /** The folder that its command-line tools are confined to, as it was when that was decided: nothing runs once it is another. */
  readonly fixedFolder?: FixedFolder | undefined;
}

/** A folder that is recognised again. */
export interface FixedFolder {
  /** Absolute, as it was given. */
  readonly given: string;
  /** The same with links resolved. */
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

/** How a command line is started: absolute paths of Node and the file. */
export interface ProgramFiles {
  readonly node: string;
  readonly script: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
