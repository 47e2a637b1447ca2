/** Least to most severe; a log level includes more severe ones. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One entry. Fields are facts such as names, counts and durations; never typed text or window content. */
export interface LogEntry {
  readonly level: LogLevel;
  /** What happened, in a few constant words. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
}

export interface LogPort {
  /** Never throws and never waits: an entry that cannot be written is lost. */
  write(entry: LogEntry): void;
  /** Resolves once everything is written. */
  flush(): Promise<void>;
}

export interface LogOptions {
  readonly folder: string;
  /** The folder is configured and may have other uses: its mode is not changed. Default false. */
  readonly isNamed?: boolean;
  /** Prefix of its file names. Default `deskterity`. */
  readonly stem?: string;
  /** Least severe entry that is logged. */
  readonly level: LogLevel;
  /** Files older than this are removed when a day begins. */
  readonly keepDays: number;
}

export interface FileLog extends LogPort {
  /** Path of the file for entries of this moment; it need not exist. */
  logFile(moment: Date): string;
}

/** A possible folder for a log. */
export interface LogFolderChoice {
  readonly path: string;
  /** It is configured; it may have other uses, and its mode is not changed. */
  readonly isNamed: boolean;
  /** It is inside this user's private folder in a folder that every user can write to. */
  readonly isTemporary: boolean;
}

/** Logs in files, which several processes may share. */
export interface LogsPort {
  open(options: LogOptions): FileLog;
  /**
   * The first writable folder, created if missing.
   * @throws Error with the problem of each of them, as a sentence
   */
  firstFolder(choices: readonly LogFolderChoice[]): Promise<LogFolderChoice>;
  /** An entry as a line for a terminal. */
  format(entry: LogEntry, options: { readonly colour: boolean; readonly time: Date }): string;
}
