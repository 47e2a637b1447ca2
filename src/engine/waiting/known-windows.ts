import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';

/** A window that was chosen, and all windows of its application. */
interface Choice {
  readonly window: DesktopWindow;
  readonly siblings: readonly DesktopWindow[];
}

/** States of windows that decide which one is chosen. */
const WINDOW_STATES = /^(?:active|iconified|modal|showing|visible|defunct)=/;
const ELSEWHERE: ReadonlySet<string> = new Set([
  'state-changed',
  'value-changed',
  'text-changed',
  'selection-changed',
  'focus-changed',
  'caret-moved',
]);

/** Whether the windows, their titles and which of them is active are the same after an event. */
export function leavesWindows({ kind, detail }: DesktopEvent): boolean {
  return ELSEWHERE.has(kind) && !(kind === 'state-changed' && WINDOW_STATES.test(detail));
}

/** The windows that the last look of a waiter chose: listing those of all applications costs more than reading one. */
export class KnownWindows {
  private choice: Choice | undefined;

  /** Chooses anew unless everything since the last choice has left the windows as they were. */
  async choose(isUnchanged: boolean, choose: () => Promise<Choice>): Promise<Choice> {
    const known = isUnchanged ? this.choice : undefined;
    this.choice = undefined;
    this.choice = known ?? (await choose());
    return this.choice;
  }
}
