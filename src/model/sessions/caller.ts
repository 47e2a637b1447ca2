/** Whoever a call is made for: a process with its own environment, which need not be this one. */
export interface Caller {
  readonly environment: Environment;
  /** Folder that relative paths in commands are resolved against. */
  readonly cwd: string;
  /** What leads to the desktop was found, not given: the environment named none. */
  readonly isDesktopFound?: boolean | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;
