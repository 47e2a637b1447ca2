/** What the process that answers says of itself; only where it outlives the call. */
export interface DaemonFacts {
  readonly pid: number;
  /** With the build, so that two builds of one version are told apart. */
  readonly version: string;
  readonly uptimeMs: number;
  readonly socket: string;
  readonly logFile?: string | undefined;
  /** Resident memory of the process. */
  readonly memoryBytes: number;
  /** Calls that are being answered now. */
  readonly activeCalls: number;
  readonly desktops: readonly {
    readonly display: string;
    readonly private: boolean;
    /** Names of the sessions that use it. */
    readonly sessions: readonly string[];
  }[];
}

export interface DaemonPort {
  facts(): DaemonFacts;
}
