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
