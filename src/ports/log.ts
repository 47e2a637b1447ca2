/** Least to most severe; a log at one level holds that level and the more severe ones. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One entry. Fields are facts such as names, counts and durations; never text that somebody typed, nor content of a window. */
export interface LogEntry {
  readonly level: LogLevel;
  /** What happened, in a few constant words. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
}

export interface LogPort {
  /** Never throws and never waits: a log that cannot be written is lost, not an error. */
  write(entry: LogEntry): void;
  /** Resolves when everything is in the file. */
  flush(): Promise<void>;
}

export interface LogOptions {
  readonly folder: string;
  /** The folder was named by somebody and may have other uses: its mode is left as it is. Default false. */
  readonly isNamed?: boolean;
  /** What names of its files begin with. Default `deskterity`. */
  readonly stem?: string;
  /** Least severe entry that is kept. */
  readonly level: LogLevel;
  /** Files more than this many days old are removed when a day begins. */
  readonly keepDays: number;
}

export interface FileLog extends LogPort {
  /** Path of the file that entries of this moment are in; it need not exist. */
  logFile(moment: Date): string;
}

/** A folder that a log may go to. */
export interface LogFolderChoice {
  readonly path: string;
  /** Somebody has named it; it may have other uses, and is left as it is. */
  readonly isNamed: boolean;
  /** It is in a folder that every user can write to by way of another of this user alone. */
  readonly isTemporary: boolean;
}

/** Logs in files, which several processes may share. */
export interface LogsPort {
  open(options: LogOptions): FileLog;
  /**
   * The first folder that a log can be written to, made where it is missing.
   * @throws Error with what is wrong with each of them, as a sentence
   */
  firstFolder(choices: readonly LogFolderChoice[]): Promise<LogFolderChoice>;
  /** An entry as a line for a terminal. */
  format(entry: LogEntry, options: { readonly colour: boolean; readonly time: Date }): string;
}
