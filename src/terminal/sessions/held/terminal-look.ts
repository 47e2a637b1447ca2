import type { ClockPort } from '../../../ports/clock.ts';
import type { TerminalFacts } from '../../../ports/terminals/pseudo-terminal.ts';
import { untilSteadyMs, watchOn } from './steady-state.ts';
import type { Watched } from './steady-state.ts';
import { classify, EXITED } from './wait-state.ts';
import type { ScreenFacts, ShellFacts, WaitReading } from './wait-state.ts';

/** Between two looks. */
export const LOOK_MS = 50;
/** How long a state must last for one who asks just now. */
const ASKED_SPAN_MS = 90;
/** For one that changes all the time. */
const ASKED_LIMIT_MS = 250;

export interface LookParts {
  readonly clock: ClockPort;
  readonly facts: () => Promise<TerminalFacts>;
  readonly screen: () => ScreenFacts;
  /** Of the shell, where it is known; asked with what the kernel says just now. */
  readonly shell: (terminal: TerminalFacts) => ShellFacts | undefined;
}

/** Looks what a terminal is doing. */
export class TerminalLook {
  private readonly parts: LookParts;

  constructor(parts: LookParts) {
    this.parts = parts;
  }

  /** At this very moment. */
  async once(): Promise<WaitReading> {
    const terminal = await this.parts.facts().catch(() => undefined);
    if (terminal === undefined) return EXITED;
    return classify({ terminal, screen: this.parts.screen(), shell: this.parts.shell(terminal) });
  }

  /** What it is doing for more than a moment; the latest that was seen where nothing lasts. */
  async steadily(): Promise<WaitReading> {
    const { clock } = this.parts;
    const begun = clock.now();
    let watched: Watched | undefined;
    for (;;) {
      const reading = await this.once();
      // The marks of the shell leave no doubt.
      if (reading.state === 'idle' || reading.state === 'exited') return reading;
      watched = watchOn(watched, reading, clock.now(), ASKED_SPAN_MS);
      if (watched.steady?.state === reading.state || clock.now() - begun > ASKED_LIMIT_MS) return reading;
      await clock.sleep(Math.min(LOOK_MS, untilSteadyMs(watched, ASKED_SPAN_MS) + 1));
    }
  }

  /**
   * Resolves with the first state that is `wanted` and lasts; `undefined` when the signal ends it.
   * @param spanMs how long it has to last
   */
  async until(
    wanted: (reading: WaitReading) => boolean,
    spanMs: number,
    signal: AbortSignal,
  ): Promise<WaitReading | undefined> {
    const { clock } = this.parts;
    let watched: Watched | undefined;
    for (;;) {
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
      if (signal.aborted) return undefined;
      const reading = await this.once();
      watched = watchOn(watched, reading, clock.now(), spanMs);
      if (watched.steady !== undefined && wanted(watched.steady)) return watched.steady;
    }
  }
}

/** The secret or the line that a program waits for is asked for by what stands before the cursor. */
export function isWaiting({ state }: WaitReading): boolean {
  return state === 'waiting_for_line' || state === 'waiting_for_secret' || state === 'full_screen';
}

/** Keys that lead out of a prompt for a secret, whatever is asked: interrupt, end of file, suspend, quit. */
export function leavesPrompt(bytes: Uint8Array): boolean {
  const [key] = bytes;
  return bytes.length === 1 && key !== undefined && WAYS_OUT.has(key);
}

const WAYS_OUT: ReadonlySet<number> = new Set([0x03, 0x04, 0x1a, 0x1c]);
