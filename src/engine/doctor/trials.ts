import type { DoctorCheck } from '../../model/effects/doctor.ts';
import { DeskterityError, type ErrorCode } from '../../model/effects/errors.ts';
import { TrialFailure, type Trial } from '../../model/effects/trial.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/call-options.ts';

/** For one trial: what takes longer does not work. */
const TRIAL_MS = 2500;
const LOOK_EVERY_MS = 20;

/** Failures that are somebody's decision rather than a fault. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'ACTION_NOT_SUPPORTED',
  // Not by the caller: somebody stopped all acting.
  'CANCELLED',
  'CONFLICT',
  'PERM_DENIED',
  'PLATFORM_UNSUPPORTED',
  'POLICY_DENIED',
  'SANDBOX_UNAVAILABLE',
]);

/** Runs trials one after another and collects their results. */
export class Trials {
  readonly checks: DoctorCheck[] = [];
  private readonly clock: ClockPort;
  private readonly request: CallOptions & { readonly onTrial?: ((name: string) => void) | undefined };

  /** @param request a deadline that runs down */
  constructor(clock: ClockPort, request: Trials['request']) {
    this.clock = clock;
    this.request = request;
  }

  /**
   * Resolves with whether it works. `work` returns what was observed, as a sentence; where only its
   * end tells whether the trial is optional, `isOptional` is asked then.
   * @throws Error if the caller cancelled, and any error that is not a DeskterityError
   */
  async run(
    name: string,
    work: (trial: Trial) => Promise<string>,
    { isOptional = false }: { readonly isOptional?: boolean | (() => boolean) } = {},
  ): Promise<boolean> {
    const { clock, request } = this;
    request.onTrial?.(name);
    request.signal?.throwIfAborted();
    const started = clock.now();
    let step: string | undefined;
    const options = liveDeadline(
      { deadlineMs: Math.min(TRIAL_MS, request.deadlineMs), signal: request.signal },
      clock,
    );
    const end = started + options.deadlineMs;
    const trial: Trial = Object.assign(options, {
      step: (what: string) => {
        step = what;
      },
      until: async (isMet: () => Promise<boolean> | boolean) => {
        const isMetYet = async (): Promise<boolean> => {
          try {
            return await isMet();
          } catch (error) {
            // There was no time left for the last look.
            if (isTimeout(error) && clock.now() >= end - LOOK_EVERY_MS) return false;
            throw error;
          }
        };
        while (!(await isMetYet())) {
          if (clock.now() >= end) return false;
          await clock.sleep(LOOK_EVERY_MS, request.signal);
        }
        return true;
      },
    });
    const record = (check: Pick<DoctorCheck, 'outcome' | 'detail' | 'step' | 'fix'>): boolean => {
      const duration = Math.max(0, Math.round(clock.now() - started));
      const is = typeof isOptional === 'function' ? isOptional() : isOptional;
      const optional = is ? { optional: true } : {};
      this.checks.push({ name, ...check, ...optional, duration_ms: duration });
      return check.outcome === 'works';
    };
    try {
      return record({ outcome: 'works', detail: await work(trial) });
    } catch (error) {
      if (request.signal?.aborted) throw error;
      const at = step === undefined ? {} : { step };
      if (error instanceof TrialFailure) {
        const fix = error.fix === undefined ? {} : { fix: error.fix };
        return record({ outcome: error.outcome, detail: error.message, ...at, ...fix });
      }
      if (!(error instanceof DeskterityError)) throw error;
      const outcome = REFUSALS.has(error.code) ? 'refused' : 'broken';
      return record({ outcome, detail: error.message, ...at, fix: error.suggestion });
    }
  }

  /** Records trials that could not be run. */
  skip(names: readonly string[], why: string, { isOptional = false }: { isOptional?: boolean } = {}): void {
    const optional = isOptional ? { optional: true } : {};
    for (const name of names)
      this.checks.push({ name, outcome: 'skipped', detail: why, ...optional, duration_ms: 0 });
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'TIMEOUT';
}
