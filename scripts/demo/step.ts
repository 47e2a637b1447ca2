/** One thing that the demo did, and its result. */
export interface Step {
  readonly what: string;
  /** The command line that does the same. */
  readonly command: string;
  /** `confirmed`, `unverified`, `observed` (for steps that only read) or `failed`. */
  readonly effect: string;
  readonly evidence: readonly string[];
  /** File names in the output folder; absent where nothing new is to be seen. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** With the reference of each element. */
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
  /** The animation of all pictures, and its last one. */
  readonly story?: string | undefined;
  readonly still?: string | undefined;
}

/** What a step's function returns. */
export interface Outcome {
  readonly effect: string;
  readonly evidence: readonly string[];
  readonly outline?: string | undefined;
}
