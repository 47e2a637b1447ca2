/** Time that tests can control. */
export interface ClockPort {
  /** Monotonic milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
