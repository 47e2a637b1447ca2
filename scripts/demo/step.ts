/** One thing that the demo did, and its result. */
export interface Step {
  readonly what: string;
  /** The command line that does the same. */
  readonly command: string;
  /** `confirmed`, `unverified`, `observed` (for steps that only read) or `failed`. */
  readonly effect: string;
  readonly evidence: readonly string[];
  /** File names in the output folder; absent if no picture could be taken. */
  readonly screenshot?: string | undefined;
  readonly annotated?: string | undefined;
  readonly outline?: string | undefined;
  readonly milliseconds: number;
}

export interface DemoReport {
  readonly ok: boolean;
  readonly version: string;
  readonly toolkits: readonly string[];
  readonly steps: readonly Step[];
  readonly totalMs: number;
}

/** What a step's function returns. */
export interface Outcome {
  readonly effect: string;
  readonly evidence: readonly string[];
  readonly outline?: string | undefined;
}
