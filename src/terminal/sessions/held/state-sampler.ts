import type { ClockPort } from '../../../ports/clock.ts';
import type { TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';
import { untilSteadyMs, addReading, type ObservedState } from './steady-state.ts';
import { classify, EXITED, type ScreenFacts, type ShellFacts, type WaitReading } from './wait-state.ts';

/** Interval between two readings. */
export const LOOK_MS = 40;
/** The first of several readings. */
const FIRST_LOOK_MS = 20;
/** How long a state must last for a single request. */
const ASKED_SPAN_MS = 90;
/** Limit for a state that keeps changing. */
const ASKED_LIMIT_MS = 250;

export interface StateSamplerParts {
  readonly clock: ClockPort;
  readonly facts: () => Promise<TerminalFacts>;
  readonly screen: () => ScreenFacts;
  /** Facts about the shell, if known, for these facts from the kernel. */
  readonly shell: (terminal: TerminalFacts) => ShellFacts | undefined;
}

/** Samples what a terminal is doing. */
export class StateSampler {
  private readonly parts: StateSamplerParts;

  constructor(parts: StateSamplerParts) {
    this.parts = parts;
  }

  /** The state at this moment. */
  async once(): Promise<WaitReading> {
    const terminal = await this.parts.facts().catch(() => undefined);
    if (terminal === undefined) return EXITED;
    return classify({ terminal, screen: this.parts.screen(), shell: this.parts.shell(terminal) });
  }

  /** A state that lasts; the latest reading if none does. */
  async steadily(): Promise<WaitReading> {
    const { clock } = this.parts;
    const begun = clock.now();
    let watched: ObservedState | undefined;
    for (;;) {
      const reading = await this.once();
      // The marks of the shell are conclusive.
      if (reading.state === 'idle' || reading.state === 'exited') return reading;
      watched = addReading(watched, reading, clock.now(), ASKED_SPAN_MS);
      if (watched.steady?.state === reading.state || clock.now() - begun > ASKED_LIMIT_MS) return reading;
      await clock.sleep(Math.min(LOOK_MS, untilSteadyMs(watched, ASKED_SPAN_MS) + 1));
    }
  }

  /**
   * Resolves with the first lasting state that is `wanted`; `undefined` if the signal aborts.
   * @param spanOf how long it must last
   */
  async until(
    wanted: (reading: WaitReading) => boolean,
    spanOf: (reading: WaitReading) => number,
    signal: AbortSignal,
  ): Promise<WaitReading | undefined> {
    const { clock } = this.parts;
    let watched: ObservedState | undefined;
    let pauseMs = FIRST_LOOK_MS;
    for (;;) {
      await clock.sleep(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return undefined;
      const reading = await this.once();
      const spanMs = spanOf(reading);
      watched = addReading(watched, reading, clock.now(), spanMs);
      if (watched.steady !== undefined && wanted(watched.steady)) return watched.steady;
      // Not later than necessary for a state that lasts.
      const restMs = wanted(reading) ? untilSteadyMs(watched, spanMs) + 1 : LOOK_MS;
      pauseMs = Math.max(1, Math.min(LOOK_MS, restMs));
    }
  }
}

/**
 * How long a program must wait for input until that is reported, so that short reads and pauses are not. What the kernel says of a read of the
 * terminal is certain. A program that polls may do so between other work; what another user's program waits for is only inferred.
 */
export function waitingSpanMs({ state, process }: WaitReading): number {
  if (process?.waitsIn === 'terminal-read') return 90;
  if (process?.waitsIn === 'unknown' && state !== 'waiting_for_secret') return 600;
  return process?.waitsIn === 'poll' ? 140 : 150;
}

/** Whether a program waits for input. */
export function isWaiting({ state }: WaitReading): boolean {
  return state === 'waiting_for_line' || state === 'waiting_for_secret' || state === 'full_screen';
}

/** Keys that leave any prompt for a secret: interrupt, end of file, suspend, quit. */
export function leavesPrompt(bytes: Uint8Array): boolean {
  const [key] = bytes;
  return bytes.length === 1 && key !== undefined && PROMPT_EXIT_KEYS.has(key);
}

const PROMPT_EXIT_KEYS: ReadonlySet<number> = new Set([0x03, 0x04, 0x1a, 0x1c]);
