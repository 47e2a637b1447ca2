/** A person types and moves far less; a page asks again when it is refused. */
const PER_SECOND = 400;
const BURST = 800;

/** Limits how much one page may send. */
export class InputBudget {
  private left = BURST;
  private at = performance.now();

  /** Whether this many events may be carried out now. */
  spend(events: number): boolean {
    const now = performance.now();
    this.left = Math.min(BURST, this.left + ((now - this.at) / 1000) * PER_SECOND);
    this.at = now;
    if (events > this.left) return false;
    this.left -= events;
    return true;
  }
}
