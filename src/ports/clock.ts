/** Time, so that tests can own it. */
export interface ClockPort {
  /** Milliseconds that only ever grow. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
