/** What a terminal is doing. `idle`: its shell stands at the prompt. */
export const WAIT_STATES = [
  'idle',
  'running',
  'waiting_for_line',
  'waiting_for_secret',
  'full_screen',
  'exited',
] as const;
export type WaitState = (typeof WAIT_STATES)[number];
