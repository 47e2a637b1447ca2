import type { DryRunReport, DryRunTarget } from './dry-run.ts';

interface Plan {
  /** The element or window that it would be done to. */
  readonly target?: DryRunTarget | undefined;
  readonly via?: string | undefined;
}

/** The end of a dry run: everything before the first effect was done, and this would be the effect. Nothing was sent. */
export class Planned extends Error implements Plan {
  /** What would be done, as a phrase in the imperative. */
  readonly step: string;
  readonly target: DryRunTarget | undefined;
  readonly via: string | undefined;

  constructor(step: string, { target, via }: Plan = {}) {
    super(`Dry run: ${step}`);
    this.name = 'Planned';
    this.step = step;
    this.target = target;
    this.via = via;
  }

  /** For a step of several, from its report. */
  static again({ would, ...facts }: DryRunReport): Planned {
    return new Planned(would, facts);
  }

  /** With what the caller knows better: a step towards an act may concern something else than the act. */
  with({ target = this.target, via = this.via }: Plan): Planned {
    return new Planned(this.step, { target, via });
  }
}
