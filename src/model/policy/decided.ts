import type { ApplicationFacts, Verdict } from './verdict.ts';

/** An application with what the policy said about it. */
export interface DecidedApplication {
  readonly facts: ApplicationFacts;
  readonly verdict: Verdict;
}

/** What the policy decided during one call, for the record of it. */
export interface DecidedInCall {
  /** The application of a process. */
  ofProcess(pid: number): DecidedApplication | undefined;
}
