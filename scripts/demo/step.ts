/** One thing the demo did and what was seen of it. */
export interface Step {
  readonly what: string;
  /** The command line that does the same. */
  readonly command: string;
  /** `confirmed`, `unverified`, `observed` (nothing was to be changed) or `failed`. */
  readonly effect: string;
  readonly evidence: readonly string[];
  /** File names in the output folder; absent when no picture could be taken. */
  readonly screenshot?: string | undefined;
  readonly annotated?: string | undefined;
  readonly outline?: string | undefined;
  readonly milliseconds: number;
}

export interface Story {
  readonly ok: boolean;
  readonly version: string;
  readonly toolkits: readonly string[];
  readonly steps: readonly Step[];
  readonly totalMs: number;
}

/** What a step's body hands back. */
export interface Outcome {
  readonly effect: string;
  readonly evidence: readonly string[];
  readonly outline?: string | undefined;
}
