/** How often a holder that has work for us is asked whether it still runs. */
const ASK_MS = 500;
/** A holder answers that at once, whatever it does. After so many questions without a word it is taken for suspended. */
const MOST_UNANSWERED = 8;
/** One that was silent before does not get as much time again, so that a command of several calls keeps its deadline. */
const MOST_UNANSWERED_AGAIN = 2;

export interface LifeSignParts {
  /** Asks the holder to show that it runs. */
  readonly ask: () => void;
  /** The holder has been silent for too long. */
  readonly onSilence: () => void;
}

/**
 * Tells a holder that is suspended, or hangs, from one whose work takes long. It counts its own ticks instead of the time: where the machine is too
 * busy to run this process, it is too busy to run the holder.
 */
export class LifeSigns {
  private readonly parts: LifeSignParts;
  private timer: NodeJS.Timeout | undefined;
  private unanswered = 0;
  private wasSilent = false;

  constructor(parts: LifeSignParts) {
    this.parts = parts;
  }

  /** While `isAwaited`, the holder has to show that it runs. */
  expect(isAwaited: boolean): void {
    if (!isAwaited) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else if (this.timer === undefined) {
      this.unanswered = 0;
      this.timer = setInterval(() => this.tick(), ASK_MS);
    }
  }

  /** Something has arrived from the holder. */
  heard(): void {
    this.unanswered = 0;
    this.wasSilent = false;
  }

  private tick(): void {
    if (this.unanswered < (this.wasSilent ? MOST_UNANSWERED_AGAIN : MOST_UNANSWERED)) {
      this.unanswered += 1;
      this.parts.ask();
      return;
    }
    this.wasSilent = true;
    this.unanswered = 0;
    this.parts.onSilence();
  }
}
