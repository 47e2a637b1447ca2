/** Facts of the answering process; only if it outlives the call. */
export interface DaemonFacts {
  readonly pid: number;
  /** Includes the build, which distinguishes builds of one version. */
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
