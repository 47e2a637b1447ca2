/** The process that a call is made for, with its own environment; need not be this process. */
export interface Caller {
  readonly environment: Environment;
  /** Folder that relative paths in commands are resolved against. */
  readonly cwd: string;
  /** Whether the desktop was discovered because the environment names none. */
  readonly isDesktopFound?: boolean | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;
