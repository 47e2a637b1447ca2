import type { DoctorCheck } from './doctor.ts';

/** What a trial of `doctor` comes to that found something other than what it tried to do. */
export class TrialFailure extends Error {
  readonly outcome: Exclude<DoctorCheck['outcome'], 'works'>;
  readonly fix: string | undefined;

  constructor(outcome: TrialFailure['outcome'], detail: string, fix?: string) {
    super(detail);
    this.outcome = outcome;
    this.fix = fix;
  }
}

/** What a trial does its work with. */
export interface Trial {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Says what comes next, for the case that it fails. */
  step(what: string): void;
  /** Looks again and again; false when time is up. */
  until(isSo: () => Promise<boolean> | boolean): Promise<boolean>;
}
