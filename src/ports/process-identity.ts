/** Names one process for good: numbers are used again, and a machine that was started anew counts its ticks from nought. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot; as text, because it is only ever compared. */
  readonly startTime: string;
  readonly bootId: string;
}

export interface ProcessIdentityPort {
  /** This process. */
  self(): ProcessIdentity;
  /** Whether that very process still runs; one that has ended but was not collected does not. */
  isRunning(identity: ProcessIdentity): boolean;
}
