import type { DoctorCheck } from './doctor.ts';

/** A trial of `doctor` with another result than expected. */
export class TrialFailure extends Error {
  readonly outcome: Exclude<DoctorCheck['outcome'], 'works'>;
  readonly fix: string | undefined;

  constructor(outcome: TrialFailure['outcome'], detail: string, fix?: string) {
    super(detail);
    this.outcome = outcome;
    this.fix = fix;
  }
}

/** The tools of a trial. */
export interface Trial {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Names the next step, which is reported if it fails. */
  step(what: string): void;
  /** Polls; resolves with false when time is up. */
  until(isMet: () => Promise<boolean> | boolean): Promise<boolean>;
}
