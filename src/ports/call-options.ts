/** Every call to the world has a deadline and may be cancelled. */
export interface CallOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}
